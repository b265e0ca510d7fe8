import { expect, test } from 'vitest'
import { currencyExponent } from './currencies.ts'

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
