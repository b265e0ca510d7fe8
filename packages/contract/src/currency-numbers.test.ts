import { expect, test } from 'vitest'
import { currencyExponent, currencyNumber, currencyOfNumber } from './currencies.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const currencies = letters
  .flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)))
  .filter((code) => currencyExponent(code) !== null)

test('every current currency has a number that leads back to it', () => {
  for (const code of currencies) {
    const number = currencyNumber(code)
    expect(number, code).toMatch(/^\d{3}$/)
    expect(currencyOfNumber(number ?? ''), code).toBe(code === 'ANG' ? 'XCG' : code)
  }
})

test('a number leads only to current currencies', () => {
  const found = Array.from({ length: 1_000 }, (_, n) => currencyOfNumber(String(n).padStart(3, '0')))
  const named = found.filter((code) => code !== null)
  expect(named).toHaveLength(currencies.length - 1) // ANG and XCG share 532
  for (const code of named) expect(currencies).toContain(code)
})

test.for([
  ['USD', '840'],
  ['EUR', '978'],
  ['JPY', '392'],
  ['ALL', '008'],
  ['KWD', '414'],
  ['BYN', '933'],
])('%s is %s', ([code = '', number]) => {
  expect(currencyNumber(code)).toBe(number)
})

test.for(['', 'usd', 'XXX', '840', 'toString'])('%j is not a currency', (code) => {
  expect(currencyNumber(code)).toBeNull()
})
