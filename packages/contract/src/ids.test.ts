import { expect, test } from 'vitest'
import { idPrefixes, ownId, reference } from './ids.ts'

test('no two kinds of ids begin alike', () => {
  expect(new Set(Object.values(idPrefixes)).size).toBe(Object.keys(idPrefixes).length)
})

test.for(['a', 'Tote-1_b', 'x'.repeat(64)])('%s may be the id of a new object', (id) => {
  expect(ownId.parse(id)).toBe(id)
})

test.for(['', 'x'.repeat(65), 'a b', 'a/b', 'a.b', 'ü', 'a\n', '../a'])(
  '%j may not be the id of a new object',
  (id) => {
    expect(ownId.safeParse(id).success).toBe(false)
  },
)

test('a reference may have any form of up to 128 characters: what cannot exist is not found', () => {
  expect(reference.safeParse('any thing/ü').success).toBe(true)
  expect(reference.safeParse('').success).toBe(false)
  expect(reference.safeParse('x'.repeat(129)).success).toBe(false)
})
