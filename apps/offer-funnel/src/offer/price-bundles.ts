import type { OrderStore, SessionOrder, WantedLine } from '@tillwright/plugin-sdk'
import { wantedOf } from './wanted-of.ts'

/**
 * Asks the platform what each of several lines would cost in this session, by making each the order in turn; then the
 * order is as it was.
 *
 * @param order Must be open.
 * @returns An order for each line as it costs without its shipping, `null` where it has no price or the line is `null`.
 */
export async function priceBundles(
  order: Pick<OrderStore, 'get' | 'setLines'>,
  lines: readonly (WantedLine | null)[],
): Promise<(SessionOrder | null)[]> {
  const before = wantedOf(order.get())
  const priced: (SessionOrder | null)[] = []
  for (const line of lines) priced.push(line === null ? null : await priceOf(line, order))
  await order.setLines(before)
  return priced
}

async function priceOf(line: WantedLine, order: Pick<OrderStore, 'setLines'>): Promise<SessionOrder | null> {
  try {
    const { order: asked } = await order.setLines([line])
    return asked.problem === null ? withoutShipping(asked) : null
  } catch {
    return null // withdrawn, or not sold in this currency: the page leaves it out
  }
}

/** Bundles are compared by what the goods cost; how they are sent is chosen later. */
function withoutShipping(order: SessionOrder): SessionOrder {
  const { amount, shippingAmount, shippingDiscount } = order
  return { ...order, amount: amount - shippingAmount + shippingDiscount, shippingAmount: 0, shippingDiscount: 0 }
}
