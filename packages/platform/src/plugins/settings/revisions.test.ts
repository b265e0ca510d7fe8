import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalHash } from './revisions.ts'

test('the order of names does not matter, at any depth; the order of a list does', () => {
  expect(canonicalHash({ a: 1, b: { c: 2, d: [3] } })).toBe(canonicalHash({ b: { d: [3], c: 2 }, a: 1 }))
  expect(canonicalHash({ a: [1, 2] })).not.toBe(canonicalHash({ a: [2, 1] }))
})

test('other values have other hashes, the same have the same', () => {
  const json = fc.jsonValue({ maxDepth: 3 })
  fc.assert(
    fc.property(json, json, (a, b) => {
      const same = isSame(a, b)
      expect(canonicalHash(a) === canonicalHash(b)).toBe(same)
      expect(canonicalHash(structuredClone(a))).toBe(canonicalHash(a))
    }),
  )
})

function isSame(a: unknown, b: unknown): boolean {
  try {
    // JSON does not know -0.
    expect(JSON.parse(JSON.stringify(a))).toEqual(JSON.parse(JSON.stringify(b)))
    return true
  } catch {
    return false
  }
}
