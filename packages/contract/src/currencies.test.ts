import { expect, test } from 'vitest'
import { currencyExponent, currencyNumber, currencyOfNumber } from './currencies.ts'

const exponents: readonly [exponent: number, codes: string][] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'],
  [2, 'USD EUR GBP CHF CAD AUD NZD SEK NOK DKK PLN CZK HUF BRL MXN INR CNY SGD HKD ZAR AED TWD THB'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
]

test.for(exponents)('an amount has %i decimals in %s', ([exponent, codes]) => {
  for (const code of codes.split(' ')) expect(currencyExponent(code), code).toBe(exponent)
})

test.for(['usd', 'US', 'USDT', 'XXX', 'DEM', '', ' USD', 'toString'])('%j is not a currency', (code) => {
  expect(currencyExponent(code)).toBeNull()
})

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
