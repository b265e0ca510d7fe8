import type { NewQuote, Order, OrderLine } from '@tillwright/contract'
import { ApiError } from '../../ambient/api-error.ts'
import type { Call } from '../../call.ts'
import { findVariants, type SoldVariant } from '../../catalog/products.ts'
import { findShippingOptions } from '../../catalog/shipping-options.ts'
import type { Candidate } from '../../promotions/candidate.ts'
import { applyPromotions } from '../../promotions/apply-promotions.ts'
import { findCandidates } from '../../promotions/find-candidates.ts'
import type { GivenLine } from '../../promotions/effects.ts'
import { deferLine } from './defer-line.ts'
import { priceLines } from './price-lines.ts'
import { shipOrder, type OrderShipping, type PageTerms } from './ship-order.ts'

/** What an order costs, and why. The lines' amounts and the shipping less its discount sum to `amount`. */
export type OrderPrice = Pick<
  Order,
  | 'amount'
  | 'subtotal'
  | 'discountAmount'
  | 'shippingAmount'
  | 'shippingDiscount'
  | 'shippingOption'
  | 'deferredAmount'
  | 'lines'
  | 'promotions'
>

/** An order to be priced. */
export interface OrderRequest extends NewQuote {
  /** What a buyer's page has said; absent for a merchant's server, which says what shipping costs by itself. */
  page?: PageTerms | undefined
}

/** A priced order, with the choice of shipping that its page has: `null` where nothing has to be shipped. */
export interface PricedOrder extends OrderPrice {
  shipping: OrderShipping | null
}

/**
 * Prices an order from the catalogue and the promotions that there are now. What a page puts together has the prices that
 * are offered to pages, and the shipping that the store has set.
 *
 * @throws {ApiError} What `priceLines` throws; `parameter_invalid` for an unknown code; `amount_invalid` for a sum over
 *   2^53 - 1.
 */
export async function priceOrder(request: OrderRequest, { caller, parts, nowMs }: Call): Promise<PricedOrder> {
  const { storeId, currency, promotionCodes, page } = request
  const place = { accountId: caller.accountId, storeId }
  const variantIds = request.lines.map(({ variantId }) => variantId)
  const [found, candidates, options] = await Promise.all([
    findVariants(variantIds, place, parts.db),
    findCandidates({ ...place, currency, promotionCodes, nowMs }, parts.db),
    page && findShippingOptions(storeId, caller.accountId, parts.db),
  ])
  const priced = priceLines(request.lines, found, { currency, prices: page === undefined ? 'server' : 'page' })
  const reckon = (shippingAmount: number) => reckoned({ ...priced, currency, shippingAmount }, candidates, nowMs)
  if (page === undefined) return { ...reckon(request.shippingAmount).price, shipping: null }
  if (!hasGoods(priced.lines, found)) {
    const { price, hasGiftToShip } = reckon(0)
    if (!hasGiftToShip) return { ...price, shipping: null }
  }
  const shipping = shipOrder({ currency, lines: priced.lines, terms: page }, options ?? [])
  const { chosen } = shipping
  const { price } = reckon(chosen?.amount ?? 0)
  return { ...price, shippingOption: chosen && { id: chosen.id, name: chosen.name }, shipping }
}

function hasGoods(lines: readonly OrderLine[], found: ReadonlyMap<string, SoldVariant>): boolean {
  return lines.some(({ variantId }) => found.get(variantId)?.product.isShippable === true)
}

interface ToReckon {
  currency: string
  shippingAmount: number
  amount: number
  lines: readonly OrderLine[]
}

function reckoned(
  { currency, shippingAmount, amount: subtotal, lines }: ToReckon,
  candidates: readonly Candidate[],
  nowMs: number,
): { price: OrderPrice; hasGiftToShip: boolean } {
  requireSafeSum(subtotal, shippingAmount)
  const cart = {
    currency,
    shippingAmount,
    lines: lines.map((line) => ({ ...line, recurring: line.recurring !== null })),
  }
  const { applied, leftOut, gifts, lines: prices, ...sums } = applyPromotions(cart, candidates, nowMs)
  const bought = lines.map((line, index) => {
    const { discountAmount = 0, amount = line.amount, trialDays = 0 } = prices[index] ?? {}
    return deferLine({ ...line, discountAmount, amount }, trialDays)
  })
  const deferredAmount = bought.reduce((sum, line) => sum + line.deferredAmount, 0)
  const price = {
    ...sums,
    amount: sums.amount - deferredAmount,
    deferredAmount,
    shippingOption: null,
    lines: [...bought, ...gifts.map(toLine)],
    promotions: { applied, leftOut },
  }
  return { price, hasGiftToShip: gifts.some(({ gift }) => gift.isShippable) }
}

/** What an order of a plain amount costs: no promotion applies to what nobody has listed. */
export function plainPrice(amount: number): OrderPrice {
  const none = { discountAmount: 0, shippingAmount: 0, shippingDiscount: 0, shippingOption: null, deferredAmount: 0 }
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
