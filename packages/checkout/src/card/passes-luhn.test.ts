import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { passesLuhn } from './passes-luhn.ts'

const valid = ['4242424242424242', '378282246310005', '36227206271667', '6759649826438453', '4222222222222']

test.each(valid)('%s passes', (digits) => {
  expect(passesLuhn(digits)).toBe(true)
})

test('one wrong digit anywhere is found', () => {
  const mistakes = fc.record({ digits: fc.constantFrom(...valid), at: fc.nat(12), by: fc.integer({ min: 1, max: 9 }) })
  fc.assert(
    fc.property(mistakes, ({ digits, at, by }) => {
      const wrong = (Number(digits[at]) + by) % 10
      expect(passesLuhn(digits.slice(0, at) + wrong + digits.slice(at + 1))).toBe(false)
    }),
  )
})
