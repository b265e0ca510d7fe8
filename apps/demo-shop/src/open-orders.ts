/** The orders that wait for their money, or have it. A real shop keeps them in its database. */
export interface OpenOrders {
  /** Notes an order whose payment was accepted. */
  open(orderId: string): void
  /** Notes that an order was paid. Safe to repeat, and before `open`: a webhook may come twice, or first. */
  markPaid(orderId: string): void
  isPaid(orderId: string): boolean
  /** Resolves when the order is paid; `null` for an order that the shop does not know. */
  whenPaid(orderId: string): Promise<void> | null
}

export function openOrders(): OpenOrders {
  const orders = new Map<string, PromiseWithResolvers<void>>()
  const paid = new Set<string>()
  const open = (orderId: string) => {
    const order = orders.get(orderId) ?? Promise.withResolvers<void>()
    orders.set(orderId, order)
    return order
  }
  return {
    open: (orderId) => void open(orderId),
    markPaid(orderId) {
      paid.add(orderId)
      open(orderId).resolve()
    },
    isPaid: (orderId) => paid.has(orderId),
    whenPaid: (orderId) => orders.get(orderId)?.promise ?? null,
  }
}
