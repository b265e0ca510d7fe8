import type { AppliedPromotion, NewPayment, NewQuote, OrderLine, Price } from '@tillwright/contract'
import { findShippingOptions, findVariants, soldName, type SoldVariant } from '../catalog/index.ts'
import { findHooks, type StoreHooks } from '../hooks/index.ts'
import {
  applyPromotions,
  type Candidate,
  codeKey,
  findCandidates,
  type GivenLine,
  promotionExhausted,
} from '../promotions/index.ts'
import type { RequestContext } from '../request-context.ts'
import { ApiError, missing, requireUnarchived } from '../runtime/index.ts'
import { askedOrder, ratedShipping, withTax } from './ask-merchant.ts'
import { cannotShip, type OrderShipping, type PageTerms, shipOrder } from './ship-order.ts'
import type { OrderPrice } from './tables.ts'

/** An order to be priced. */
export interface OrderRequest extends NewQuote {
  /** Terms sent by the buyer's page; absent for a merchant's server, which sets the shipping cost itself. */
  page?: PageTerms | undefined
  /** The store's hooks, where they are known. */
  hooks?: StoreHooks | undefined
}

/** A priced order, with the choice of shipping that its page has: `null` where nothing has to be shipped. */
export interface PricedOrder extends OrderPrice {
  shipping: OrderShipping | null
}

/**
 * Prices an order from the catalogue, the promotions that there are now, and what the merchant's server answers to the
 * store's hooks. An order that a page puts together has the prices that are offered to pages, and the shipping that the
 * store has set.
 *
 * @throws {ApiError} As `priceLines`; `parameter_invalid` for an unknown code; `amount_invalid` for a sum over
 *   2^53 - 1; `tax_unanswered` and `shipping_rates_unanswered`.
 */
export async function priceOrder(request: OrderRequest, context: RequestContext): Promise<PricedOrder> {
  const { caller, services, nowMs } = context
  const { storeId, currency, promotionCodes, page } = request
  const place = { accountId: caller.accountId, storeId }
  const variantIds = request.lines.map(({ variantId }) => variantId)
  const [found, candidates, options, hooks] = await Promise.all([
    findVariants(variantIds, place, services.db),
    findCandidates({ ...place, currency, promotionCodes, nowMs }, services.db),
    page && findShippingOptions(storeId, caller.accountId, services.db),
    request.hooks ?? findHooks(storeId, caller.accountId, services.db),
  ])
  const priced = priceLines(request.lines, found, { currency, prices: page === undefined ? 'server' : 'page' })
  const reckon = (shippingAmount: number, among = candidates) =>
    reckoned({ ...priced, currency, shippingAmount }, among, nowMs)
  const order = askedOrder(request, hooks)
  if (page === undefined) return withTax({ ...reckon(request.shippingAmount).price, shipping: null }, order, context)
  const unshipped = reckon(0)
  const isGiftAlone = !hasGoods(priced.lines, found)
  if (isGiftAlone && !unshipped.hasGiftToShip) return withTax({ ...unshipped.price, shipping: null }, order, context)
  const rated = await ratedShipping({ ...order, price: unshipped.price, terms: page }, context)
  const shipping = rated.shipping ?? shipOrder({ currency, lines: priced.lines, terms: page }, options ?? [])
  const { chosen, problem } = shipping
  const all = reckon(chosen?.amount ?? 0)
  // What takes something off the shipping of a gift cannot take the gift's place: there would be nothing to ship.
  const isGiftLost = isGiftAlone && !all.hasGiftToShip
  const given = new Set(unshipped.price.promotions.applied.map(({ promotionId }) => promotionId))
  const withGift = candidates.filter(({ promotion }) => given.has(promotion.id))
  const { price } = isGiftLost ? reckon(chosen?.amount ?? 0, withGift) : all
  const shippingOption = chosen && { id: chosen.id, name: chosen.name }
  const shipped = { ...price, shippingOption, shipping, hooks: rated.asked }
  return problem === null ? withTax(shipped, order, context) : shipped
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
    lines: lines.map(({ unitAmount, ...line }) => ({
      ...line,
      unitAmount: isMetered(line) ? 0 : unitAmount, // what will be used costs nothing yet, and nothing is taken off it
      recurring: line.recurring !== null,
    })),
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
    taxAmount: 0,
    hooks: [],
    lines: [...bought, ...gifts.map(toLine)],
    promotions: { applied, leftOut },
  }
  return { price, hasGiftToShip: gifts.some(({ gift }) => gift.isShippable) }
}

/** Prices an order given as a plain amount: no promotions apply without products. */
export function plainPrice(amount: number): OrderPrice {
  const none = { discountAmount: 0, shippingAmount: 0, shippingDiscount: 0, shippingOption: null, deferredAmount: 0 }
  const promotions = { applied: [], leftOut: [] }
  return { amount, subtotal: amount, ...none, taxAmount: 0, lines: [], promotions, hooks: [] }
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

type SentLine = NonNullable<NewPayment['lines']>[number]

/**
 * Which prices an order may have. A merchant's server names any, and decides how long a free trial is; a buyer's page
 * chooses among those that are offered to pages, and decides no trial.
 */
export type PricesFor = 'server' | 'page'

/** Currency and context in which lines are priced. */
interface Pricing {
  currency: string
  prices: PricesFor
}

/** Prices without promotions, in the currency's minor unit; the lines' amounts sum to the total. */
export interface PricedLines {
  amount: number
  lines: OrderLine[]
}

/**
 * Prices an order's lines from the catalogue: the named price or the variant's default, in the order's currency.
 *
 * @throws {ApiError} `resource_missing` for an unknown variant or price, `parameter_invalid` for one that is not on
 *   sale or not offered to the page that names it, `currency_unsupported` for one without that currency, `amount_invalid` for a sum over 2^53 - 1.
 */
export function priceLines(
  sent: readonly SentLine[],
  found: ReadonlyMap<string, SoldVariant>,
  pricing: Pricing,
): PricedLines {
  const lines = sent.map((line, index) =>
    priceLine(line, found.get(line.variantId), { ...pricing, path: `lines[${index}]` }),
  )
  const amount = lines.reduce((sum, line) => sum + line.amount, 0)
  if (!Number.isSafeInteger(amount)) {
    throw new ApiError('amount_invalid', 'The order costs more than 9007199254740991 minor units; split it.', {
      param: 'lines',
    })
  }
  return { amount, lines }
}

function priceLine(
  line: SentLine,
  sold: SoldVariant | undefined,
  { currency, prices, path }: Pricing & { path: string },
): OrderLine {
  if (sold === undefined)
    throw missing('variant', line.variantId, { param: `${path}.variantId`, place: 'in this store' })
  const { product, variant } = sold
  requireUnarchived('product', product, `${path}.variantId`)
  requireUnarchived('variant', variant, `${path}.variantId`)
  if (!product.active || !variant.active) {
    throw new ApiError('parameter_invalid', `The variant '${variant.id}' is not on sale; leave it out.`, {
      param: `${path}.variantId`,
    })
  }
  const price = variant.prices.find(({ id, default: isDefault }) =>
    line.priceId === undefined ? isDefault : id === line.priceId,
  )
  if (price === undefined) {
    const sought = { param: `${path}.priceId`, place: `of the variant '${variant.id}'` }
    throw missing('price', line.priceId ?? 'default', sought)
  }
  requireUnarchived('price', price, `${path}.priceId`)
  if (prices === 'page' && !price.default && !price.offeredToPages) throw notOffered(price, path)
  const unitAmount = price.currencyOptions[currency]?.amount
  if (unitAmount === undefined) {
    const known = Object.keys(price.currencyOptions).join(', ')
    throw new ApiError(
      'currency_unsupported',
      `The price '${price.id}' has no amount in ${currency}; it has ${known}.`,
      { param: 'currency' },
    )
  }
  const recurring = recurrenceOf(prices === 'page' ? { ...line, trialDays: undefined } : line, price, path)
  return {
    productId: product.id,
    variantId: variant.id,
    priceId: price.id,
    name: soldName(sold),
    quantity: line.quantity,
    unitAmount,
    discountAmount: 0,
    amount: isMetered({ recurring }) ? 0 : unitAmount * line.quantity,
    deferredAmount: 0,
    recurring,
    promotionId: null,
  }
}

function notOffered({ id }: Price, path: string): ApiError {
  const message = `The price '${id}' is not offered to pages; leave priceId out, or create it with offeredToPages.`
  return new ApiError('parameter_invalid', message, { param: `${path}.priceId` })
}

/** How often a line is paid; `null` for what is bought once. A server's trial takes the place of the price's own. */
function recurrenceOf(
  line: Pick<SentLine, 'trialDays' | 'quantity'>,
  price: Price,
  path: string,
): OrderLine['recurring'] {
  const trialDays = line.trialDays ?? price.trialDays
  const { recurring, interval, intervalCount, billingTiming } = price
  if (recurring && billingTiming === 'usage' && line.quantity !== 1) {
    const message = `The price '${price.id}' is billed by usage: leave quantity out, and report usage when it happens.`
    throw new ApiError('parameter_invalid', message, { param: `${path}.quantity` })
  }
  if (recurring && interval !== null) return { interval, intervalCount, billingTiming, trialDays }
  if (trialDays === 0) return null
  const message = `The price '${price.id}' does not recur, so it cannot have a trial; leave trialDays out.`
  throw new ApiError('parameter_invalid', message, { param: `${path}.trialDays` })
}

/** Whether a line is paid by what will be used. */
function isMetered({ recurring }: Pick<OrderLine, 'recurring'>): boolean {
  return recurring?.billingTiming === 'usage'
}

/**
 * A line as its buyer pays it today: nothing of it where it begins with a free trial, or is paid in arrears.
 *
 * @param promotedDays The free days that promotions give; the longer of these and those of the line counts.
 */
export function deferLine(line: OrderLine, promotedDays: number): OrderLine {
  if (line.recurring === null) return line
  const recurring = { ...line.recurring, trialDays: Math.max(line.recurring.trialDays, promotedDays) }
  if (recurring.trialDays === 0 && recurring.billingTiming === 'in_advance') return { ...line, recurring }
  return { ...line, recurring, amount: 0, deferredAmount: line.amount }
}

/**
 * Prices an order for payment. Unlike a quote, it refuses an exhausted code or a sum that differs from the one the
 * buyer was shown, before anything is charged.
 *
 * @param terms The terms sent by the buyer's page, `null` for a merchant's server; and the store's hooks.
 * @throws {ApiError} Whatever `priceOrder` throws; `promotion_exhausted`, `state_conflict` if the amount differs from
 *   the expected one, or if goods that need shipping cannot be shipped.
 */
export async function pricePayment(
  body: NewPayment,
  { page, hooks }: { page: PageTerms | null; hooks: StoreHooks },
  context: RequestContext,
): Promise<OrderPrice> {
  if (body.lines === undefined) return plainPrice(body.amount ?? 0)
  const request = { ...body, lines: body.lines, page: page ?? undefined, hooks }
  const { shipping, ...price } = await priceOrder(request, context)
  if (shipping !== null && shipping.problem !== null) throw cannotShip(shipping.problem, body)
  requireCodesLeft(price, body)
  requireExpected(price, body)
  return price
}

/** The parameter that led to a promotion: its code, or the lines where it is automatic. */
export function paramOf({ code }: Pick<AppliedPromotion, 'code'>, { promotionCodes }: NewPayment): string {
  const index = code === null ? -1 : promotionCodes.findIndex((sent) => codeKey(sent) === codeKey(code))
  return index === -1 ? 'lines' : `promotionCodes[${index}]`
}

/** An automatic promotion that is used up is simply over; a code was promised to the buyer. */
function requireCodesLeft({ promotions }: OrderPrice, body: NewPayment): void {
  for (const left of promotions.leftOut) {
    const param = paramOf(left, body)
    if (left.clause === 'usage_limit' && param !== 'lines') throw promotionExhausted(left.name, param)
  }
}

function requireExpected({ amount, deferredAmount }: OrderPrice, sent: NewPayment): void {
  const { expectedAmount = amount, expectedDeferredAmount = deferredAmount, currency } = sent
  const refuse = (costs: string, param: string) =>
    new ApiError('state_conflict', `The order costs ${costs}; nothing was charged. Quote it again and ask the buyer.`, {
      param,
    })
  const units = `minor units of ${currency}`
  if (expectedAmount !== amount) throw refuse(`${amount} ${units}, not ${expectedAmount}`, 'expectedAmount')
  if (expectedDeferredAmount !== deferredAmount)
    throw refuse(`${deferredAmount} ${units} later, not ${expectedDeferredAmount}`, 'expectedDeferredAmount')
}
