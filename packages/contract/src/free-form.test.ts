import { expect, test } from 'vitest'
import { freeForm, smallFreeForm } from './free-form.ts'

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, null]))

test('a free-form object keeps any JSON', () => {
  const object = { a: [1, { b: null }], 'ü-1': 'text', c: { d: { e: true } } }
  expect(freeForm.parse(object)).toEqual(object)
  expect(smallFreeForm.parse(object)).toEqual(object)
  expect(freeForm.safeParse(keys(1_000)).success).toBe(true)
  expect(smallFreeForm.safeParse(keys(100)).success).toBe(true)
  expect(smallFreeForm.safeParse({ a: 'x'.repeat(19_992) }).success).toBe(true)
})

test.for([
  ['a list', []],
  ['text', 'x'],
  ['null', null],
  ['1,001 keys', keys(1_001)],
  ['a key of 256 characters', { ['k'.repeat(256)]: 1 }],
] as const)('%s is not a free-form object', ([, value]) => {
  expect(freeForm.safeParse(value).success).toBe(false)
})

test.for([
  ['101 keys', keys(101)],
  ['20,001 characters', { a: 'x'.repeat(19_993) }],
] as const)('%s is not a small free-form object', ([, value]) => {
  expect(smallFreeForm.safeParse(value).success).toBe(false)
})
