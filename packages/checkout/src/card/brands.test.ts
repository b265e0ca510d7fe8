import { expect, test } from 'vitest'
import { brandOf } from './brands.ts'

test.each([
  ['4', 'visa'],
  ['51', 'mastercard'],
  ['2221', 'mastercard'],
  ['2720', 'mastercard'],
  ['34', 'amex'],
  ['6011', 'discover'],
  ['644', 'discover'],
  ['36', 'diners'],
  ['305', 'diners'],
  ['3528', 'jcb'],
  ['3589', 'jcb'],
  ['62', 'unionpay'],
  ['8171', 'unionpay'],
  ['50', 'maestro'],
  ['6304', 'maestro'],
  ['6759', 'maestro'],
])('%s begins a number of %s', (digits, name) => {
  expect(brandOf(digits).name).toBe(name)
})

test.each(['', '5', '2', '2220', '2721', '306', '3527', '3590', '1', '9'])('%j names no brand', (digits) => {
  expect(brandOf(digits).name).toBe('unknown')
})

test('a security code has four digits on American Express and three elsewhere', () => {
  expect(brandOf('3782').cvcLengths).toEqual([4])
  expect(brandOf('4242').cvcLengths).toEqual([3])
})
