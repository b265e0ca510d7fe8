import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import bcd, { type CompatStatement, type Identifier } from '@mdn/browser-compat-data' with { type: 'json' }
import { type AnyNode, parse, type Program } from 'acorn'
import { full } from 'acorn-walk'
import { afterAll, expect, test } from 'vitest'
import { browserTargets } from '../../plugin-build/src/bundle/esbuild.ts'
import { oldestBrowsers, target } from '../browsers.ts'
import { buildCheckout } from '../build.ts'

const folder = await mkdtemp(join(tmpdir(), 'tillwright-browsers-'))
await buildCheckout(folder)
afterAll(() => rm(folder, { recursive: true }))

/** Features that our oldest browsers lack, and why the checkout does without. */
const REASONS: Readonly<Record<string, string>> = {
  featurePolicy: 'only Chromium has it, and it is asked for with ?.',
  features: 'of the same',
  prerendering: 'only Chromium prepares pages so; elsewhere it is undefined',
  colorScheme: 'a style of an element, not a preference',
  destroy: 'of our card',
  retry: 'of the same',
  font: 'of a canvas: all have it, without values that we do not set',
}

test.each([
  'tillwright.js',
  'index.js',
  'threeds.js',
  'methods.js',
  'card.html',
  'threeds.html',
  'react/index.js',
  'element/index.js',
])('%s has neither syntax nor functions that our oldest browsers do not know', async (file) => {
  const text = await readFile(join(folder, file), 'utf8')
  const script = file.endsWith('.html') ? scriptsOf(text).join('\n') : text
  expect(script).not.toBe('')
  // Of ES2022 the oldest lack static blocks alone.
  const program = parse(script, { ecmaVersion: 2022, sourceType: 'module' })
  expect(script).not.toMatch(/\bstatic\s*\{/)
  expect(unknownNames(program).filter((name) => !(name in REASONS))).toEqual([])
})

/** Of a document. */
function scriptsOf(html: string): string[] {
  return Array.from(html.matchAll(/<script>(.*?)<\/script>/gs), ([, script = '']) => script)
}

test('a name that is younger than our oldest browsers is found', () => {
  const unknown = (script: string) => unknownNames(parse(script, { ecmaVersion: 2022, sourceType: 'module' }))
  expect(unknown('dialog.ariaLabel = ""')).toEqual(['ariaLabel'])
  expect(unknown('new CloseWatcher()')).toEqual(['CloseWatcher'])
  expect(unknown('Uint8Array.fromBase64("")')).toEqual(['fromBase64'])
  expect(unknown('dialog.showModal(); structuredClone(1); crypto.subtle.digest')).toEqual([])
})

test('plugins are built for the same browsers, and the documentation names them', async () => {
  expect(browserTargets).toEqual(target)
  const page = await readFile(join(import.meta.dirname, '../../../apps/docs/pages/checkout/browsers.md'), 'utf8')
  const rows = [...page.matchAll(/^\| (Chrome|Firefox|Safari).*? \| (\d+) \|/gm)].map(([, name, version]) => [
    name,
    version,
  ])
  expect(rows).toEqual([
    ['Chrome', oldestBrowsers.chrome],
    ['Firefox', oldestBrowsers.firefox],
    ['Safari', oldestBrowsers.safari],
  ])
})

/** The support of each name, of whatever it is a member: a script does not tell of what. */
const known = new Map<string, (CompatStatement | undefined)[]>()
for (const tree of [bcd.api, bcd.javascript['builtins']]) collect(tree ?? {})

function collect(tree: Identifier): void {
  for (const [key, below] of Object.entries(tree)) {
    if (key === '__compat') continue
    // As the package's schema says: below a name stand its statement and its members.
    const feature = below as Identifier
    const { __compat: statement } = feature
    const name = key.replace(/_(?:static|event)$/, '')
    known.set(name, [...(known.get(name) ?? []), statement])
    collect(feature)
  }
}

/** Names of the platform that a script uses, has not given to something of its own, and that are too young wherever they are. */
function unknownNames(program: Program): string[] {
  const own = new Set<string>()
  const used = new Set<string>()
  full(program, (node: AnyNode, _, type) => {
    if (node.type === 'Identifier' && type === 'VariablePattern') own.add(node.name)
    if (node.type === 'ImportSpecifier') own.add(node.local.name)
    if (node.type === 'Identifier') used.add(node.name)
    if (node.type === 'MemberExpression' && !node.computed && node.property.type === 'Identifier')
      used.add(node.property.name)
    if ((node.type === 'Property' || node.type === 'MethodDefinition') && node.key.type === 'Identifier')
      own.add(node.key.name)
  })
  return [...used].filter((name) => !own.has(name) && name.length > 1 && isTooYoung(known.get(name)))
}

function isTooYoung(places: readonly (CompatStatement | undefined)[] | undefined): boolean {
  const stated = places?.filter((place) => place !== undefined) ?? []
  return stated.length > 0 && stated.length === places?.length && !stated.some(isInAll)
}

function isInAll({ support }: CompatStatement): boolean {
  return Object.entries(oldestBrowsers).every(([browser, oldest]) => {
    // The names are the data's own.
    const given = support[browser as keyof typeof oldestBrowsers]
    return [given ?? []].flat().some(({ version_added: since, flags, partial_implementation: isPartial }) => {
      return typeof since === 'string' && !flags && !isPartial && parseFloat(since.replace('≤', '')) <= Number(oldest)
    })
  })
}
