import { expect, test } from 'vitest'
import { canonicalJson, isObject } from './json.ts'

test('a JSON object is neither null nor an array', () => {
  expect([{}, { a: 1 }].map(isObject)).toEqual([true, true])
  expect([null, [], 'a', 1, undefined].map(isObject)).toEqual([false, false, false, false, false])
})

test('canonical text ignores the order of names at any depth, but not that of items', () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}')
  expect(canonicalJson([2, 1])).not.toBe(canonicalJson([1, 2]))
})
