import { expect, test } from 'vitest'
import { leastFile, pluginFolder, soundPlugin } from '../../test/plugin-folder.ts'
import { readPlugin } from './plugin.ts'

const problemsOf = async (root: string) =>
  (await readPlugin(root)).problems.map(({ severity, code, pointer }) => `${severity} ${code} ${pointer ?? 'nowhere'}`)

test('a plugin is read with its entries, its settings and what a deployment sends', async () => {
  const root = await soundPlugin(
    {
      pages: [
        { id: 'home', path: '/' },
        { id: 'thanks', path: '/thanks/:orderId', name: 'Thank you', entry: 'src/thanks.js', isDefault: true },
      ],
      requirements: { environment: ['PUBLIC_SHOP'] },
      configuration: { schema: 'config/schema.json', presets: { dark: 'config/dark.json', light: { colour: '#fff' } } },
      templates: { winter: 'config/dark.json' },
      budgets: { pageBytes: 1_000 },
    },
    {
      'src/thanks.js': '',
      'public/robots.txt': '',
      'config/schema.json': { type: 'object', properties: { colour: { type: 'string', format: 'color' } } },
      'config/dark.json': '{ "colour": "#000" } // as dark as it gets',
    },
  )
  const { plugin, problems } = await readPlugin(root)
  expect(problems).toEqual([])
  expect(plugin).toMatchObject({
    root,
    mode: 'direct-mode',
    pages: [
      { id: 'home', path: '/', name: 'home', isDefault: false, entry: 'src/pages/home.tsx' },
      { id: 'thanks', path: '/thanks/:orderId', name: 'Thank you', isDefault: true, entry: 'src/thanks.js' },
    ],
    publicFolder: 'public',
    budgets: { pageBytes: 1_000 },
    environment: ['PUBLIC_SHOP'],
    configuration: {
      schema: { type: 'object' },
      uiSchema: null,
      presets: { dark: { colour: '#000' }, light: { colour: '#fff' } },
      defaultPreset: 'dark',
    },
    templates: { winter: { colour: '#000' } },
    sources: ['plugin.manifest.json', 'config/schema.json', 'config/dark.json'],
    manifest: { pluginId: 'shop', config: { colour: '#000' } },
  })
})

test('in spa-mode every page has the application as its entry', async () => {
  const root = await soundPlugin({ mode: 'spa-mode' }, { 'src/app.ts': '' })
  const { plugin } = await readPlugin(root)
  expect(plugin?.pages).toEqual([{ id: 'home', path: '/', name: 'home', isDefault: true, entry: 'src/app.ts' }])
  expect(plugin?.publicFolder).toBeNull()
})

test('a problem has file, line, column, pointer, rule and fix', async () => {
  const text =
    '{\n  "pluginId": "shop",\n  "name": "Shop",\n  "version": "1",\n  "pages": [{ "id": "home", "path": "/" }]\n}'
  const root = await pluginFolder({ 'plugin.manifest.json': text, 'src/pages/home.ts': '' })
  expect(await readPlugin(root)).toMatchObject({
    plugin: null,
    problems: [
      {
        code: 'invalid-value',
        severity: 'error',
        file: 'plugin.manifest.json',
        line: 4,
        column: 14,
        pointer: '/version',
        rule: 'version must be a semantic version such as "1.4.0" or "2.0.0-beta.1".',
        fix: 'Did you mean "1.0.0"?',
      },
    ],
  })
})

test('a missing key is reported at its parent, with its description', async () => {
  const root = await pluginFolder({
    'plugin.manifest.json': { name: 'Shop', pages: [{ path: '/' }], verison: '1.0.0' },
  })
  const { problems } = await readPlugin(root)
  expect(problems.map(({ line, column, pointer, fix }) => `${line}:${column} ${pointer} ${fix}`)).toEqual([
    '1:1 /pluginId Add it: "pluginId": "shop".',
    '1:1 /version Rename "verison" to "version".',
    '4:5 /pages/0/id Add it, such as "id": "thank-you".',
    '8:3 /verison Did you mean "version"? A key of your own starts with "x-".',
  ])
})

test('unknown keys are warnings and kept; those that start with x- are the author’s own', async () => {
  const root = await soundPlugin({
    shade: 1,
    'x-shade': 2,
    author: { name: 'Ada', phone: '1' },
    configuration: { look: 1 },
  })
  const { plugin } = await readPlugin(root)
  expect(await problemsOf(root)).toEqual([
    'warning unknown-key /shade',
    'warning unknown-key /author/phone',
    'warning unknown-key /configuration/look',
  ])
  expect(plugin?.manifest).toMatchObject({ shade: 1, 'x-shade': 2, author: { name: 'Ada', phone: '1' } })
})

test('a type of a feature that is near to a known one is a warning; other types are the plugin’s own', async () => {
  const types = ['thankyou', 'chekout', 'checkout', 'quiz', 'upsell_2', 'offer2']
  const root = await soundPlugin({ pages: [{ id: 'home', path: '/', features: types.map((type) => ({ type })) }] })
  const { problems } = await readPlugin(root)
  expect(problems.map(({ severity, pointer, fix }) => `${severity} ${pointer} ${fix}`)).toEqual([
    'warning /pages/0/features/0/type Did you mean "thank_you"?',
    'warning /pages/0/features/1/type Did you mean "checkout"?',
  ])
})

test('a folder without a manifest is named, with what makes a plugin', async () => {
  const root = await pluginFolder({ 'src/pages/home.js': '' })
  const { problems } = await readPlugin(root)
  expect(problems).toMatchObject([{ code: 'file-missing', rule: expect.stringContaining(root) }])
  expect(problems[0]?.fix).toContain('npm create @tillwright/plugin')
})

test.for([
  ['a page without a module', {}, {}, ['error entry-missing /pages/0/id']],
  ['an application without a module', { mode: 'spa-mode' }, {}, ['error entry-missing /mode']],
  [
    'an entry that does not exist',
    { pages: [{ id: 'a', path: '/', entry: 'a.ts' }] },
    {},
    ['error entry-missing /pages/0/entry'],
  ],
  [
    'an entry that is not a module',
    { pages: [{ id: 'a', path: '/', entry: 'a.css' }] },
    { 'a.css': '' },
    ['error entry-invalid /pages/0/entry'],
  ],
  [
    'an entry of the application in direct-mode',
    { entry: 'a.ts' },
    { 'src/pages/home.js': '' },
    ['warning entry-unused /entry'],
  ],
  [
    'an assets folder that does not exist',
    { assets: { folder: 'static' } },
    { 'src/pages/home.js': '' },
    ['error assets-missing /assets/folder'],
  ],
  ['a file in place of the public folder', {}, { 'src/pages/home.js': '', public: '' }, ['error assets-missing ']],
  [
    'presets whose file is missing',
    { configuration: { presets: { a: 'a.json' } } },
    { 'src/pages/home.js': '' },
    ['error file-missing /configuration/presets/a'],
  ],
  [
    'an unknown default preset',
    { configuration: { defaultPreset: 'a' } },
    { 'src/pages/home.js': '' },
    ['error default-preset-unknown /configuration/defaultPreset'],
  ],
] as const)('%s is reported at its position', async ([, file, files, problems]) => {
  expect(await problemsOf(await pluginFolder({ 'plugin.manifest.json': { ...leastFile, ...file }, ...files }))).toEqual(
    problems,
  )
})

test.for([
  [{ mode: 'iframe-bridge' }, '/mode'],
  [{ pages: [{ id: 'home', path: '/', features: ['checkout'] }] }, '/pages/0/features/0'],
  [
    { pages: [{ id: 'home', path: '/', features: [{ type: 'offer', requirements: ['order'] }] }] },
    '/pages/0/features/0/requirements/0',
  ],
  [
    {
      pages: [
        { id: 'home', path: '/', features: [{ type: 'offer', requirements: [{ resource: 'order', from: 'url' }] }] },
      ],
    },
    '/pages/0/features/0/requirements/0',
  ],
] as const)('an outdated part is a single error that says how to import it: %j', async ([file, pointer]) => {
  const root = await soundPlugin(file)
  expect((await problemsOf(root)).filter((problem) => problem.startsWith('error'))).toEqual([
    `error older-shape ${pointer}`,
  ])
  expect((await readPlugin(root)).problems[0]?.fix).toContain('`tillwright import`')
})
