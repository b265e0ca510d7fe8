import { expect, test } from 'vitest'
import { parseExpiry } from './parse-expiry.ts'

const june2026 = Date.UTC(2026, 5, 15)

test('two and four digits of the year mean the same', () => {
  const december2030 = { outcome: 'valid', month: 12, year: 2030 }
  expect(parseExpiry('12 / 30', june2026)).toEqual(december2030)
  expect(parseExpiry('12 / 2030', june2026)).toEqual(december2030)
})

test('a card is good to the end of its month in the last time zone', () => {
  expect(parseExpiry('06 / 26', Date.UTC(2026, 6, 1, 11, 59)).outcome).toBe('valid')
  expect(parseExpiry('06 / 26', Date.UTC(2026, 6, 1, 12)).outcome).toBe('expired')
  expect(parseExpiry('12 / 25', june2026).outcome).toBe('expired')
})

test.each([
  ['', 'required'],
  ['1', 'incomplete'],
  ['12 / 3', 'incomplete'],
  ['12 / 203', 'incomplete'],
  ['13 / 30', 'invalid'],
  ['00 / 30', 'invalid'],
  ['12 / 77', 'invalid'],
  ['12 / 76', 'valid'],
])('%j is %s in 2026', (text, outcome) => {
  expect(parseExpiry(text, june2026).outcome).toBe(outcome)
})
