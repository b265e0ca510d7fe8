import { expect, test } from 'vitest'
import { freeForm } from './free-form.ts'

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, null]))

test('a free-form object keeps whatever JSON it holds', () => {
  const object = { a: [1, { b: null }], 'ü-1': 'text', c: { d: { e: true } } }
  expect(freeForm.parse(object)).toEqual(object)
  expect(freeForm.safeParse(keys(100)).success).toBe(true)
  expect(freeForm.safeParse({ a: 'x'.repeat(19_992) }).success).toBe(true)
})

test.for([
  ['a list', []],
  ['text', 'x'],
  ['null', null],
  ['101 keys', keys(101)],
  ['an empty key', { '': 1 }],
  ['a key of 65 characters', { ['k'.repeat(65)]: 1 }],
  ['20,001 characters', { a: 'x'.repeat(19_993) }],
] as const)('%s is no free-form object', ([, value]) => {
  expect(freeForm.safeParse(value).success).toBe(false)
})
