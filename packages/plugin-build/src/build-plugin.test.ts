import { expect, test } from 'vitest'
import { leastFile, pluginFolder } from '../test/plugin-folder.ts'
import { buildPlugin } from './build-plugin.ts'

const build = (root: string) => buildPlugin(root, { environment: {}, target: null })
const page = "document.title = 'Home'"

test('a folder with a manifest becomes the files of its deployment', async () => {
  const root = await pluginFolder({ 'plugin.manifest.json': leastFile, 'src/pages/home.ts': page })
  const { plugin, files, report, problems } = await build(root)
  expect(problems).toEqual([])
  expect(plugin?.manifest.name).toBe('Shop')
  expect(files.map(({ path }) => path)).toContain('pages/home.html')
  expect(report?.pages.map(({ id }) => id)).toEqual(['home'])
})

test('an application is built from the module in the manifest', async () => {
  const file = { ...leastFile, mode: 'spa-mode', entry: 'src/main.ts' }
  const root = await pluginFolder({ 'plugin.manifest.json': file, 'src/main.ts': page })
  const { files, problems } = await build(root)
  expect(problems).toEqual([])
  expect(files.map(({ path }) => path)).toContain('index.html')
})

test('a plugin with an invalid manifest is not built', async () => {
  const root = await pluginFolder({
    'plugin.manifest.json': { ...leastFile, version: 'one' },
    'src/pages/home.ts': page,
  })
  const { plugin, files, problems } = await build(root)
  expect([plugin, files]).toEqual([null, []])
  expect(problems.map(({ pointer }) => pointer)).toEqual(['/version'])
})

test('an exceeded budget is reported at its place in the manifest', async () => {
  const file = '{\n  "budgets": {\n    "pageBytes": 10\n  },'
  const text = file + JSON.stringify(leastFile).slice(1)
  const root = await pluginFolder({ 'plugin.manifest.json': text, 'src/pages/home.ts': page })
  const { files, problems } = await build(root)
  expect(files).toEqual([])
  expect(problems).toMatchObject([
    { code: 'over-budget', file: 'plugin.manifest.json', line: 3, column: 18, pointer: '/budgets/pageBytes' },
  ])
})
