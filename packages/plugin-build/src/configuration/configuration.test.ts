import { expect, test } from 'vitest'
import { soundPlugin } from '../../test/plugin-folder.ts'
import { readPlugin } from '../manifest/index.ts'

const problemsOf = async (configuration: object, templates: object = {}) =>
  (await readPlugin(await soundPlugin({ configuration, templates }))).problems.map(
    ({ severity, code, pointer }) => `${severity} ${code} ${pointer?.replace('/configuration', '')}`,
  )

const fixes = async (configuration: object) =>
  (await readPlugin(await soundPlugin({ configuration }))).problems.map(({ fix }) => fix)

const schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  required: ['colour', 'headline'],
  additionalProperties: false,
  properties: {
    colour: { type: 'string', format: 'color', default: '#000' },
    headline: { type: 'object', format: 'translation' },
    layout: { enum: ['wide', 'narrow'] },
    columns: { type: 'integer', minimum: 1 },
  },
  allOf: [
    {
      if: { properties: { layout: { const: 'wide' } }, required: ['layout'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: ['columns'] },
    },
  ],
}
const headline = { en: 'Hello', 'pt-BR': 'Olá' }

test('a preset may leave out settings with a default, and may have a meta, which is not a setting', async () => {
  expect(await problemsOf({ schema, presets: { plain: { headline, meta: { title: 'Plain' } } } })).toEqual([])
})

test.for([
  [{ headline: 'Hello' }, ['/a/headline setting-invalid']],
  [{ headline: { english: 'Hello' } }, ['/a/headline setting-invalid']],
  [{ headline, colour: 'bluish' }, ['/a/colour setting-invalid']],
  [{}, ['/a/headline setting-missing']],
  [{ headline, layout: 'wide' }, ['/a/columns setting-missing']],
  [{ headline, layout: 'wide', columns: 0 }, ['/a/columns setting-invalid']],
  [{ headline, collumns: 1, layout: 'wied' }, ['/a/collumns setting-unknown', '/a/layout setting-invalid']],
] as const)('errors of the preset %j are reported as the schema defines them', async ([preset, problems]) => {
  const found = await problemsOf({ schema, presets: { a: preset } })
  expect(found).toEqual(
    problems.map((problem) => problem.split(' ')).map(([where, code]) => `error ${code} /presets${where}`),
  )
})

test('a near miss is reported with the intended value', async () => {
  expect(await fixes({ schema, presets: { a: { headline, collumns: 1, layout: 'wied' } } })).toEqual([
    'Did you mean "columns"?',
    'Did you mean "wide"?',
  ])
})

test('a template has any part of the settings, but nothing invalid', async () => {
  expect(await problemsOf({ schema }, { winter: { columns: 2 } })).toEqual([])
  expect(await problemsOf({ schema }, { winter: { columns: 0 } })).toEqual([
    'error setting-invalid /templates/winter/columns',
  ])
})

test('the position of a problem is in the preset’s own file, if there is one', async () => {
  const root = await soundPlugin(
    { configuration: { schema: 'schema.json', presets: { a: 'a.json' } } },
    { 'schema.json': schema, 'a.json': '{\n  // not a colour\n  "colour": 1, "headline": { "en": "Hello" } }' },
  )
  const { problems } = await readPlugin(root)
  expect(problems.map(({ file, line, column, pointer }) => `${file}:${line}:${column} ${pointer}`)).toEqual([
    'a.json:3:13 /colour',
  ])
})

test.for([
  [{ $ref: 'https://elsewhere.example/schema.json' }, 'error schema-remote-ref /schema/$ref'],
  [{ $ref: 'other.json#/definitions/a' }, 'error schema-remote-ref /schema/$ref'],
  [{ allOf: [{ $ref: '#/definitions/none' }] }, 'error schema-ref-missing /schema/allOf/0/$ref'],
  [{ $schema: 'https://json-schema.org/draft/2020-12/schema' }, 'error schema-draft /schema/$schema'],
  [{ properties: { a: { type: 'text' } } }, 'error schema-invalid /schema/properties/a/type'],
  [{ required: 'a' }, 'error schema-invalid /schema/required'],
  [{ properties: { a: { pattern: '(' } } }, 'error schema-pattern /schema/properties/a/pattern'],
  [{ patternProperties: { '(': {} } }, 'error schema-pattern /schema/patternProperties/('],
  [{ properties: { a: { pattern: '^(?=.*a)b' } } }, 'error schema-pattern /schema/properties/a/pattern'],
  [{ properties: { a: { format: 'colour' } } }, 'warning format-unknown /schema/properties/a/format'],
  [{ propertis: {} }, 'warning schema-unknown-keyword /schema/propertis'],
  [{ $ref: '#' }, 'error schema-circular /schema'],
  [
    { $ref: '#/definitions/a', definitions: { a: { properties: { a: { $ref: '#/definitions/a', default: {} } } } } },
    'error schema-circular /schema',
  ],
] as const)('errors of the schema %j are reported at their position', async ([wrong, problem]) => {
  expect(await problemsOf({ schema: wrong })).toEqual([problem])
})

test('a schema that is cut off is one problem, not one more for each field that the uiSchema names', async () => {
  const configuration = { schema: 'config/schema.json', uiSchema: { 'ui:order': ['headline'] } }
  const files = { 'config/schema.json': '{ "type": "object", "properties": { "headline": { "type": "string"' }
  const { problems } = await readPlugin(await soundPlugin({ configuration }, files))
  expect(problems.map(({ file, code }) => `${file} ${code}`)).toEqual(['config/schema.json syntax'])
})

test('a misspelt type in the schema is one problem, which names the type that was meant', async () => {
  const schemaWith = (type: string) => ({ properties: { list: { items: { type } } } })
  expect(await fixes({ schema: schemaWith('strnig') })).toEqual(['Did you mean "string"?'])
})

test('a pattern that the platform would refuse is reported with an alternative, and one that backtracks is fine', async () => {
  expect(await fixes({ schema: { properties: { a: { pattern: '^(?!b)a' } } } })).toEqual([
    'Write each condition as its own pattern under "allOf", and a negative one under "not".',
  ])
  const slow = { schema: { properties: { a: { pattern: '^(a+)+$' } } }, presets: { a: { a: `${'a'.repeat(5_000)}!` } } }
  expect(await problemsOf(slow)).toEqual(['error setting-invalid /presets/a/a'])
})

test('schemas may be recursive if they go deeper', async () => {
  const tree = {
    definitions: {
      node: { properties: { name: { type: 'string' }, inner: { items: { $ref: '#/definitions/node' } } } },
    },
    $ref: '#/definitions/node',
  }
  expect(await problemsOf({ schema: tree, presets: { a: { inner: [{ inner: [{ name: 'x' }] }] } } })).toEqual([])
  expect(await problemsOf({ schema: tree, presets: { a: { inner: [{ inner: [{ name: 1 }] }] } } })).toEqual([
    'error setting-invalid /presets/a/inner/0/inner/0/name',
  ])
})

test('a uiSchema with fields of the schema and known keywords is valid', async () => {
  const uiSchema = {
    'ui:order': ['headline', '*'],
    'ui:groups': [
      { title: 'Looks', fields: ['colour', 'layout'] },
      { title: 'Text', fields: ['headline'] },
    ],
    'ui:options': { groups: { Size: ['columns'] }, order: ['*'], ours: true },
    colour: { 'ui:widget': 'color', 'ui:help': 'Of the buttons' },
  }
  expect(await problemsOf({ schema, uiSchema })).toEqual([])
})

test.for([
  [{ 'ui:widgt': 'color' }, 'warning ui-unknown-key /uiSchema/ui:widgt'],
  [{ color: { 'ui:widget': 'color' } }, 'warning ui-unknown-field /uiSchema/color'],
  [{ 'ui:order': ['*', 'sice'] }, 'warning ui-unknown-field /uiSchema/ui:order/1'],
  [{ 'ui:order': ['colour'] }, 'error ui-invalid /uiSchema/ui:order'],
  [{ 'ui:order': 'colour' }, 'error ui-invalid /uiSchema/ui:order'],
  [{ 'ui:groups': [{ fields: ['size'] }] }, 'warning ui-unknown-field /uiSchema/ui:groups/0/fields/0'],
  [{ 'ui:options': { groups: { Size: ['size'] } } }, 'warning ui-unknown-field /uiSchema/ui:options/groups/Size/0'],
] as const)('the uiSchema %j has something that no form reads', async ([uiSchema, problem]) => {
  expect(new Set(await problemsOf({ schema, uiSchema }))).toEqual(new Set([problem]))
})

test('fields are found through references, conditions and items', async () => {
  const deep = {
    definitions: { link: { type: 'object', properties: { href: { type: 'string' } } } },
    properties: { links: { type: 'array', items: { $ref: '#/definitions/link' } } },
    if: {},
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: { more: { type: 'string' } } },
  }
  const uiSchema = { links: { items: { href: {}, hrefs: {} } }, more: {} }
  expect(await problemsOf({ schema: deep, uiSchema })).toEqual(['warning ui-unknown-field /uiSchema/links/items/hrefs'])
  const circle = { ...deep, allOf: [{ $ref: '#' }] }
  expect(await problemsOf({ schema: circle, uiSchema })).toEqual([
    'error schema-circular /schema',
    'warning ui-unknown-field /uiSchema/links/items/hrefs',
  ])
})
