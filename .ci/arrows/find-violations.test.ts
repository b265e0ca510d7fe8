import { expect, test } from 'vitest'
import { findViolations } from './find-violations.ts'
import type { KnownCircle } from './table.ts'

/** `path:line rule` of each violation in these files. */
function rulesBroken(files: Record<string, string>, knownCircles: readonly KnownCircle[] = []): string[] {
  const violations = findViolations(Object.entries(files), knownCircles)
  return violations.map(({ path, line, rule }) => `${path}:${line} ${rule}`)
}

test('a package may import what its arrows lead to, and node', () => {
  const source = `import { readFile } from 'node:fs/promises'\nimport { contract } from '@tillwright/contract'\n`
  expect(rulesBroken({ 'packages/client/src/call.ts': source })).toEqual([])
})

test('a package may not import against the arrows', () => {
  expect(rulesBroken({ 'packages/contract/src/a.ts': `\nimport '@tillwright/client'` })).toEqual([
    'packages/contract/src/a.ts:2 packages/contract may not import client',
  ])
})

test.each([
  `export * from '@tillwright/cli'`,
  `export { a } from '@tillwright/cli'`,
  `const cli = await import('@tillwright/cli')`,
  `import type { A } from '@tillwright/cli'`,
  `const file = import.meta.resolve('@tillwright/cli')`,
])('an arrow cannot be avoided by %s', (source) => {
  expect(rulesBroken({ 'packages/contract/src/a.ts': source })).toHaveLength(1)
})

test('the checkout uses the contract as types only', () => {
  expect(
    rulesBroken({
      'packages/checkout/src/a.ts': `import type { Money } from '@tillwright/contract'`,
      'packages/checkout/src/b.ts': `import { type Money } from '@tillwright/contract'`,
      'packages/checkout/src/c.ts': `import { type Money, money } from '@tillwright/contract'`,
    }),
  ).toEqual(['packages/checkout/src/c.ts:1 packages/checkout may use contract as types only'])
})

test('of the contract the checkout runs the subpaths that are light', () => {
  expect(
    rulesBroken({
      'packages/checkout/src/a.ts': `import { networksOf } from '@tillwright/contract/networks'`,
      'packages/checkout/src/b.ts': `import { hashOf } from '@tillwright/contract/inline-hashes'`,
    }),
  ).toEqual(['packages/checkout/src/b.ts:1 packages/checkout may use contract as types only'])
})

test('the platform loads an optional package by import() alone', () => {
  expect(
    rulesBroken({
      'packages/platform/src/a.ts': `const simulator = await import('@tillwright/bank-simulator')`,
      'packages/platform/src/b.ts': `import type { A } from '@tillwright/bank-simulator'`,
    }),
  ).toEqual(['packages/platform/src/b.ts:1 packages/platform may not import bank-simulator'])
})

test('the platform serves built files of the checkout and runs none of its code', () => {
  expect(
    rulesBroken({
      'packages/platform/src/vault/a.ts': `import.meta.resolve('@tillwright/checkout/dist/card.html')`,
      'packages/platform/src/vault/b.ts': `import '@tillwright/checkout'`,
    }),
  ).toEqual(['packages/platform/src/vault/b.ts:1 packages/platform may not import checkout'])
})

test('a package brings along only the npm packages that its row names', () => {
  const source = `import { z } from 'zod/mini'\nimport merge from '@scope/merge/deep'`
  expect(rulesBroken({ 'packages/contract/src/a.ts': source })).toEqual([
    "packages/contract/src/a.ts:2 packages/contract may not bring '@scope/merge' along",
  ])
})

test('a package without a row may import nothing from outside', () => {
  expect(rulesBroken({ 'packages/new/src/a.ts': `import 'zod'` })).toEqual([
    'packages/new/src/a.ts:1 packages/new has no arrows',
  ])
})

test('no file passes on what another package owns', () => {
  expect(rulesBroken({ 'packages/client/src/index.ts': `export { money } from '@tillwright/contract'` })).toEqual([
    "packages/client/src/index.ts:1 passes on '@tillwright/contract'",
  ])
})

test('another package is imported by its name, not by its path', () => {
  expect(rulesBroken({ 'packages/client/src/a.ts': `import '../../contract/src/money.ts'` })).toEqual([
    'packages/client/src/a.ts:1 reaches out of packages/client into packages/contract/src/money.ts',
  ])
})

test('inside the platform a room imports from the rooms before it alone', () => {
  const source = `import '../vault/index.ts'`
  expect(
    rulesBroken({
      'packages/platform/src/payments/a.ts': source,
      'packages/platform/src/http/a.ts': source,
      'packages/platform/src/catalog/a.ts': source,
    }),
  ).toEqual(['packages/platform/src/catalog/a.ts:1 src/catalog may not import src/vault'])
})

test('inside the platform siblings do not know each other', () => {
  expect(rulesBroken({ 'packages/platform/src/accounts/a.ts': `import '../catalog/index.ts'` })).toEqual([
    'packages/platform/src/accounts/a.ts:1 src/accounts may not import src/catalog',
  ])
})

test('other rooms of the platform see the face of a folder only', () => {
  expect(rulesBroken({ 'packages/platform/src/payments/a.ts': `import '../vault/cards.ts'` })).toEqual([
    'packages/platform/src/payments/a.ts:1 reaches behind src/vault/index.ts',
  ])
})

test('a new folder of the platform needs a row', () => {
  expect(rulesBroken({ 'packages/platform/src/new/a.ts': `import '../runtime/index.ts'` })).toEqual([
    'packages/platform/src/new/a.ts:1 src/new has no arrows',
  ])
})

test('a relative import carries its extension, in tests too', () => {
  expect(rulesBroken({ 'packages/client/src/a.test.ts': `import './a'` })).toEqual([
    "packages/client/src/a.test.ts:1 './a' has no extension",
  ])
})

test('tests may import anything, and nothing else may import what is for tests', () => {
  const source = `import '@tillwright/platform'\nimport 'fast-check'\nimport './testing/start.ts'`
  expect(rulesBroken({ 'packages/client/src/a.test.ts': source, 'packages/client/src/testing/b.ts': source })).toEqual(
    [],
  )
  expect(rulesBroken({ 'packages/client/src/a.ts': `import './testing/start.ts'` })).toEqual([
    'packages/client/src/a.ts:1 imports packages/client/src/testing/start.ts, which is for tests',
  ])
  expect(rulesBroken({ 'packages/client/src/a.ts': `import '../test/start.ts'` })).toEqual([
    'packages/client/src/a.ts:1 imports packages/client/test/start.ts, which is for tests',
  ])
})

test('index.ts only re-exports', () => {
  const source = `export { a } from './a.ts'\nexport * from './b.ts'\nexport const c = 1`
  expect(rulesBroken({ 'packages/client/src/index.ts': source })).toEqual([
    'packages/client/src/index.ts:3 index.ts is the face of its package and only re-exports',
  ])
})

test('only the CLI and programs print and exit', () => {
  const source = `console.log(1)\nprocess.exit(1)\nprocess.stdout.write('')\nprocess.on('exit', () => {})`
  expect(
    rulesBroken({
      'packages/cli/src/print.ts': source,
      'packages/platform/src/main.ts': source,
      'apps/demo-shop/src/server.ts': source,
      'packages/client/src/a.ts': source,
    }).map((line) => line.replace(/: only.*/, '')),
  ).toEqual([
    'packages/client/src/a.ts:1 console.log',
    'packages/client/src/a.ts:2 process.exit',
    'packages/client/src/a.ts:3 process.stdout',
  ])
})

test('a circle of imports is found, once, with its way', () => {
  expect(
    rulesBroken({
      'packages/client/src/a.ts': `import './b.ts'`,
      'packages/client/src/b.ts': `import './c.ts'`,
      'packages/client/src/c.ts': `\nimport type { A } from './b.ts'`,
    }),
  ).toEqual([
    'packages/client/src/c.ts:2 import circle packages/client/src/b.ts -> packages/client/src/c.ts -> packages/client/src/b.ts',
  ])
})

/** Files without a circle between them, whose folders import each other. */
const roomsInCircle = {
  'packages/client/src/read/a.ts': `import './b.ts'\nimport { c } from '../send/c.ts'`,
  'packages/client/src/read/b.ts': '',
  'packages/client/src/send/c.ts': '',
  'packages/client/src/send/d.ts': `import type { E } from '../wait.ts'`,
  'packages/client/src/wait.ts': `import { b } from './read/b.ts'`,
}

test('folders and the files next to them form no circle, and the message names an import for each step of it', () => {
  expect(rulesBroken(roomsInCircle)).toEqual([
    [
      'packages/client/src/read/a.ts:2 rooms of packages/client/src import each other in a circle',
      '  read -> send: packages/client/src/read/a.ts:2',
      '  send -> wait.ts: packages/client/src/send/d.ts:1',
      '  wait.ts -> read: packages/client/src/wait.ts:1',
    ].join('\n'),
  ])
})

test('of a knot of rooms the shortest circle is shown, and the other rooms are named', () => {
  const files = { ...roomsInCircle, 'packages/client/src/send/d.ts': `import '../wait.ts'\nimport '../read/b.ts'` }
  expect(rulesBroken(files)[0]).toMatch(/read -> send: .*\n {2}send -> read: .*\n {2}in circles with them: wait\.ts$/)
})

test('a circle between rooms is found at every level, within one package, and not by what tests import', () => {
  expect(
    rulesBroken({
      'packages/client/src/a/b/one/c.ts': `import '../two/d.ts'`,
      'packages/client/src/a/b/two/d.ts': '',
      'packages/client/src/a/b/two/e.ts': `import '../one/f.ts'`,
      'packages/client/src/a/b/one/f.ts': '',
      'packages/cli/src/one/c.ts': `import '../two/d.ts'`,
      'packages/cli/src/two/d.ts': '',
      'packages/cli/src/two/e.test.ts': `import '../one/f.ts'`,
      'packages/cli/src/one/f.ts': '',
    }),
  ).toEqual([expect.stringContaining('rooms of packages/client/src/a/b import each other')])
})

test('a known circle is allowed as long as no other room joins it, and leaves the list when it is gone', () => {
  const circle = { folder: 'packages/client/src', rooms: ['read', 'send', 'wait.ts'] }
  expect(rulesBroken(roomsInCircle, [circle])).toEqual([])
  expect(rulesBroken(roomsInCircle, [{ ...circle, rooms: ['read', 'send'] }])).toEqual([
    expect.stringContaining('import each other in a circle'),
    '.ci/arrows/table.ts:1 packages/client/src has no circle of read, send any more',
  ])
  expect(rulesBroken({ ...roomsInCircle, 'packages/client/src/wait.ts': '' }, [circle])).toEqual([
    '.ci/arrows/table.ts:1 packages/client/src has no circle of read, send, wait.ts any more',
  ])
})

test('a file that does not parse is an error that names it', () => {
  expect(() => rulesBroken({ 'packages/client/src/a.ts': 'import from' })).toThrow(/packages\/client\/src\/a\.ts/)
})
