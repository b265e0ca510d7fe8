import { hookAnswers, type HookQuestion } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { answerHook } from './answer-hook.ts'

const line = {
  productId: 'product_1',
  variantId: 'variant_1',
  priceId: 'price_1',
  sku: null,
  name: 'Tote',
  unitAmount: 2_499,
  discountAmount: 0,
  taxCategory: null,
  isShippable: true,
  grams: 320,
}
const question: HookQuestion = {
  id: 'q_1',
  kind: 'tax',
  timestamp: '2026-11-20T09:30:00.000Z',
  environment: 'local',
  accountId: 'acc_1',
  storeId: 'store_1',
  isPreview: false,
  sessionId: null,
  orderId: null,
  paymentId: null,
  subscriptionId: null,
  customerId: null,
  currency: 'USD',
  amount: 254_898,
  shippingAmount: 0,
  lines: [
    { ...line, quantity: 1, amount: 2_499, isTaxable: true },
    { ...line, quantity: 101, amount: 252_399, isTaxable: false },
  ],
  destination: null,
  email: null,
  card: null,
  buyerIp: null,
}

test.for(['tax', 'shipping_rates', 'stock', 'risk'] as const)('its answer to %s has the shape that counts', (kind) => {
  expect(hookAnswers[kind].safeParse(answerHook({ ...question, kind })).error).toBeUndefined()
})

test('what is taxable is taxed, and more than there is of a thing is not available', () => {
  expect(answerHook(question)).toEqual({ taxes: [{ line: 0, name: 'Sales tax', rate: '8 %', amount: 200 }] })
  expect(answerHook({ ...question, kind: 'stock' })).toMatchObject({
    lines: [{ available: true }, { available: false }],
  })
})
