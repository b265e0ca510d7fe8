import type { Order, SessionOrder } from '@tillwright/contract'
import { ApiError } from '../ambient/api-error.ts'
import type { Call } from '../call.ts'
import { findStore, firstCurrency } from '../catalog/stores.ts'
import { findOrder } from '../payments/orders/orders.ts'
import { plainPrice, priceOrder, type OrderPrice } from '../payments/orders/price-order.ts'
import { orderStanding, type BuyersSession } from './buyers-session.ts'

/** The currency of a store that has not said in which one it sells. */
const CURRENCY_OF_NONE = 'USD'

/** The order of a session as its page is shown it: while it is open, as it costs now, or why it has no price. */
export async function orderOf(buyers: BuyersSession, call: Call): Promise<SessionOrder> {
  const { state, session } = buyers
  if (state.paying !== null && orderStanding(buyers) !== 'open') {
    const order = await findOrder(state.paying.orderId, session.metadata.accountId, call.parts.db)
    if (order !== null) return shown(order, { ...order, promotionCodes: state.promotionCodes })
  }
  try {
    return await openOrder(buyers, call)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    const currency = await currencyOf(buyers, call)
    const { promotionCodes } = state
    return { ...shown(plainPrice(0), { id: null, status: 'open', currency, promotionCodes }), problem: error.message }
  }
}

/**
 * The open order of a session, priced as a payment prices it.
 *
 * @throws {ApiError} What `priceOrder` throws.
 */
export async function openOrder(buyers: BuyersSession, call: Call): Promise<SessionOrder> {
  const { lines, promotionCodes } = buyers.state
  const { storeId } = buyers.session
  const currency = await currencyOf(buyers, call)
  const request = { storeId, currency, lines, promotionCodes: [...promotionCodes], shippingAmount: 0 }
  const price = lines.length === 0 ? plainPrice(0) : await priceOrder(request, call)
  return shown(price, { id: null, status: 'open', currency, promotionCodes })
}

/** The currency that a session's order is priced in: what its page has said, else its preview, else its store. */
export async function currencyOf({ state, session }: BuyersSession, { parts }: Pick<Call, 'parts'>): Promise<string> {
  const said = state.currency ?? session.preview?.currency
  if (said != null) return said
  const store = await findStore(session.storeId, session.metadata.accountId, parts.db)
  return firstCurrency(store) ?? CURRENCY_OF_NONE
}

type Head = Pick<SessionOrder, 'status'> &
  Pick<Order, 'currency'> & { id: string | null; promotionCodes: readonly string[] }

/** What a shop considers by itself and leaves out is no buyer's business: what became of their codes is. */
function shown(price: OrderPrice, { id, status, currency, promotionCodes }: Head): SessionOrder {
  const { amount, subtotal, discountAmount, shippingAmount, shippingDiscount, lines, promotions } = price
  const leftOut = promotions.leftOut.filter(({ code }) => code !== null)
  return {
    id,
    status,
    currency,
    amount,
    subtotal,
    discountAmount,
    shippingAmount,
    shippingDiscount,
    lines,
    promotionCodes: [...promotionCodes],
    promotions: { applied: promotions.applied, leftOut },
    problem: null,
  }
}
