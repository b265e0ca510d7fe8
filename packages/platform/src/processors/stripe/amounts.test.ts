import { expect, test } from 'vitest'
import { stripeAmounts } from './amounts.ts'

test.for([
  [1_999, 'USD', 1_999],
  [1_500, 'JPY', 1_500],
  [1_500, 'ISK', 150_000],
  [5, 'UGX', 500],
  [12_300, 'MGA', 123],
  [12_345, 'MGA', null],
  [1_230, 'KWD', 1_230],
  [1_234, 'KWD', null],
] as const)('%i %s is %s at Stripe, and the same on the way back', ([amount, currency, expected]) => {
  expect(stripeAmounts.write(amount, currency)).toBe(expected)
  if (expected !== null) expect(stripeAmounts.read(expected, currency)).toBe(amount)
})
