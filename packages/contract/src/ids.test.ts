import { expect, test } from 'vitest'
import { idPrefixes, ownId, reference } from './ids.ts'

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
