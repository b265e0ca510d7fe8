import type { Receipt, SessionOrder } from '@tillwright/plugin-sdk'

/** The orders of a receipt: those of the tab, else the session's last one if it was placed, as in another tab. */
export function paidOrders(receipts: readonly Receipt[], last: SessionOrder | null): readonly SessionOrder[] {
  if (receipts.length > 0) return receipts.map(({ order }) => order)
  return last !== null && last.id !== null && last.status !== 'pending' ? [last] : []
}

/** The total of the orders; `null` if there are none or their currencies differ. */
export function totalOf(
  orders: readonly Pick<SessionOrder, 'amount' | 'currency'>[],
): { amount: number; currency: string } | null {
  const currency = orders[0]?.currency
  if (currency === undefined || orders.some((order) => order.currency !== currency)) return null
  return { amount: orders.reduce((sum, { amount }) => sum + amount, 0), currency }
}
