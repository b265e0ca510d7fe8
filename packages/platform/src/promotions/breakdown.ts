import { lineDiscount, orderDiscount, shippingDiscount } from './benefit.ts'
import type { Cart, CartLine } from './candidates.ts'
import { type Effects, type GivenLine, type Impact, sumImpacts } from './effects.ts'
import { spread, WHOLE } from './shares.ts'

/** What a line costs with its promotions. */
export interface LinePrice {
  discountAmount: number
  amount: number
  /** Days that cost nothing before the line's first charge. They change no amount here. */
  trialDays: number
}

/** What an order costs, to the last unit: amount = subtotal - discountAmount + shippingAmount - shippingDiscount. */
export interface BreakDown {
  subtotal: number
  discountAmount: number
  shippingAmount: number
  shippingDiscount: number
  amount: number
  /** In the order of the cart's lines; their discounts sum to `discountAmount`. */
  lines: LinePrice[]
  gifts: GivenLine[]
  /** In the order of the set; they sum to `discountAmount` + `shippingDiscount`. */
  savings: number[]
}

/** Works a set of promotions into an order: gifts, line items, the order on what is left, shipping, trials. */
export function breakDown(set: readonly Effects[], cart: Cart): BreakDown {
  const impacts = set.map((effects) => effects.impact)
  const impact = sumImpacts(impacts, cart.lines.length)
  const prices = cart.lines.map(({ unitAmount, quantity }) => unitAmount * quantity)
  const own = prices.map((price, index) => lineDiscount(price, impact, index))
  const left = prices.map((price, index) => price - (own[index] ?? 0))
  const ofOrder = orderDiscount(sum(left), impact)
  const ofShipping = shippingDiscount(cart.shippingAmount, impact)
  const shares = spreadOverLines(ofOrder, left, cart.lines)
  return {
    subtotal: sum(prices),
    discountAmount: sum(own) + ofOrder,
    shippingAmount: cart.shippingAmount,
    shippingDiscount: ofShipping,
    amount: sum(left) - ofOrder + cart.shippingAmount - ofShipping,
    lines: left.map((price, index) => {
      const share = shares[index] ?? 0
      return {
        discountAmount: (own[index] ?? 0) + share,
        amount: price - share,
        trialDays: impact.trialDays[index] ?? 0,
      }
    }),
    gifts: set.flatMap(({ gifts }) => gifts),
    savings: savingsOf(impacts, { prices, own, left: sum(left), ofOrder, shipping: cart.shippingAmount, ofShipping }),
  }
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0)
}

/** Lines are taken in an order of their own content, so that the order in which they were sent does not matter. */
function spreadOverLines(total: number, left: readonly number[], lines: readonly CartLine[]): number[] {
  const order = lines
    .map((line, index) => ({ key: keyOf(line), index }))
    .toSorted((a, b) => (a.key === b.key ? a.index - b.index : a.key < b.key ? -1 : 1))
  const parts = spread(
    total,
    order.map(({ index }) => BigInt(left[index] ?? 0)),
  )
  const shares = lines.map(() => 0)
  for (const [place, { index }] of order.entries()) shares[index] = parts[place] ?? 0
  return shares
}

function keyOf({ productId, variantId, unitAmount, quantity, recurring }: CartLine): string {
  return JSON.stringify([productId, variantId, unitAmount, quantity, recurring])
}

/** Prices and what is taken off them: of the lines by themselves, of the order, of the shipping. */
interface Discounted {
  prices: readonly number[]
  own: readonly number[]
  left: number
  ofOrder: number
  shipping: number
  ofShipping: number
}

/** Credits each member of a set with its part of every discount, in proportion to what it would take off alone. */
function savingsOf(
  impacts: readonly Impact[],
  { prices, own, left, ofOrder, shipping, ofShipping }: Discounted,
): number[] {
  const credits = [
    ...own.map((discount, index) =>
      spread(
        discount,
        impacts.map(({ linePoints, lineAmounts }) =>
          weight(prices[index] ?? 0, linePoints[index] ?? 0, lineAmounts[index] ?? 0),
        ),
      ),
    ),
    spread(
      ofOrder,
      impacts.map(({ orderPoints, orderAmount }) => weight(left, orderPoints, orderAmount)),
    ),
    spread(
      ofShipping,
      impacts.map(({ shippingPoints, shippingAmount }) => weight(shipping, shippingPoints, shippingAmount)),
    ),
  ]
  return impacts.map((_, member) => sum(credits.map((parts) => parts[member] ?? 0)))
}

function weight(price: number, points: number, amount: number): bigint {
  return BigInt(price) * BigInt(points) + BigInt(amount) * BigInt(WHOLE)
}
