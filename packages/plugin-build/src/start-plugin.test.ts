import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { pluginFolder } from '../test/plugin-folder.ts'
import { buildPlugin } from './build-plugin.ts'
import { readPlugin } from './manifest/index.ts'
import { PLUGIN_TYPES_FILE, pluginTypes } from './plugin-types.ts'
import { pluginNameOf, startPlugin } from './start-plugin.ts'

const tsc = fileURLToPath(new URL('./bin/tsc', import.meta.resolve('typescript/package.json')))

/** The output of the TypeScript compiler for a folder; empty if there are no errors. */
function typesOf(root: string): Promise<string> {
  return new Promise((resolve) => execFile(process.execPath, [tsc, '-p', root], (_, out) => resolve(out)))
}

test.for(['direct-mode', 'spa-mode'] as const)('a new plugin in %s is valid, builds and type-checks', async (mode) => {
  const { files } = await startPlugin('/nowhere', { name: 'Crème & Co.', mode })
  const root = await pluginFolder(Object.fromEntries(files.map(({ path, text }) => [path, text])))
  const { plugin, problems } = await readPlugin(root)
  expect([plugin?.file.pluginId, plugin?.mode, problems]).toEqual(['creme-co', mode, []])
  const built = await buildPlugin(root, { environment: {}, target: null })
  expect(built.problems).toEqual([])
  expect(built.files.length).toBeGreaterThan(2)
  const typed = await pluginFolder({
    ...Object.fromEntries(files.map(({ path, text }) => [path, text])),
    ...(plugin !== null && { [PLUGIN_TYPES_FILE]: pluginTypes(plugin) }),
  })
  expect(await typesOf(typed)).toBe('')
})

test('a project keeps its files: its pages are added to the manifest, the only new file', async () => {
  const page = "document.title = 'Shop'"
  const root = await pluginFolder({
    'package.json': {},
    'src/pages/thank-you.ts': page,
    'src/pages/index.tsx': page,
    'src/pages/[slug].tsx': page,
    'src/pages/types.d.ts': '',
  })
  const { files, pages } = await startPlugin(root, { name: 'Shop' })
  expect(files.map(({ path }) => path)).toEqual(['plugin.manifest.json'])
  expect(pages).toEqual([
    { id: 'index', path: '/' },
    { id: 'thank-you', path: '/thank-you' },
  ])
})

test('a project with one application is in spa-mode, and one without any module gets a starter module', async () => {
  const app = await pluginFolder({ 'package.json': {}, 'src/app.jsx': '' })
  expect(await startPlugin(app, { name: 'Shop' })).toMatchObject({ mode: 'spa-mode', files: [{}] })
  const bare = await pluginFolder({ 'package.json': {} })
  const { files } = await startPlugin(bare, { name: 'Shop' })
  expect(files.map(({ path }) => path)).toEqual(['plugin.manifest.json', 'src/pages/home.ts'])
})

test('existing files are left out, including the manifest', async () => {
  const root = await pluginFolder({ 'plugin.manifest.json': {}, '.gitignore': 'mine' })
  const { files } = await startPlugin(root, { name: '日本' })
  expect(files.map(({ path }) => path)).toEqual(['src/pages/home.ts', 'tsconfig.json'])
})

test.for([
  ['/work/one-page_checkout', 'One page checkout'],
  ['/', 'Plugin'],
])('a plugin in %s is named %s', ([folder, name]) => {
  expect(pluginNameOf(folder ?? '')).toBe(name)
})
