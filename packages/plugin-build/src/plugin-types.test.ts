import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { soundPlugin } from '../test/plugin-folder.ts'
import { readPlugin } from './manifest/index.ts'
import { PLUGIN_TYPES_FILE, pluginTypes, typesOfSchema } from './plugin-types.ts'

const tsc = fileURLToPath(new URL('./bin/tsc', import.meta.resolve('typescript/package.json')))

const file = {
  pages: [
    { id: 'home', path: '/' },
    {
      id: 'thank-you',
      path: '/thank-you/:orderId',
      entry: 'src/pages/home.tsx',
      features: [{ type: 'thank_you', requirements: [{ resource: 'order', in: 'path' }] }],
    },
  ],
  requirements: { environment: ['PUBLIC_SHOP'] },
  configuration: {
    schema: {
      definitions: {
        link: {
          type: 'object',
          required: ['href'],
          properties: { href: { type: 'string' }, inner: { items: { $ref: '#/definitions/link' } } },
        },
      },
      type: 'object',
      required: ['colour', 'headline'],
      properties: {
        colour: { type: 'string', description: 'Of the buttons. */ export {}' },
        headline: { type: 'object', format: 'translation' },
        layout: { enum: ['wide', 'narrow'] },
        columns: { type: ['integer', 'null'] },
        links: { type: 'array', items: { $ref: '#/definitions/link' } },
        'data-id': { anyOf: [{ type: 'string' }, { type: 'number' }] },
      },
    },
    presets: { dark: { colour: '#000', headline: { en: 'Hello' } } },
  },
}

const good = `import './home.css'
import names from './home.module.css'
import logo from './logo.svg'
export const className: string | undefined = names['big']
export const address: URL = new URL(logo)
export function page(config: Tillwright.Config, params: Tillwright.RouteParams<'thank-you'>) {
  const layout: 'wide' | 'narrow' | undefined = config.layout
  const columns: number | null | undefined = config.columns
  const href: string | undefined = config.links?.[0]?.inner?.[0]?.href
  const id: string | number | undefined = config['data-id']
  const resource: Tillwright.Resource<'thank-you'> = 'order'
  const preset: Tillwright.Plugin['preset'] = 'dark'
  return [config.colour.length, config.headline['en'], params.orderId, import.meta.env.PUBLIC_SHOP.length, layout, columns, href, id, resource, preset]
}
`
const wrong = [
  'export const a = (config: Tillwright.Config) => config.color',
  'export const b = (config: Tillwright.Config) => config.links?.[0]?.hrefs',
  "export const c = (params: Tillwright.RouteParams<'thank-you'>) => params.order",
  "export const d = (params: Tillwright.RouteParams<'home'>) => params.orderId",
  "export const e: Tillwright.RouteParams<'thanks'> | null = null",
  "export const f: Tillwright.Resource<'thank-you'> = 'customer'",
  'export const g = import.meta.env.PUBLIC_SHOPP',
  "export const h: Tillwright.Config = { colour: '#000', headline: {}, layout: 'high' }",
  'export const i: Tillwright.Config = { headline: {} }',
  "import text from './about.txt'",
]

const options = {
  noEmit: true,
  strict: true,
  module: 'esnext',
  moduleResolution: 'bundler',
  target: 'es2022',
  types: [],
}

/** The locations of compiler errors, as `file:line`. */
async function compile(root: string): Promise<string[]> {
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [tsc, '-p', root, '--pretty', 'false'], { cwd: root }, (_, stdout) => resolve(stdout))
  })
  const lines = output.split('\n').filter((line) => /^\S/.test(line))
  return lines.map((line) => line.replace(/^(.*)\((\d+),\d+\): error TS\d+: .*$/, '$1:$2'))
}

test('with its types a correct page compiles, and each wrong key is an error on its line', async () => {
  const { plugin, problems } = await readPlugin(await soundPlugin(file))
  expect(problems).toEqual([])
  const text = plugin === null ? '' : pluginTypes(plugin)
  const root = await soundPlugin(file, {
    'tsconfig.json': { compilerOptions: options, include: ['good.ts', 'wrong.ts', PLUGIN_TYPES_FILE] },
    [PLUGIN_TYPES_FILE]: text,
    'good.ts': good,
    'wrong.ts': wrong.join('\n'),
  })
  expect(await compile(root)).toEqual(wrong.map((_, index) => `wrong.ts:${index + 1}`))
})

test.for([
  [{}, 'unknown'],
  [{ type: 'object' }, '{ readonly [key: string]: unknown }'],
  [{ type: 'object', additionalProperties: false }, '{}'],
  [{ properties: { a: true } }, '{ readonly a?: unknown }'],
  [{ properties: { a: { type: 'string', default: '' } }, required: ['a'] }, '{ readonly a?: string }'],
  [{ properties: { a: false }, required: ['a'] }, '{ readonly a: never }'],
  [{ additionalProperties: { type: 'number' } }, '{ readonly [key: string]: number }'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ type: 'string', nullable: true }, 'string | null'],
  [{ items: { enum: ['a', 1, null] } }, 'readonly ("a" | 1 | null)[]'],
  [{ items: [{ type: 'string' }, { type: 'integer' }] }, 'readonly (string | number)[]'],
  [{ allOf: [{ const: 'a' }, { type: 'string' }] }, '"a" & string'],
  [{ oneOf: [{ type: 'string' }, {}] }, 'unknown'],
  [{ if: {}, else: { properties: { a: { const: true } } } }, '{ readonly a?: true }'],
] as const)('the schema %j has the type %s', ([schema, type]) => {
  expect(typesOfSchema(schema, 'Config').type).toBe(type)
})

test('referenced schemas become named types, which may refer to themselves', () => {
  const node = { properties: { next: { $ref: '#/definitions/list-node' }, all: { $ref: '#' } } }
  const { type, named } = typesOfSchema(
    { $ref: '#/definitions/list-node', definitions: { 'list-node': node } },
    'Config',
  )
  expect(type).toBe('ConfigListNode')
  expect(Object.fromEntries(named)).toEqual({
    ConfigListNode: '{ readonly next?: ConfigListNode; readonly all?: ConfigRoot }',
    ConfigRoot: 'ConfigListNode',
  })
})

test('names without suitable letters, and duplicates, are numbered', () => {
  const definitions = { é: { type: 'string' }, 'a-b': { type: 'number' }, aB: { type: 'boolean' } }
  const allOf = ['#/definitions/é', '#/definitions/a-b', '#/definitions/aB'].map(($ref) => ({ $ref }))
  expect([...typesOfSchema({ definitions, allOf }, 'Config').named]).toEqual([
    ['Config2', 'string'],
    ['ConfigAB', 'number'],
    ['ConfigAB2', 'boolean'],
  ])
})
