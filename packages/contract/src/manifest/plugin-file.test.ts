import { expect, test } from 'vitest'
import { exampleOf } from '../examples.ts'
import { pluginManifest } from '../resources/plugin-manifests.ts'
import { deploymentManifest } from './deployment-manifest.ts'
import { pluginFile, pluginFileSchema } from './plugin-file.ts'

const least = { pluginId: 'shop', name: 'Shop', version: '1.0.0', pages: [{ id: 'home', path: '/' }] }

const problemsOf = (file: unknown) =>
  pluginFile.safeParse(file).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? []

const withPage = (page: object) => ({ ...least, pages: [{ id: 'home', path: '/', ...page }] })

test('an id, a name, a version and a page are enough', () => {
  expect(pluginFile.parse(least)).toEqual({
    ...least,
    mode: 'direct-mode',
    pages: [{ id: 'home', path: '/', remappable: false, features: [] }],
  })
})

test('the example composed of all fields is a valid file', () => {
  expect(problemsOf(exampleOf(pluginFileSchema()))).toEqual([])
})

test('a deployment gets the fields of the reference and unknown keys, but none that are for the build', () => {
  const file = pluginFile.parse({
    ...least,
    $schema: './schema.json',
    entry: 'src/app.ts',
    configuration: { schema: {} },
    templates: { winter: 'winter.json' },
    assets: { folder: 'public' },
    budgets: { pageBytes: 1_000 },
    author: 'Ada',
    shade: { deep: true },
    pages: [{ id: 'home', path: '/', entry: 'src/home.ts', tint: 'red' }],
  })
  const manifest = deploymentManifest(file, { name: 'light', settings: { colour: '#224466' } })
  expect(manifest).toEqual({
    ...least,
    mode: 'direct-mode',
    tags: [],
    author: 'Ada',
    shade: { deep: true },
    pages: [{ id: 'home', path: '/', remappable: false, features: [], tint: 'red' }],
    config: { colour: '#224466' },
    defaultPreset: 'light',
  })
  expect(pluginManifest.parse(manifest)).toEqual(manifest)
  expect(deploymentManifest(file)).not.toHaveProperty('config')
})

test('a requirement can only read a parameter of its own page’s path', () => {
  const reading = (requirement: object, path = '/orders/:orderId') =>
    problemsOf(withPage({ path, features: [{ type: 'thank_you', requirements: [requirement] }] }))
  expect(reading({ resource: 'order', in: 'path' })).toEqual([])
  expect(reading({ resource: 'order', in: 'path', param: 'orderId' })).toEqual([])
  expect(reading({ resource: 'order' }, '/')).toEqual([])
  expect(reading({ resource: 'order', in: 'path', param: 'order' })).toEqual([
    'pages.0.features.0.requirements.0.param must name a parameter of the page\'s path, which has no ":order"',
  ])
  expect(reading({ resource: 'order', in: 'path' }, '/')).toHaveLength(1)
})

test.for([
  ['a parameter with a hyphen', withPage({ path: '/:order-id' }), 'pages.0.path'],
  ['the same parameter twice', withPage({ path: '/:a/:a' }), 'pages.0.path'],
  ['an id that is not a valid file name', withPage({ id: '../home' }), 'pages.0.id'],
  ['an entry outside the folder', withPage({ entry: '../home.ts' }), 'pages.0.entry'],
  ['an unknown feature type', withPage({ features: [{ type: 'Thank you' }] }), 'pages.0.features.0.type'],
  ['ids that differ only in case', { ...least, pages: [...least.pages, { id: 'HOME', path: '/b' }] }, 'pages.1.id'],
  [
    'a variable that must stay secret',
    { ...least, requirements: { environment: ['SECRET'] } },
    'requirements.environment.0',
  ],
  ['a budget of zero', { ...least, budgets: { pageBytes: 0 } }, 'budgets.pageBytes'],
  ['presets that are numbers', { ...least, configuration: { presets: { dark: 1 } } }, 'configuration.presets.dark'],
] as const)('%s is refused', ([, file, where]) => {
  expect(problemsOf(file)).toEqual([expect.stringMatching(`^${where.replaceAll('.', '\\.')} `)])
})

test('editors mark unknown keys except those that start with x-', () => {
  expect(pluginFileSchema()).toMatchObject({
    $schema: 'http://json-schema.org/draft-07/schema#',
    required: ['pluginId', 'name', 'version', 'pages'],
    additionalProperties: false,
    patternProperties: { '^x-': {} },
  })
})

test('every field has a description', () => {
  const silent: string[] = []
  JSON.parse(JSON.stringify(pluginFileSchema()), (key, value: unknown) => {
    for (const [name, field] of Object.entries(Object(key === 'properties' ? value : {}))) {
      if (typeof Object(field).description !== 'string') silent.push(name)
    }
    return value
  })
  expect(silent).toEqual([])
})

test('pages may use named third-party origins, which are sent with a deployment, but no third-party scripts', () => {
  const security = { connect: ['https://api.example'], frame: ['https://maps.example'] }
  expect(deploymentManifest(pluginFile.parse({ ...least, security })).security).toEqual(security)
  expect(problemsOf({ ...least, security: { script: ['https://cdn.example'] } })).toEqual([
    expect.stringMatching(/^security\.script cannot be widened/),
  ])
  expect(problemsOf({ ...least, security: { connect: ['https://*.example'] } })).toEqual([
    expect.stringMatching(/^security\.connect\.0 must be an https:\/\/ origin/),
  ])
})
