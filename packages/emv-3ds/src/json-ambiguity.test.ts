import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findJsonAmbiguity } from './json-ambiguity.ts'

test('a duplicate name in an object is found, however it is escaped and wherever it is', () => {
  const found = { kind: 'repeated_name', name: 'b' }
  for (const text of ['{"b":1,"b":2}', String.raw`{"b":1,"\u0062":2}`, '{"a":[{"b":1, "b" : {}}]}']) {
    expect(findJsonAmbiguity(text, { maxDepth: 8 }), text).toEqual(found)
  }
})

test.for([
  ['{"__proto__":1}', 'prototype_name'],
  ['[[[]]]', 'too_deep'],
  ['{"a":1e999}', 'inexact_number'],
  ['12345678901234567890', 'inexact_number'],
] as const)('%s is detected', ([text, kind]) => {
  expect(findJsonAmbiguity(text, { maxDepth: 2 })).toEqual({ kind })
})

test('nothing is found in the output of JSON.stringify for plain values', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const text = JSON.stringify(value)
      fc.pre(!text.includes('__proto__') && !/\d{16}/.test(text))
      expect(findJsonAmbiguity(text, { maxDepth: 64 })).toBeNull()
    }),
  )
})

test('every value counts as one, and names do not count', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1), (value, space) => {
      const text = JSON.stringify(value, null, space)
      fc.pre(!text.includes('__proto__') && !/\d{16}/.test(text))
      const maxValues = countOf(value)
      expect(findJsonAmbiguity(text, { maxDepth: 64, maxValues })).toBeNull()
      expect(findJsonAmbiguity(text, { maxDepth: 64, maxValues: maxValues - 1 })).toEqual({ kind: 'too_many_values' })
    }),
  )
})

function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, inner) => sum + countOf(inner), 1)
}
