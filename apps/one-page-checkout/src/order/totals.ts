import type { SessionOrder } from '@tillwright/plugin-sdk'

/** Totals of the summary, in minor units: subtotal - discount + shipping + tax = total + what is paid later. */
export interface Totals {
  /** The goods before discounts. */
  subtotal: number
  /** The total of all discounts; 0 for none. */
  discount: number
  /** Shipping before discounts, 0 if free; `null` where nothing is shipped or the address is not known yet. */
  shipping: number | null
  /** The tax that is added; 0 for none. */
  tax: number
  total: number
}

/** Adds up an order. */
export function totalsOf(order: SessionOrder): Totals {
  return {
    subtotal: order.subtotal,
    discount: order.discountAmount + order.shippingDiscount,
    shipping: order.shipping === null || order.shipping.optionId === null ? null : order.shippingAmount,
    tax: order.taxAmount,
    total: order.amount,
  }
}
