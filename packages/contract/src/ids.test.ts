import fc from 'fast-check'
import { expect, test } from 'vitest'
import { idPrefixes, IDS_END_MS, idsFrom, ownId, reference, timeOfId } from './ids.ts'

test('the prefixes of ids are unique', () => {
  expect(new Set(Object.values(idPrefixes)).size).toBe(Object.keys(idPrefixes).length)
})

test.for(['a', 'Tote-1_b', 'x'.repeat(64)])('%s is accepted as the id of a new object', (id) => {
  expect(ownId.parse(id)).toBe(id)
})

test.for(['', 'x'.repeat(65), 'a b', 'a/b', 'a.b', 'ü', 'a\n', '../a'])(
  '%j is refused as the id of a new object',
  (id) => {
    expect(ownId.safeParse(id).success).toBe(false)
  },
)

test('a reference can be any string of up to 128 characters: an impossible id is simply not found', () => {
  expect(reference.safeParse('any thing/ü').success).toBe(true)
  expect(reference.safeParse('').success).toBe(false)
  expect(reference.safeParse('x'.repeat(129)).success).toBe(false)
})

test('the ids from a time on are exactly those made then or later, and each tells its own', () => {
  const timeMs = fc.integer({ min: 0, max: IDS_END_MS })
  const nearMs = fc
    .tuple(timeMs, fc.integer({ min: -2, max: 2 }))
    .map(([ms, by]) => [ms, Math.min(Math.max(0, ms + by), IDS_END_MS)] as const)
  fc.assert(
    fc.property(fc.oneof(fc.tuple(timeMs, timeMs), nearMs), ([fromMs, madeMs]) => {
      const id = `${idsFrom('evt', madeMs)}4sQm9ZtKcWfH2d`
      expect(id >= idsFrom('evt', fromMs)).toBe(madeMs >= fromMs)
      expect(timeOfId(id)).toBe(madeMs)
    }),
  )
})

test.for(['', 'evt_', 'evt_0Vb', 'latest', 'prod-0VbVJmlc'])('%j tells no time', (id) =>
  expect(timeOfId(id)).toBe(null),
)
