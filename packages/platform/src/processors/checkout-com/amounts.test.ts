import { expect, test } from 'vitest'
import { checkoutAmounts } from './amounts.ts'

test.for([
  [1_999, 'USD', 1_999],
  [1_500, 'JPY', 1_500],
  [1_500, 'ISK', 1_500],
  [1_500, 'CLP', 150_000],
  [1_230, 'KWD', 1_230],
  [1_231, 'KWD', null],
  [999_999_999, 'USD', 999_999_999],
  [1_000_000_000, 'USD', null],
] as const)('%d %s are %s at Checkout.com, and the same on the way back', ([amount, currency, written]) => {
  expect(checkoutAmounts.write(amount, currency)).toBe(written)
  if (written !== null) expect(checkoutAmounts.read(written, currency)).toBe(amount)
})
