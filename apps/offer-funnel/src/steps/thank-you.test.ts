import { expect, test } from 'vitest'
import { paidOrders, totalOf } from './thank-you.tsx'

const order = {
  id: 'order_1',
  status: 'paid',
  currency: 'EUR',
  amount: 2_900,
  subtotal: 2_900,
  discountAmount: 0,
  shippingAmount: 0,
  shippingDiscount: 0,
  taxAmount: 0,
  shipping: null,
  lines: [],
  promotionCodes: [],
  promotions: { applied: [], leftOut: [] },
  problem: null,
} as const

test('the receipt has all orders of the tab, and not the one that was left open', () => {
  const open = { ...order, id: null, status: 'open' } as const
  expect(paidOrders([{ stepId: 'a', order }], open)).toEqual([order])
  expect(paidOrders([], open)).toEqual([])
})

test('a tab that has seen no order shows the last one', () => {
  expect(paidOrders([], order)).toEqual([order])
  expect(paidOrders([], { ...order, status: 'pending' })).toEqual([])
  expect(paidOrders([], null)).toEqual([])
})

test('orders of one currency have a total', () => {
  expect(totalOf([order, { ...order, amount: 100 }])).toEqual({ amount: 3_000, currency: 'EUR' })
  expect(totalOf([order, { ...order, currency: 'USD' }])).toBe(null)
  expect(totalOf([])).toBe(null)
})
