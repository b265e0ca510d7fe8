import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { soaks } from '../../../../.ci/soaks.ts'
import { importPlugin } from '../import/plugin.ts'
import { pluginTypes } from '../plugin-types.ts'
import type { Problem } from '../problem.ts'
import { fixPlugin } from './fixes.ts'
import { readPlugin } from './plugin.ts'

const FILE = 'plugin.manifest.json'
const LIGHT = '{ "colour": "#fff" }'
const RUNS = soaks ? 10_000 : 400

/** A manifest that uses every feature, so that mutations reach every rule. */
const sound = {
  $schema: 'http://localhost:4400/schemas/plugin.json',
  pluginId: 'one-page-checkout',
  name: 'One-page checkout',
  version: '1.4.0',
  tags: ['checkout'],
  author: { name: 'Ada Lovelace', email: 'ada@example.com' },
  mode: 'direct-mode',
  pages: [
    {
      id: 'checkout',
      path: '/checkout/:cartId',
      isDefault: true,
      features: [{ type: 'checkout', requirements: [{ resource: 'cart', in: 'path' }] }],
      entry: 'src/checkout.ts',
    },
    { id: 'thanks', path: '/thanks', editor: { type: 'internal', url: '/editor' }, entry: 'src/checkout.ts' },
  ],
  requirements: { sdk: '@tillwright/plugin-sdk', sdkVersion: '^1.0.0', environment: ['PUBLIC_SHOP'] },
  configuration: {
    schema: {
      type: 'object',
      definitions: {
        link: { properties: { href: { type: 'string', format: 'url' }, inner: { $ref: '#/definitions/link' } } },
      },
      properties: {
        colour: { type: 'string', format: 'color', pattern: '^#' },
        link: { $ref: '#/definitions/link' },
      },
      allOf: [{ if: { required: ['link'] }, else: { required: ['colour'] } }],
    },
    uiSchema: { 'ui:order': ['colour', '*'], 'ui:groups': [{ title: 'All', fields: ['colour'] }] },
    presets: { dark: { colour: '#000' }, light: 'config/light.json' },
    defaultPreset: 'dark',
  },
  templates: { winter: { colour: '#fff' } },
  ui: { hideConfigEditor: false },
  assets: { folder: 'public' },
  budgets: { pageBytes: 120_000 },
}
const whole = JSON.stringify(sound, null, 1)

/** Replacements for some characters: syntax, values of other types, keywords of schemas, and noise. */
const piece = fc.oneof(
  fc.constantFrom(
    ...'{}[]":,\\/*#',
    '',
    'null',
    '-1e999',
    '[]',
    '{}',
    '""',
    '"__proto__":{}',
    '//',
    '/*',
    '\u0000',
    '\uFEFF',
  ),
  fc.constantFrom(
    '"$ref":"#"',
    '"$ref":"http://x"',
    '"iframe-mode"',
    '"from":"url"',
    '"../x"',
    '"../../etc/passwd"',
    '"\\ud800"',
  ),
  fc.string({ maxLength: 8, unit: 'binary' }),
)
const mutation = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), cut: fc.nat({ max: 40 }), piece })

const words = ['$ref', 'from', 'params', 'pages', 'type', 'ui:order', '__proto__', 'constructor', 'toString', '']
interface Replacement {
  at: number
  value: unknown
  kind: 'replace' | 'remove' | 'rename'
  word: string
}
const replacement: fc.Arbitrary<Replacement> = fc.record({
  at: fc.nat({ max: 10_000 }),
  value: fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom('#', 'http://x', 'iframe-mode', '../x', 'config', 1e308),
  ),
  kind: fc.constantFrom('replace', 'remove', 'rename'),
  word: fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 8 })),
})

/** Mutates characters anywhere, or values and keys, which keeps the syntax valid. */
const mutated = fc.oneof(
  fc.array(mutation, { minLength: 1, maxLength: 4 }).map((mutations) => mutations.reduce(applied, whole)),
  fc.array(replacement, { minLength: 1, maxLength: 4 }).map((replacements) => replacements.reduce(replaced, whole)),
)

function applied(text: string, { at, cut, piece: put }: { at: number; cut: number; piece: string }): string {
  const start = Math.floor(at * text.length)
  return text.slice(0, start) + put + text.slice(start + cut)
}

/** The number counts keys and items, from the inside out. */
function replaced(text: string, { at, value, kind, word }: Replacement): string {
  const slots: [holder: object, key: string][] = []
  const document: unknown = JSON.parse(text, function (this: object, key, inner: unknown) {
    if (key !== '') slots.push([this, key])
    return inner
  })
  const [holder, key] = slots[at % slots.length] ?? [{}, '']
  const old: unknown = Reflect.get(holder, key)
  Reflect.deleteProperty(holder, key)
  if (kind !== 'remove') Reflect.set(holder, kind === 'rename' ? word : key, kind === 'rename' ? old : value)
  return JSON.stringify(document, null, 1)
}

/** Checks that a problem has a position in its file, and that rule and fix are sentences. */
function flaws({ line, column, pointer, rule, fix }: Problem, lines: readonly string[]): string[] {
  const flawed = {
    line: line < 1 || line > lines.length,
    column: column < 1 || column > (lines[line - 1] ?? '').length + 1,
    pointer: pointer !== null && pointer !== '' && !pointer.startsWith('/'),
    rule: !rule.endsWith('.'),
    fix: !/[.?]$/.test(fix),
  }
  return Object.entries(flawed).flatMap(([name, is]) => (is ? [name] : []))
}

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tillwright-fuzz-'))
  for (const folder of ['src', 'config', 'public']) await mkdir(join(root, folder))
  await writeFile(join(root, 'src/checkout.ts'), '')
  await writeFile(join(root, 'config/light.json'), LIGHT)
})
afterAll(async () => rm(root, { recursive: true, force: true }))

test('the unmutated file has no problems', async () => {
  await writeFile(join(root, FILE), whole)
  expect((await readPlugin(root)).problems).toEqual([])
})

test(
  `${RUNS} mutated files are read without a crash, and every problem has a position`,
  { timeout: 900_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(mutated, async (text) => {
        await writeFile(join(root, FILE), text)
        const { plugin, problems } = await readPlugin(root)
        expect(plugin === null).toBe(problems.some(({ severity }) => severity === 'error'))
        const lines = (file: string) => (file === FILE ? text.split(/\r\n|\r|\n/) : [LIGHT])
        expect(problems.filter((problem) => flaws(problem, lines(problem.file)).length > 0)).toEqual([])
      }),
      { numRuns: RUNS, seed: 6 },
    )
  },
)

test('fixing, importing or typing a mutated file causes problems at most', { timeout: 900_000 }, async () => {
  const errorsIn = async () => (await readPlugin(root)).problems.filter(({ severity }) => severity === 'error').length
  await fc.assert(
    fc.asyncProperty(mutated, async (text) => {
      await writeFile(join(root, FILE), text)
      const before = await errorsIn()
      await importPlugin(root)
      const [file] = (await fixPlugin(root)).files
      if (file !== undefined) await writeFile(join(root, FILE), file.text)
      const { plugin } = await readPlugin(root)
      if (plugin !== null) expect(pluginTypes(plugin)).toContain('declare namespace Tillwright')
      if (before === 0) expect(await errorsIn()).toBe(0)
    }),
    { numRuns: RUNS / 10, seed: 7 },
  )
})
