import type { NewQuote, Order, OrderLine } from '@tillwright/contract'
import { ApiError } from '../../ambient/api-error.ts'
import type { Call } from '../../call.ts'
import { findVariants } from '../../catalog/products.ts'
import { applyPromotions } from '../../promotions/apply-promotions.ts'
import { findCandidates } from '../../promotions/find-candidates.ts'
import type { GivenLine } from '../../promotions/effects.ts'
import { deferLine } from './defer-line.ts'
import { priceLines } from './price-lines.ts'

/** What an order costs, and why. The lines' amounts and the shipping less its discount sum to `amount`. */
export type OrderPrice = Pick<
  Order,
  | 'amount'
  | 'subtotal'
  | 'discountAmount'
  | 'shippingAmount'
  | 'shippingDiscount'
  | 'deferredAmount'
  | 'lines'
  | 'promotions'
>

/**
 * Prices an order from the catalogue and the promotions that there are now.
 *
 * @throws {ApiError} What `priceLines` throws; `parameter_invalid` for an unknown code; `amount_invalid` for a sum over
 *   2^53 - 1.
 */
export async function priceOrder(request: NewQuote, { caller, parts, nowMs }: Call): Promise<OrderPrice> {
  const { storeId, currency, shippingAmount, promotionCodes } = request
  const place = { accountId: caller.accountId, storeId }
  const [found, candidates] = await Promise.all([
    findVariants(
      request.lines.map(({ variantId }) => variantId),
      place,
      parts.db,
    ),
    findCandidates({ ...place, currency, promotionCodes, nowMs }, parts.db),
  ])
  const { lines, amount: subtotal } = priceLines(request.lines, found, currency)
  requireSafeSum(subtotal, shippingAmount)
  const cart = {
    currency,
    shippingAmount,
    lines: lines.map((line) => ({ ...line, recurring: line.recurring !== null })),
  }
  const { applied, leftOut, gifts, lines: prices, ...price } = applyPromotions(cart, candidates, nowMs)
  const bought = lines.map((line, index) => {
    const { discountAmount = 0, amount = line.amount, trialDays = 0 } = prices[index] ?? {}
    return deferLine({ ...line, discountAmount, amount }, trialDays)
  })
  const deferredAmount = bought.reduce((sum, line) => sum + line.deferredAmount, 0)
  return {
    ...price,
    amount: price.amount - deferredAmount,
    deferredAmount,
    lines: [...bought, ...gifts.map(toLine)],
    promotions: { applied, leftOut },
  }
}

/** What an order of a plain amount costs: no promotion applies to what nobody has listed. */
export function plainPrice(amount: number): OrderPrice {
  const none = { discountAmount: 0, shippingAmount: 0, shippingDiscount: 0, deferredAmount: 0 }
  return { amount, subtotal: amount, ...none, lines: [], promotions: { applied: [], leftOut: [] } }
}

/** A gift is a line that costs nothing, so that the lines still sum to the order. */
function toLine({ promotionId, gift, quantity }: GivenLine): OrderLine {
  const { productId, variantId, priceId, name } = gift
  const free = { unitAmount: 0, discountAmount: 0, amount: 0, deferredAmount: 0, recurring: null }
  return { productId, variantId, priceId, name, quantity, ...free, promotionId }
}

function requireSafeSum(subtotal: number, shippingAmount: number): void {
  if (Number.isSafeInteger(subtotal + shippingAmount)) return
  const message = 'The order and its shipping cost more than 9007199254740991 minor units; split it.'
  throw new ApiError('amount_invalid', message, { param: 'shippingAmount' })
}
