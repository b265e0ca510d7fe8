import type { NewPayment, Order, Payment, ThreedsProviderName } from '@tillwright/contract'
import { requireCharged } from '../../catalog/index.ts'
import { findInstrument, type PayingInstrument } from '../../customers/index.ts'
import { type OrderPrice, type PageTerms, pricePayment } from '../../orders/index.ts'
import type { RequestContext, Write } from '../../request-context.ts'
import {
  type Charging,
  countedBuyer,
  findLastSuccess,
  firstAttempt,
  flowFor,
  type NextAttempt,
  requireFlowOf,
  type Route,
} from '../../routing/index.ts'
import { ApiError, missing } from '../../runtime/index.ts'
import { type Renewal, requireRoom, type Selling, sellingOf } from '../../subscriptions/index.ts'
import { requireProvider, requireUnexpired, type ThreedsProviders } from '../../threeds/index.ts'
import { redeemSecurityCode } from '../../vault/index.ts'

/** Who charges, and who authenticates buyers. */
export interface Paying extends Charging {
  threedsProviders: ThreedsProviders
}

/** The fields that a buyer's own page adds to a payment. */
export interface FromPage extends Pick<Payment, 'preview'>, Pick<Order, 'buyer'> {
  funnelSessionId: string
  terms: PageTerms
  /** The card that is charged, which may be one that `alongside` puts on record. */
  instrument: PayingInstrument
  /** Whether the buyer has to be authenticated, whatever the flow says. */
  mustAuthenticate: boolean
  /** Statements that belong into the payment's first unit. */
  alongside: (payment: Payment) => readonly Write[]
}

/** A payment with everything it needs, before it is known whether it may begin. */
export interface PreparedPayment {
  body: NewPayment
  page: FromPage | null
  route: Route
  customerId: string
  /** Whose different cards the flow's abuse detection counts, or `null`. */
  countedBuyer: string | null
  price: OrderPrice
  /** How the store sells subscriptions; `null` for a renewal, which sells none. */
  selling: Selling | null
  /** `null` where there is nothing to pay. */
  next: NextAttempt | null
  /** Spends the token of a saved card's security code. */
  spending: Write[]
  /** The provider that authenticates the buyer, `null` where there is none. */
  authenticator: ThreedsProviderName | null
  /** The subscription that is renewed, `null` for what a buyer has just bought. */
  renewal: Renewal | null
}

/**
 * Prices the order, and picks the processor.
 *
 * @param paying Who charges; and what a buyer's page adds, `null` for a server.
 * @throws {ApiError} For missing resources, `no_eligible_processor`, and `unavailable` where the flow requires
 *   authentication and there is no provider.
 */
export async function preparePayment(
  body: NewPayment,
  context: RequestContext,
  { page, ...paying }: Paying & { page: FromPage | null },
): Promise<PreparedPayment> {
  const { accountId } = context.caller
  requireUnexpired(body.recurringInfo, context.nowMs)
  const [ofStore, own] = await Promise.all([
    requireFlowOf(body, accountId, context.services.db),
    page?.instrument ?? findInstrument(body.paymentInstrumentId, accountId, context.services.db),
  ])
  const { threedsProvider, store } = ofStore
  requireCharged(store, body.currency)
  const flow = flowFor(page?.preview ?? null, ofStore.flow)
  if (flow.threeDsEnabled) await requireProvider(threedsProvider, paying.threedsProviders)
  const instrument = requirePaying(own, body)
  const { customerId } = instrument
  const { codeId, writes: spending } = await securityCodeOf(body, instrument, context)
  const price = await pricePayment(body, page?.terms ?? null, context)
  const selling = sellingOf(store)
  if (page?.preview == null)
    await requireRoom(price.lines, { selling, storeId: body.storeId, accountId, customerId }, context.services.db)
  const lastSuccess = await findLastSuccess({ accountId, customerId, flow }, context.services.db)
  const isPreview = page !== null && page.preview !== null
  const card = { ...instrument, codeId }
  const route: Route = { accountId, flow, currency: body.currency, card, lastSuccess, isPreview }
  const next = price.amount === 0 ? null : await firstAttempt(route, context, paying)
  const isWithout = page?.preview?.threeds === 'none'
  const canAuthenticate = !isWithout && (await paying.threedsProviders(threedsProvider)) !== null
  const authenticator = canAuthenticate ? threedsProvider : null
  const payer = { instrument, funnelSessionId: page?.funnelSessionId ?? null }
  const counted = flow.abuseDetectionConfig === null ? null : await countedBuyer(payer, context)
  const buyer = { customerId, countedBuyer: counted, selling }
  return { body, page, route, ...buyer, price, next, spending, authenticator, renewal: null }
}

/** The code of a card that was just typed waits under the card's id; that of a saved one under its token's. */
async function securityCodeOf(
  { securityCodeToken, storeId, paymentInstrumentId }: NewPayment,
  { cardId }: PayingInstrument,
  context: RequestContext,
): Promise<{ codeId: string; writes: Write[] }> {
  if (securityCodeToken === undefined) return { codeId: cardId, writes: [] }
  return redeemSecurityCode(securityCodeToken, { storeId, paymentInstrumentId }, context)
}

function requirePaying(instrument: PayingInstrument | null, body: NewPayment): PayingInstrument {
  if (instrument === null || instrument.storeId !== body.storeId) {
    throw missing('payment instrument', body.paymentInstrumentId, 'paymentInstrumentId')
  }
  if (!instrument.isActive) {
    throw new ApiError('state_conflict', 'The payment instrument is no longer active; ask the buyer for another card.')
  }
  return instrument
}
