import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { passesLuhn } from './card-rules.ts'

const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 11, maxLength: 18 })

test('a published test card passes, and the next number does not', () => {
  expect(passesLuhn('4242424242424242')).toBe(true)
  expect(passesLuhn('4242424242424243')).toBe(false)
})

test('exactly one of the ten possible check digits is correct', () => {
  fc.assert(
    fc.property(digits, (body) => {
      const right = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].filter((check) => passesLuhn([...body, check].join('')))
      expect(right).toHaveLength(1)
    }),
  )
})

test('any single mistyped digit is detected', () => {
  fc.assert(
    fc.property(digits, fc.nat(), fc.integer({ min: 1, max: 9 }), (body, place, shift) => {
      const check = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].find((digit) => passesLuhn([...body, digit].join('')))
      const index = place % body.length
      const mistyped = body.map((digit, at) => (at === index ? (digit + shift) % 10 : digit))
      expect(passesLuhn([...mistyped, check].join(''))).toBe(false)
    }),
  )
})
