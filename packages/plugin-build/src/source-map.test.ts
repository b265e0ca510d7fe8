import { expect, test } from 'vitest'
import { inputName } from './source-map.ts'

test.for([
  ['src/pages/pay.tsx', 'src/pages/pay.tsx'],
  ['../../node_modules/.pnpm/preact@10/node_modules/preact/src/render.js', 'node_modules/preact/src/render.js'],
  ['node_modules/@scope/name/index.js', 'node_modules/@scope/name/index.js'],
  ['../../home/alice/work/ui/src/button.tsx', 'outside/ui/src/button.tsx'],
  ['/home/alice/ui/src/button.tsx', 'outside/ui/src/button.tsx'],
  [String.raw`C:\work\ui\src\button.tsx`, 'outside/ui/src/button.tsx'],
  ['webpack://lib/src/a.js', 'outside/lib/src/a.js'],
  ['address:src/logo.png', 'src/logo.png'],
])('%s is named %s', ([path = '', name]) => {
  expect(inputName(path)).toBe(name)
})
