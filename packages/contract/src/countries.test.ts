import { expect, test } from 'vitest'
import { countryNumber } from './countries.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const countries = letters.flatMap((a) => letters.map((b) => a + b)).filter((code) => countryNumber(code) !== null)

test('every country of ISO 3166-1 has a unique number', () => {
  expect(countries).toHaveLength(249)
  expect(new Set(countries.map(countryNumber)).size).toBe(249)
})

test('the runtime knows the same numbers', () => {
  for (const code of countries) expect(new Intl.Locale(`und-${countryNumber(code)}`).region).toBe(code)
})

test('a number is returned unchanged, with its leading zeros', () => {
  for (const number of ['276', '840', '004']) expect(countryNumber(number)).toBe(number)
})

test.for(['', 'de', 'DEU', 'XX', 'EU', '4', '000', '999', ' DE', '2760'])('%j is not a country', (code) => {
  expect(countryNumber(code)).toBeNull()
})
