import { expect, test } from 'vitest'
import { currencyExponent } from './currencies.ts'
import { currencyFormat, decimalsOf, inMajorUnits } from './decimals.ts'

test.each([
  ['USD', '19.99', '$19.99'],
  ['JPY', '1999', '¥1,999'],
  ['KWD', '1.999', 'KWD\u00A01.999'],
  // Intl has none for these.
  ['HUF', '19.99', 'HUF\u00A019.99'],
  ['COP', '19.99', 'COP\u00A019.99'],
  ['IQD', '1.999', 'IQD\u00A01.999'],
])('an amount in %s has the decimals of ISO 4217', (currency, plain, shown) => {
  expect(inMajorUnits(1_999, currency)).toBe(plain)
  const format = new Intl.NumberFormat('en', currencyFormat(currency))
  expect(format.format(1_999 / 10 ** decimalsOf(currency))).toBe(shown)
})

test('the decimals for pages are those that the platform reckons with', () => {
  for (const currency of Intl.supportedValuesOf('currency')) {
    const exponent = currencyExponent(currency)
    if (exponent !== null) expect(decimalsOf(currency), currency).toBe(exponent)
  }
})
