import type { Order, OrderBuyer, SessionOrder } from '@tillwright/contract'
import { findStore, firstCurrency } from '../catalog/index.ts'
import type { StoreHooks } from '../hooks/index.ts'
import { cannotShip, findOrder, type PageTerms, plainPrice, type PricedOrder, priceOrder } from '../orders/index.ts'
import { codeKey } from '../promotions/index.ts'
import type { RequestContext } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import { type BuyersSession, orderStanding } from './buyers-session.ts'

/** The currency of a store that has not said in which one it sells. */
const CURRENCY_OF_NONE = 'USD'

/** The order of a session as its page is shown it: while it is open, as it costs now, or why it has no price. */
export async function orderOf(buyers: BuyersSession, context: RequestContext): Promise<SessionOrder> {
  const { state, session } = buyers
  if (state.paying !== null && orderStanding(buyers) !== 'open') {
    const order = await findOrder(state.paying.orderId, session.metadata.accountId, context.services.db)
    if (order !== null) return shown({ ...order, shipping: null }, { ...order, promotionCodes: state.promotionCodes })
  }
  try {
    return await openOrder(buyers, context)
  } catch (error) {
    if (error instanceof ApiError && (error.status < 500 || isUnanswered(error))) {
      return withoutPrice(error, buyers, context)
    }
    throw error
  }
}

/** The order of a session that was changed: the change holds, even if a merchant's server does not answer what it costs. */
export async function changedOrder(buyers: BuyersSession, context: RequestContext): Promise<SessionOrder> {
  try {
    return await openOrder(buyers, context)
  } catch (error) {
    if (error instanceof ApiError && isUnanswered(error)) return withoutPrice(error, buyers, context)
    throw error
  }
}

/** An order that cannot be paid as it is: a page is shown the rest of it, so that its buyer does not lose the cart. */
async function withoutPrice(error: ApiError, buyers: BuyersSession, context: RequestContext): Promise<SessionOrder> {
  const currency = await currencyOf(buyers, context)
  const { promotionCodes } = buyers.state
  const rest = await restOf(error, buyers, context)
  return { ...shown(rest, { id: null, status: 'open', currency, promotionCodes }), problem: error.message }
}

/** The order without the lines and codes that are withdrawn, and without what the merchant's server was to answer. */
async function restOf(error: ApiError, buyers: BuyersSession, context: RequestContext): Promise<PricedOrder> {
  const [, list, place] = /^(lines|promotionCodes)\[(\d+)\]/.exec(error.details.param ?? '') ?? []
  const without = (name: string) => (_: unknown, index: number) => name !== list || index !== Number(place)
  if (list === undefined && !isUnanswered(error)) return nothing
  const lines = buyers.state.lines.filter(without('lines'))
  const promotionCodes = buyers.state.promotionCodes.filter(without('promotionCodes'))
  const isLess = lines.length + promotionCodes.length < buyers.state.lines.length + buyers.state.promotionCodes.length
  if (list !== undefined && !isLess) return nothing
  const rest = { ...buyers, state: { ...buyers.state, lines, promotionCodes } }
  try {
    return await priceOpen(rest, context, {})
  } catch (further) {
    if (further instanceof ApiError && further.status < 500) return restOf(further, rest, context)
    throw further
  }
}

function isUnanswered({ code }: ApiError): boolean {
  return code === 'tax_unanswered' || code === 'shipping_rates_unanswered'
}

/**
 * The open order of a session, priced as a payment prices it.
 *
 * @throws {ApiError} What `priceOrder` throws.
 */
export async function openOrder(buyers: BuyersSession, context: RequestContext): Promise<SessionOrder> {
  const currency = await currencyOf(buyers, context)
  const { promotionCodes } = buyers.state
  const price = await priceOpen(buyers, context)
  const order = shown(price, { id: null, status: 'open', currency, promotionCodes })
  // Where the goods go is the buyer's to say; a store without shipping is nothing that a buyer could change.
  const isUnshippable = price.shipping?.problem === 'no_option'
  const { storeId } = buyers.session
  return isUnshippable ? { ...order, problem: cannotShip('no_option', { storeId, currency }).message } : order
}

/** @param hooks The hooks that are asked: those of the store, unless given. */
async function priceOpen(buyers: BuyersSession, context: RequestContext, hooks?: StoreHooks): Promise<PricedOrder> {
  const { lines, promotionCodes } = buyers.state
  if (lines.length === 0) return nothing
  const { storeId } = buyers.session
  const currency = await currencyOf(buyers, context)
  const request = { storeId, currency, lines, promotionCodes: [...promotionCodes], shippingAmount: 0, hooks }
  return priceOrder({ ...request, page: termsOf(buyers) }, context)
}

const nothing: PricedOrder = { ...plainPrice(0), shipping: null }

/** The session's shipping destination for its order: a preview may set the country before its buyer does. */
export function termsOf({ state, session }: Pick<BuyersSession, 'state' | 'session'>): PageTerms {
  const { buyer, shippingOptionId, shippedWith } = state
  const to = destinationOf(buyer)
  const isSameAddress = JSON.stringify(shippedWith?.to) === JSON.stringify(to)
  const previewCountry = session.preview?.previewShippingCountry ?? null
  return {
    chosenOptionId: shippingOptionId,
    country: to?.country ?? previewCountry,
    shippedWithId: isSameAddress ? (shippedWith?.optionId ?? null) : null,
    destination: to ?? (previewCountry === null ? null : { country: previewCountry }),
    sessionId: session.sessionId,
    isPreview: session.metadata.isPreview,
  }
}

/** Where a buyer's goods go: to the billing address, unless there is another. */
export function destinationOf({ shippingAddress, billingAddress }: OrderBuyer): OrderBuyer['shippingAddress'] {
  return shippingAddress ?? billingAddress
}

/** The currency that a session's order is priced in: what its page has said, else its preview, else its store. */
export async function currencyOf(
  { state, session }: BuyersSession,
  { services }: Pick<RequestContext, 'services'>,
): Promise<string> {
  const said = state.currency ?? session.preview?.currency
  if (said != null) return said
  const store = await findStore(session.storeId, session.metadata.accountId, services.db)
  return firstCurrency(store) ?? CURRENCY_OF_NONE
}

type Head = Pick<SessionOrder, 'status'> &
  Pick<Order, 'currency'> & { id: string | null; promotionCodes: readonly string[] }

/**
 * The order as its buyer sees it: left-out promotions appear only where the buyer entered their code, not where the
 * shop considered them automatically.
 */
function shown(price: PricedOrder, { id, status, currency, promotionCodes }: Head): SessionOrder {
  const { amount, subtotal, discountAmount, shippingAmount, shippingDiscount, taxAmount, lines, promotions } = price
  const entered = new Set(promotionCodes.map(codeKey))
  const leftOut = promotions.leftOut.filter(({ code }) => code !== null && entered.has(codeKey(code)))
  return {
    id,
    status,
    currency,
    amount,
    subtotal,
    discountAmount,
    shippingAmount,
    shippingDiscount,
    taxAmount,
    shipping: shippingOf(price),
    lines,
    promotionCodes: [...promotionCodes],
    promotions: { applied: promotions.applied, leftOut },
    problem: null,
  }
}

/** A placed order has only the option that it was placed with. */
function shippingOf({ shipping, shippingOption, shippingAmount }: PricedOrder): SessionOrder['shipping'] {
  if (shipping !== null) return { optionId: shipping.chosen?.id ?? null, options: [...shipping.options] }
  if (shippingOption === null) return null
  const { id, name } = shippingOption
  return { optionId: id, options: [{ id, name, description: '', amount: shippingAmount }] }
}
