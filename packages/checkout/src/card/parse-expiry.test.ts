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
  ['12 / 47', 'invalid'],
  ['12 / 2047', 'invalid'],
  ['12 / 46', 'valid'],
  ['12 / 99', 'invalid'],
  ['12 / 1930', 'expired'],
  ['12 / 0030', 'expired'],
])('%j is %s in 2026', (text, outcome) => {
  expect(parseExpiry(text, june2026).outcome).toBe(outcome)
})

test.each(['1/34', '0134', '01/2034', '1 / 34', '1-2034', '2034-01', '01.34', '٠١/٣٤', '０１ / ３４'])(
  '%s is January 2034',
  (text) => {
    expect(parseExpiry(text, june2026)).toEqual({ outcome: 'valid', month: 1, year: 2034 })
  },
)

test('the furthest year moves on when the new year begins in the first time zone', () => {
  const newYear = Date.UTC(2026, 11, 31, 10) // Kiritimati is 14 hours ahead
  expect(parseExpiry('01 / 47', newYear - 1).outcome).toBe('invalid')
  expect(parseExpiry('01 / 47', newYear).outcome).toBe('valid')
})

test('a card of December outlives the year by half a day', () => {
  expect(parseExpiry('12 / 26', Date.UTC(2027, 0, 1, 12) - 1).outcome).toBe('valid')
  expect(parseExpiry('12 / 26', Date.UTC(2027, 0, 1, 12)).outcome).toBe('expired')
})

test('every month from this one to December in twenty years is good, and no other', () => {
  for (let index = 2020 * 12; index < 2052 * 12; index += 1) {
    const [year, month] = [Math.floor(index / 12), (index % 12) + 1]
    const text = `${String(month).padStart(2, '0')} / ${year}`
    const isGood = index >= 2026 * 12 + 5 && year <= 2046
    expect(parseExpiry(text, june2026).outcome === 'valid', text).toBe(isGood)
  }
})
