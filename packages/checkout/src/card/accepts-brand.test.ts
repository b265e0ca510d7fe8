import { expect, test } from 'vitest'
import { acceptsBrand } from './accepts-brand.ts'

test('a shop that says nothing takes every brand, known or not', () => {
  expect(acceptsBrand('visa', {})).toBe(true)
  expect(acceptsBrand('unknown', {})).toBe(true)
})

test('a shop that names what it takes refuses the rest, unknown brands included', () => {
  expect(acceptsBrand('visa', { allowed: ['visa', 'elo'] })).toBe(true)
  expect(acceptsBrand('amex', { allowed: ['visa', 'elo'] })).toBe(false)
  expect(acceptsBrand('unknown', { allowed: ['visa', 'elo'] })).toBe(false)
  expect(acceptsBrand('visa', { allowed: [] })).toBe(false)
})

test('a blocked brand is refused even where it is allowed, and only that one', () => {
  expect(acceptsBrand('visa', { blocked: ['visa'] })).toBe(false)
  expect(acceptsBrand('visa', { allowed: ['visa'], blocked: ['visa'] })).toBe(false)
  expect(acceptsBrand('amex', { blocked: ['visa'] })).toBe(true)
  expect(acceptsBrand('unknown', { blocked: ['visa'] })).toBe(true)
})
