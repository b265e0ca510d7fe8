import type { SessionOrder } from '@tillwright/plugin-sdk'
import { partLines, type ShippingWay } from './lines.ts'

/** What a summary adds up, in minor units. */
export interface Totals {
  /** The goods before discounts. */
  subtotal: number
  /** All that promotions take off; 0 for nothing. */
  discount: number
  /** What the way of shipping costs before discounts; 0 for a free one. */
  shipping: number
  total: number
}

/**
 * Adds up an order whose shipping is one of its lines: subtotal - discount + shipping = total + what is paid later.
 */
export function totalsOf(order: SessionOrder, ways: readonly ShippingWay[]): Totals {
  const { shipping } = partLines(order, ways)
  const ofLine = shipping === null ? 0 : shipping.unitAmount * shipping.quantity
  return {
    subtotal: order.subtotal - ofLine,
    discount: order.discountAmount + order.shippingDiscount,
    shipping: ofLine + order.shippingAmount,
    total: order.amount,
  }
}
