import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkAddress } from './check-address.ts'
import { countries, formatOf, knownCountries, subdivisionsOf } from './regions.ts'

test('every country has an address that can be filled in, with each field once', () => {
  for (const country of countries) {
    const { rows, required } = formatOf(country)
    const fields = rows.flat()
    expect(new Set(fields).size, country).toBe(fields.length)
    expect([...required].filter((field) => !fields.includes(field))).toEqual([])
    expect(fields).toEqual(expect.arrayContaining(['firstName', 'lastName', 'line1', 'line2']))
  }
})

test('countries are distinct, those that are known are among them, and there are some fifty of these', () => {
  expect(new Set(countries).size).toBe(246) // all of ISO 3166-1 but those without inhabitants
  expect(knownCountries.filter((country) => !countries.includes(country))).toEqual([])
  expect(knownCountries.length).toBeGreaterThanOrEqual(40)
})

test('the example of a postal code fits its country', () => {
  for (const country of knownCountries) {
    const { postal } = formatOf(country)
    expect(postal.pattern === null || postal.pattern.test(postal.example), country).toBe(true)
  }
})

test('a country asks for a state by list where there is one, with distinct codes', () => {
  for (const country of countries) {
    const codes = subdivisionsOf(country).map(({ code }) => code)
    expect(formatOf(country).hasStateList, country).toBe(codes.length > 0)
    expect(new Set(codes).size).toBe(codes.length)
  }
  expect(subdivisionsOf('US')).toContainEqual({ code: 'NH', name: 'New Hampshire' })
})

test('an address is right when all that is required is there and the code has the form of the country', () => {
  const address = { firstName: 'Ada', lastName: 'Byrne', line1: '1 High Street', city: 'Bath' }
  const check = (postalCode: string) => [...checkAddress({ ...address, postalCode }, formatOf('GB'))]
  expect(check('ba1 1aa')).toEqual([])
  expect(check(' BA11AA ')).toEqual([])
  expect(check('')).toEqual([['postalCode', 'needed']])
  expect(check('12345')).toEqual([['postalCode', 'postalWrong']])
  expect([...checkAddress({}, formatOf('HK')).keys()]).toEqual(['firstName', 'lastName', 'line1', 'city'])
})

test('whatever is typed, a complaint is about a field that the country has', () => {
  const typed = fc.record({ line1: fc.string(), postalCode: fc.string(), city: fc.string({ maxLength: 400 }) })
  fc.assert(
    fc.property(fc.constantFrom(...countries), typed, (country, address) => {
      const format = formatOf(country)
      const names = [...checkAddress(address, format).keys()]
      expect(names.filter((name) => !format.rows.flat().includes(name))).toEqual([])
    }),
  )
})
