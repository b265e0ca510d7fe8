import type { OrderLine } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { deferLine } from './price-order.ts'

const recurring = { interval: 'month', intervalCount: 1, billingTiming: 'in_advance', trialDays: 0 } as const
const line: OrderLine = {
  productId: 'p1',
  variantId: 'v1',
  priceId: 'price1',
  name: 'Coffee club',
  quantity: 2,
  unitAmount: 500,
  discountAmount: 100,
  amount: 900,
  deferredAmount: 0,
  recurring,
  promotionId: null,
}

test.for([
  ['is bought once', { ...line, recurring: null }, 7, { amount: 900, deferredAmount: 0 }],
  ['is paid in advance', line, 0, { amount: 900, deferredAmount: 0 }],
  [
    'begins with a trial',
    { ...line, recurring: { ...recurring, trialDays: 7 } },
    0,
    { amount: 0, deferredAmount: 900 },
  ],
  ['is given a trial', line, 7, { amount: 0, deferredAmount: 900 }],
  [
    'is paid in arrears',
    { ...line, recurring: { ...recurring, billingTiming: 'in_arrears' } },
    0,
    { amount: 0, deferredAmount: 900 },
  ],
] as const)('of what %s all or nothing is paid today', ([, given, days, paid]) => {
  expect(deferLine(given, days)).toMatchObject({ ...paid, discountAmount: 100 })
})

test('of two trials the longer one counts', () => {
  const tried = { ...line, recurring: { ...recurring, trialDays: 14 } }
  expect(deferLine(tried, 7).recurring?.trialDays).toBe(14)
  expect(deferLine(tried, 30).recurring?.trialDays).toBe(30)
})
