import { expect, test } from 'vitest'
import sdk from '../../plugin-sdk/package.json' with { type: 'json' }
import { reactPackages, withReact } from './files.ts'

test('plugins with React have the versions that the SDK is tested with', () => {
  expect(sdk.devDependencies).toMatchObject({ ...reactPackages.dependencies, ...reactPackages.devDependencies })
})

test('names of packages change in modules, and words in documents', () => {
  const module = `import { useState } from 'preact/hooks'\nimport { useText } from '@tillwright/plugin-sdk/preact'\n`
  const changed = `import { useState } from 'react'\nimport { useText } from '@tillwright/plugin-sdk/react'\n`
  expect(withReact('src/app.tsx', module)).toBe(changed)
  expect(withReact('README.md', 'Preact')).toBe('React')
  expect(withReact('src/styles.css', "'preact'")).toBe("'preact'")
})
