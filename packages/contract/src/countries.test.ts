import { expect, test } from 'vitest'
import { countryNumber } from './countries.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const countries = letters.flatMap((a) => letters.map((b) => a + b)).filter((code) => countryNumber(code) !== null)

test('every country of ISO 3166-1 has a number, and no two have the same', () => {
  expect(countries).toHaveLength(249)
  expect(new Set(countries.map(countryNumber)).size).toBe(249)
})

test('the numbers are those that the runtime knows the countries by', () => {
  for (const code of countries) expect(new Intl.Locale(`und-${countryNumber(code)}`).region).toBe(code)
})

test('a number stands for itself, with its leading zeros', () => {
  for (const number of ['276', '840', '004']) expect(countryNumber(number)).toBe(number)
})

test.for(['', 'de', 'DEU', 'XX', 'EU', '4', '000', '999', ' DE', '2760'])('%j is no country', (code) => {
  expect(countryNumber(code)).toBeNull()
})
