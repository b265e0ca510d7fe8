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

test.each([
  ['^1.0.0', '1.4.2', null],
  ['>=1 <3', '2.0.0-beta.1', null],
  ['^2.0.0', '1.4.2', /requires @tillwright\/plugin-sdk@\^2\.0\.0, but would be built with version 1\.4\.2/],
  ['^1.0.0', null, /requires @tillwright\/plugin-sdk@\^1\.0\.0, which is not installed/],
  ['newest', '1.4.2', /requirements\.sdkVersion must be a range of versions, but is "newest"/],
])('a plugin that requires version %s of the SDK, built with %s: %s', async (sdkVersion, installed, rule) => {
  const requirements = { sdk: '@tillwright/plugin-sdk', sdkVersion }
  const root = await pluginFolder({
    'plugin.manifest.json': { ...leastFile, requirements },
    'src/pages/home.ts': page,
    ...(installed !== null && { 'node_modules/@tillwright/plugin-sdk/package.json': { version: installed } }),
  })
  const { files, problems } = await build(root)
  expect(files.length === 0).toBe(rule !== null)
  expect(problems.map((problem) => problem.rule)).toEqual(rule === null ? [] : [expect.stringMatching(rule)])
  const places = problems.map(({ file, pointer, line, fix }) => [file, pointer, line > 1, fix !== ''])
  const pointer = installed === null ? '/requirements/sdk' : '/requirements/sdkVersion'
  expect(places).toEqual(rule === null ? [] : [['plugin.manifest.json', pointer, true, true]])
})

test('the SDK may be another package, of a workspace above the plugin, and its name is no path', async () => {
  const plugin = (requirements: object) => ({ ...leastFile, requirements })
  const root = await pluginFolder({
    'node_modules/own-sdk/package.json': { version: '3.1.0' },
    'package.json': { version: '9.9.9' },
    'plugins/one/plugin.manifest.json': plugin({ sdk: 'own-sdk', sdkVersion: '3.x' }),
    'plugins/one/src/pages/home.ts': page,
    'plugins/two/plugin.manifest.json': plugin({ sdk: '../..', sdkVersion: '9.x' }),
    'plugins/two/src/pages/home.ts': page,
  })
  expect((await build(`${root}/plugins/one`)).problems).toEqual([])
  const { problems } = await build(`${root}/plugins/two`)
  expect(problems).toMatchObject([{ code: 'sdk-invalid', pointer: '/requirements/sdk' }])
})
