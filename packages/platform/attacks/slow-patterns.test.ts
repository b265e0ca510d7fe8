import { expect, test } from 'vitest'
import { openAttacker } from '../faults/tenant-attacks.ts'
import { startWatched, STALL_MS } from '../faults/watched-platform.ts'

// A tenant with an account's secret key. They synchronise schemas whose patterns, references or rules take a validator
// that backtracks, or tries everything, longer than clients wait, and so would stop the process for all tenants and
// the vault.

const BACKTRACKS = `${'a'.repeat(40)}!`

test('a pattern that makes other engines backtrack for years is checked at once, and no request waits', async () => {
  const { local, watch, stop } = await startWatched()
  const { syncPattern } = await openAttacker(local)
  const patterns = ['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '^([a-z]+)*[a-z]+$', '(x*x*)*y|^(a+)+$']
  const all = () => Promise.all(patterns.map((pattern) => syncPattern(pattern, BACKTRACKS)))
  const { result, health } = await watch(async () => [...(await all()), ...(await all())])
  for (const { status, body } of result) {
    expect(status).toBe(200)
    expect(body).toMatchObject({ invalid: [{ preset: 'dark', pointer: '/slow' }] })
  }
  expect(health.asked).toBeGreaterThan(0)

  for (const [pattern, rule] of [
    ['^(?=(a+))a*b', 'look ahead or behind'],
    [String.raw`^(a+)\1+$`, 'refer back'],
    ['^(a{1,100}){1,100}$', 'count more than'],
  ] as const) {
    const { status, error } = await syncPattern(pattern, BACKTRACKS)
    expect([status, error.code, error.param]).toEqual([400, 'parameter_invalid', 'schema'])
    expect(error.message).toContain(JSON.stringify(pattern))
    expect(error.message).toContain(rule)
  }
  expect((await stop()).longestMs).toBeLessThan(STALL_MS)
})

/** Compares each of so many objects with each other, forty times. */
const takesTime = {
  schema: { allOf: Array.from({ length: 40 }, () => ({ properties: { many: { uniqueItems: true } } })) },
  presets: { dark: { many: Array.from({ length: 4_000 }, (_, index) => ({ index })) } },
}

/** Follows two references at each of forty steps, and reports what it finds at the end of each way. */
const steps = Array.from({ length: 40 }, (_, step): [string, object] => [
  `step${step + 1}`,
  { allOf: [{ $ref: `#/definitions/step${step}` }, { $ref: `#/definitions/step${step}` }] },
])
const takesMemory = {
  schema: {
    definitions: { step0: { type: 'string' }, ...Object.fromEntries(steps) },
    properties: { a: { $ref: '#/definitions/step40' } },
  },
  presets: { dark: { a: 1 } },
}

test('a schema that takes too much time or memory is stopped and refused, and no request waits meanwhile', async () => {
  const { local, watch, stop } = await startWatched()
  const { sync, syncPattern } = await openAttacker(local)
  const { result } = await watch(async () => [await sync(takesTime), await sync(takesMemory)])
  expect(result.map(({ status, error }) => [status, error.code, error.param])).toEqual([
    [400, 'parameter_invalid', 'schema'],
    [400, 'parameter_invalid', 'schema'],
  ])
  expect(result[0]?.error.message).toContain('longer than 2000 ms')
  expect(result[1]?.error.message).toMatch(/more than 64 MiB|longer than 2000 ms/) // a busy machine is at its time first
  expect((await syncPattern('^#[0-9a-f]{6}$', '#112233')).status).toBe(200)
  expect((await stop()).longestMs).toBeLessThan(STALL_MS)
})
