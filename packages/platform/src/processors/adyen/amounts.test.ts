import { expect, test } from 'vitest'
import { adyenAmount, minorAmount } from './amounts.ts'

test.for([
  [1_999, 'USD', 1_999],
  [1_500, 'JPY', 1_500],
  [1_234, 'KWD', 1_234],
  [1_500, 'ISK', 150_000],
  [1_500, 'CLP', 150_000],
  [1_500, 'IDR', 15],
  [1_500, 'CVE', 15],
  [1_501, 'IDR', null],
] as const)('%d %s are %s at Adyen, and the same on the way back', ([amount, currency, value]) => {
  const written = adyenAmount(amount, currency)
  expect(written).toEqual(value === null ? null : { value, currency })
  if (written !== null) expect(minorAmount(written)).toBe(amount)
})
