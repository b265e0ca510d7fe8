import { expect, test } from 'vitest'
import { canonicalJson, isObject } from './json.ts'

test('an object of JSON is neither null nor a list', () => {
  expect([{}, { a: 1 }].map(isObject)).toEqual([true, true])
  expect([null, [], 'a', 1, undefined].map(isObject)).toEqual([false, false, false, false, false])
})

test('the order of names does not matter to a canonical text, at any depth, and that of items does', () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}')
  expect(canonicalJson([2, 1])).not.toBe(canonicalJson([1, 2]))
})
