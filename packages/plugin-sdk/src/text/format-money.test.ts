import { currencyExponent } from '@tillwright/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { directionOf } from './direction-of.ts'
import { formatMoney } from './format-money.ts'

const currencies = Intl.supportedValuesOf('currency').filter((code) => currencyExponent(code) !== null)

test('every amount is shown to the last minor unit, with the decimals of ISO 4217', () => {
  expect(currencies.length).toBeGreaterThan(120)
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e15 }), fc.constantFrom(...currencies), (amount, currency) => {
      const shown = formatMoney(amount, currency, 'en-US')
        .replace(/[^\d.]/g, '')
        .replace(/^\.+/, '')
      const decimals = currencyExponent(currency) ?? 0
      expect(shown.split('.')[1]?.length ?? 0).toBe(decimals)
      expect(Number(shown.replace('.', ''))).toBe(amount)
    }),
  )
})

test.each([
  [199_900, 'EUR', 'de', '1.999,00 €'],
  [1_999, 'JPY', 'en', '¥1,999'],
  [1_999, 'KWD', 'en', 'KWD 1.999'],
  [-500, 'USD', 'en', '-$5.00'],
  [1_999, 'LBP', 'en', 'LBP 19.99'],
])('%i of %s in %s is %s', (...[amount, currency, locale, shown]) => {
  expect(formatMoney(amount, currency, locale).replaceAll('\u00a0', ' ')).toBe(shown)
})

test('in a text that runs from right to left an amount ends with a mark that holds its currency together', () => {
  for (const locale of ['ar', 'he']) expect(formatMoney(1_999, 'USD', locale)).toMatch(/\u200e$/)
  expect(formatMoney(1_999, 'USD', 'en')).not.toContain('\u200e')
})

test('its currency stands on the same side of an amount below zero', () => {
  for (const amount of [1_999, -1_999])
    expect(formatMoney(amount, 'USD', 'ar')).toMatch(/19\.99\u200f\u00a0US\$\u200e$/)
})

test.each([
  ['ar-EG', 'rtl'],
  ['he', 'rtl'],
  ['ur', 'rtl'],
  ['az-Arab', 'rtl'],
  ['de-AT', 'ltr'],
  ['zh', 'ltr'],
] as const)('%s is written %s', (tag, direction) => {
  expect(directionOf(tag)).toBe(direction)
})
