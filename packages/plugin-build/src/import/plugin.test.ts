import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { pluginFolder, soundPlugin } from '../../test/plugin-folder.ts'
import { readPlugin } from '../manifest/index.ts'
import { importPlugin, newRequirement } from './plugin.ts'

const older = `{
  "pluginId": "shop", "name": "Shop", "version": "1.0.0",
  "mode": "iframe-bridge", // as we had it
  "pages": [
    {
      "id": "thanks",
      "path": "/thanks/:orderId",
      "features": [
        "thank-you", // the last page
        { "type": "offer", "requirements": ["customer", { "resource": "order", "from": "url", "note": 1 }] }
      ]
    }
  ]
}
`
const today = `{
  "pluginId": "shop", "name": "Shop", "version": "1.0.0",
  "mode": "spa-mode", // as we had it
  "pages": [
    {
      "id": "thanks",
      "path": "/thanks/:orderId",
      "features": [
        { "type": "thank_you" }, // the last page
        { "type": "offer", "requirements": [{ "resource": "customer" }, { "resource": "order", "note": 1, "in": "path", "param": "orderId" }] }
      ]
    }
  ],
  "configuration": {
    "schema": "config/config.schema.json",
    "presets": {
      "dark": "config/presets/dark.json",
      "default": "config/default.config.json",
      "light": "config/light.tgd.json"
    },
    "defaultPreset": "default"
  }
}
`
const settings = {
  'config/config.schema.json': { properties: { colour: { type: 'string' } }, additionalProperties: false },
  'config/dark.preset.json': { name: 'Dark', config: { colour: '#000' } },
  'config/default.config.json': { colour: '#888' },
  'config/light.tgd.json': { colour: '#fff' },
}

async function write(root: string, files: readonly { path: string; text: string }[]): Promise<void> {
  for (const { path, text } of files) {
    await mkdir(join(root, dirname(path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}

test('an older plugin is updated, every change is reported, and comments are kept', async () => {
  const root = await pluginFolder({ 'plugin.manifest.json': older, 'src/app.ts': '', ...settings })
  expect((await readPlugin(root)).plugin).toBeNull()
  const { files, report, problems } = await importPlugin(root)
  expect(problems).toEqual([])
  expect(files).toEqual([
    { path: 'plugin.manifest.json', text: today },
    { path: 'config/presets/dark.json', text: '{\n  "colour": "#000",\n  "meta": {\n    "name": "Dark"\n  }\n}\n' },
  ])
  expect(report.map(({ file, pointer }) => `${file} ${pointer}`)).toEqual([
    'plugin.manifest.json /mode',
    'plugin.manifest.json /pages/0/features/0',
    'plugin.manifest.json /pages/0/features/1/requirements/0',
    'plugin.manifest.json /pages/0/features/1/requirements/1',
    'plugin.manifest.json /configuration',
    'config/presets/dark.json ',
  ])
  await write(root, files)
  const { plugin, problems: left } = await readPlugin(root)
  expect({ valid: plugin !== null, left: left.map(({ pointer }) => pointer) }).toEqual({
    valid: true,
    left: ['/pages/0/features/1/requirements/1/note'],
  })
  expect(await importPlugin(root)).toEqual({ files: [], report: [], problems: [] })
})

test('settings in files missing from the manifest are an error until imported or declared empty', async () => {
  const root = await soundPlugin({}, settings)
  expect((await readPlugin(root)).problems).toMatchObject([{ code: 'older-shape', severity: 'error', pointer: '' }])
  const ofTools = await soundPlugin({}, { 'biome.config.json': {}, 'tsconfig.json': {}, 'config/notes.json': {} })
  expect((await readPlugin(ofTools)).problems).toEqual([])
  const without = await soundPlugin({ configuration: {} }, settings)
  expect((await readPlugin(without)).problems).toEqual([])
})

test.for([
  ['proxy-mode', 'direct-mode'],
  ['iframe-mode', 'spa-mode'],
] as const)('%s becomes %s', async ([mode, now]) => {
  const { files, report } = await importPlugin(await soundPlugin({ mode }))
  expect(JSON.parse(files[0]?.text ?? '')).toMatchObject({ mode: now })
  expect(report[0]?.change).toContain(`"${mode}" is now "${now}"`)
})

test('an unreadable file is reported, and nothing is written', async () => {
  const { files, problems } = await importPlugin(await pluginFolder({ 'plugin.manifest.json': '{ "mode": }' }))
  expect({ files, codes: problems.map(({ code }) => code) }).toEqual({ files: [], codes: ['syntax'] })
})

const order = 'order'
test.for([
  [order, [], { resource: order }],
  [order, ['orderId'], { resource: order, in: 'path', param: 'orderId' }],
  [{ resource: order, from: 'session' }, ['orderId'], { resource: order }],
  [{ resource: order, from: 'url' }, [], { resource: order, in: 'query', param: 'orderId' }],
  [{ resource: order, from: 'query:id' }, [], { resource: order, in: 'query', param: 'id' }],
  [{ resource: order, from: [{ name: 'id' }] }, ['id'], { resource: order, in: 'path', param: 'id' }],
  [{ resource: order, from: { type: 'query', key: 'id' } }, ['id'], { resource: order, in: 'query', param: 'id' }],
  [{ resource: order, from: 'heaven' }, [], { resource: order, 'x-from': 'heaven' }],
  [
    { resource: order, params: ['id', 'key'] },
    ['id'],
    { resource: order, in: 'path', param: 'id', 'x-params': ['key'] },
  ],
  [{ resource: order, params: { id: {} } }, [], { resource: order, in: 'query', param: 'id' }],
] as const)('the requirement %j on a page with the parameters %j', ([requirement, params, now]) => {
  expect(newRequirement(requirement, params)?.requirement).toEqual(now)
})

test('a requirement in the current format is unchanged', () => {
  expect(newRequirement({ resource: order, in: 'path', param: 'orderId' }, ['orderId'])).toBeNull()
  expect(newRequirement(7, [])).toBeNull()
})
