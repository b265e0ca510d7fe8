import { expect, test } from 'vitest'
import { minorAmount, paypalMoney } from './amounts.ts'

test.for([
  [1_999, 'USD', '19.99'],
  [5, 'EUR', '0.05'],
  [100, 'EUR', '1.00'],
  [1_500, 'JPY', '1500'],
  [150_000, 'HUF', '1500'],
  [150_000, 'TWD', '1500'],
  [150_001, 'HUF', null],
  [1_234, 'KWD', null],
  [1_500, 'ISK', null],
] as const)('%d %s are %s at PayPal, and the same on the way back', ([amount, currency, value]) => {
  const written = paypalMoney(amount, currency)
  expect(written).toEqual(value === null ? null : { currencyCode: currency, value })
  if (written !== null) expect(minorAmount(written)).toBe(amount)
})
