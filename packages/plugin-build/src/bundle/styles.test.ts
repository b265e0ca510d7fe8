import { expect, test } from 'vitest'
import { bundleOptions, folderWithPackages } from '../../test/bundled-plugin.ts'
import { bundlePlugin } from './bundler.ts'

test('a style that Tailwind would have to compile is a warning, instead of a page without its looks', async () => {
  const root = await folderWithPackages({
    'src/pages/pay.tsx': `import '../a.css'\nimport '../b.css'`,
    'src/a.css': '/* not @apply */\n.card {\n  @apply p-4;\n}',
    'src/b.css': '/* @tailwind utilities */ @media print { a { color: red } }',
  })
  const { problems, files } = await bundlePlugin(bundleOptions(root))
  expect(problems.map(({ code, severity, file, line, column }) => [code, severity, file, line, column])).toEqual([
    ['style-not-compiled', 'warning', 'src/a.css', 3, 3],
  ])
  expect(problems[0]?.rule).toContain('@apply is no CSS')
  expect(files).not.toEqual([])
})
