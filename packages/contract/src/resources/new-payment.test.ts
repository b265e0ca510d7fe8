import { expect, test } from 'vitest'
import { newPayment } from './new-payment.ts'

const payment = { storeId: 'store_1', paymentInstrumentId: 'pi_1', currency: 'USD' }
const line = { variantId: 'variant_1' }

test('a payment has an amount or lines; the quantity of a line defaults to one', () => {
  expect(newPayment.parse({ ...payment, amount: 1 })).toEqual({
    ...payment,
    amount: 1,
    captureMethod: 'automatic',
    authenticationType: 'payment-transaction',
    challengePreference: 'no-preference',
    initiatedBy: 'buyer',
    promotionCodes: [],
    shippingAmount: 0,
    metadata: {},
  })
  expect(newPayment.parse({ ...payment, lines: [line] }).lines).toEqual([{ ...line, quantity: 1 }])
})

test.for([
  ['neither an amount nor lines', {}, 'lines'],
  ['both an amount and lines', { amount: 1, lines: [line] }, 'lines'],
  ['nothing to pay', { amount: 0 }, 'amount'],
  ['half a cent', { amount: 0.5 }, 'amount'],
  ['an unknown currency', { amount: 1, currency: 'ABC' }, 'currency'],
  ['no lines', { lines: [] }, 'lines'],
  ['101 lines', { lines: Array(101).fill(line) }, 'lines'],
  ['no pieces', { lines: [{ ...line, quantity: 0 }] }, 'lines.0.quantity'],
  ['half a piece', { lines: [{ ...line, quantity: 1.5 }] }, 'lines.0.quantity'],
  ['10,001 pieces', { lines: [{ ...line, quantity: 10_001 }] }, 'lines.0.quantity'],
  [
    '51 keys of metadata',
    { amount: 1, metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'v'])) },
    'metadata',
  ],
  ['metadata that is not text', { amount: 1, metadata: { a: 1 } }, 'metadata.a'],
] as const)('a payment of %s is refused', ([, change, path]) => {
  const issues = newPayment.safeParse({ ...payment, ...change }).error?.issues ?? []
  expect(issues.map((issue) => issue.path.join('.'))).toContain(path)
})
