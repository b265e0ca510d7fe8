import { expect, test } from 'vitest'
import { openOrders } from './open-orders.ts'

test('an order is paid whether its webhook comes after, before or twice', async () => {
  const orders = openOrders()
  orders.open('after')
  const waiting = orders.whenPaid('after')
  orders.markPaid('after')
  orders.markPaid('before')
  orders.markPaid('before')
  orders.open('before')
  expect([orders.isPaid('after'), orders.isPaid('before'), orders.isPaid('other')]).toEqual([true, true, false])
  await expect(Promise.all([waiting, orders.whenPaid('before')])).resolves.toHaveLength(2)
})

test('an order that was never opened is unknown', () => {
  expect(openOrders().whenPaid('order_1')).toBeNull()
})
