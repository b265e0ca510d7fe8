import type { NewPayment, Order, OrderLine, Payment, PaymentFlow, ThreedsProviderName } from '@tillwright/contract'
import { requireCharged } from '../../catalog/index.ts'
import type { PayingInstrument } from '../../customers/index.ts'
import { findHooks, type StoreHooks } from '../../hooks/index.ts'
import { type OrderPrice, type PageTerms, pricePayment } from '../../orders/index.ts'
import type { OtherMethod } from '../../processors/index.ts'
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
import { ApiError, inStore, missing, requireUnarchived } from '../../runtime/index.ts'
import { type Renewal, requireRoom, type Selling, sellingOf } from '../../subscriptions/index.ts'
import { requireProvider, requireUnexpired, type ThreedsProviders } from '../../threeds/index.ts'
import { redeemSecurityCode, type WalletApproval } from '../../vault/index.ts'
import { askMerchant } from './ask-merchant.ts'
import { exemptionFacts, type KnownExemptionFacts } from './exemption-facts.ts'
import { findPaying, otherMethod, requireFitting } from './other-methods.ts'
import { routeOf } from './route-of.ts'

/** Dependencies for charging cards and authenticating buyers. */
export interface Paying extends Charging {
  threedsProviders: ThreedsProviders
}

/** The fields that a buyer's own page adds to a payment. */
export interface FromPage extends Pick<Payment, 'preview'>, Pick<Order, 'buyer'> {
  funnelSessionId: string
  terms: PageTerms
  /** The card that is charged, which may be one that `alongside` puts on record; `null` for another method. */
  instrument: PayingInstrument | null
  /** Whether the buyer has to be authenticated, whatever the flow says. */
  mustAuthenticate: boolean
  /** Statements that belong into the payment's first transaction. */
  alongside: (payment: Payment) => readonly Write[]
}

/** A payment with everything it needs, before it is known whether it may begin. */
export interface PreparedPayment {
  paymentId: string
  orderId: string
  body: NewPayment
  page: FromPage | null
  route: Route
  /** The method charged instead of a card, or `null`. */
  other: OtherMethod | null
  customerId: string
  /** The buyer whose different cards the flow's abuse detection counts; `null` if it does not. */
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
  /** Facts that decide on exemptions from authentication; `null` where the flow asks for none. */
  exemption: KnownExemptionFacts | null
  /** Whether a wallet has authenticated the buyer for this payment. */
  isAuthenticated: boolean
  /** Whether the merchant's server wants the buyer to be authenticated, whatever the flow says. */
  merchantChallenges: boolean
  /** The subscription that is renewed, `null` for what a buyer has just bought. */
  renewal: Renewal | null
}

/**
 * Prices the order, picks the processor, and asks the merchant's server about stock and risk.
 *
 * @param paying The processors; and `page`, the input of a buyer's page, `null` for a server.
 * @throws {ApiError} For missing resources, `no_eligible_processor`, and `unavailable` where the flow requires
 *   authentication and there is no provider.
 */
export async function preparePayment(
  body: NewPayment,
  context: RequestContext,
  { page, ...paying }: Paying & { page: FromPage | null },
): Promise<PreparedPayment> {
  const { accountId } = context.caller
  const { db } = context.services
  requireUnexpired(body.recurringInfo, context.nowMs)
  const [ofStore, own] = await Promise.all([
    requireFlowOf(body, accountId, db),
    page?.instrument ?? findPaying(body, context),
  ])
  const { threedsProvider, store } = ofStore
  requireCharged(store, body.currency)
  const hooks = ofStore.hasHooks ? await findHooks(body.storeId, accountId, db) : {}
  const instrument = requirePaying(own, body)
  const other = otherMethod(body.paymentMethod, context)
  const isAuthenticated = isProvenByWallet(instrument.approval)
  const isAbsent = body.initiatedBy === 'merchant'
  const mayAuthenticate = body.paymentMethod === undefined && !isAbsent && !isAuthenticated
  const flow = flowFor(page?.preview ?? null, flowWith(ofStore.flow, { isAbsent, mayAuthenticate }))
  if (flow.threeDsEnabled) await requireProvider(threedsProvider, paying.threedsProviders)
  const { codeId, writes: spending } = await securityCodeOf(body, instrument, context)
  const { customerId, approval } = instrument
  const isPreview = page !== null && page.preview !== null
  const { price, isAsked } = await requirePrice(body, { page, isPreview, hooks, approval }, context)
  const selling = sellingOf(store)
  if (!isPreview) await requireRoom(price.lines, { selling, storeId: body.storeId, accountId, customerId }, db)
  const lastSuccess = await findLastSuccess({ accountId, customerId, flow }, db)
  const charged = { instrument, codeId, other, buyer: page?.buyer ?? null }
  const route = routeOf(body, charged, { accountId, flow, lastSuccess, isPreview })
  const next = isAsked ? await firstAttempt(route, context, paying) : null
  const deciding = { body, instrument, route, ...costOf(price), next, ...paying }
  const exemption = body.paymentMethod === undefined ? await exemptionFacts(deciding, context) : null
  const isOffered = mayAuthenticate && page?.preview?.threeds !== 'none'
  const authenticator = isOffered && (await paying.threedsProviders(threedsProvider)) !== null ? threedsProvider : null
  const counting = { instrument, funnelSessionId: page?.funnelSessionId ?? null }
  const counted = flow.abuseDetectionConfig === null ? null : await countedBuyer(counting, context)
  const ids = { paymentId: context.newId('pay'), orderId: context.newId('order') }
  const { asked, challenge } = await askMerchant({ ...ids, body, page, instrument, price, hooks }, context)
  return {
    ...ids,
    body,
    page,
    route,
    other,
    customerId,
    countedBuyer: counted,
    price: { ...price, hooks: [...price.hooks, ...asked] },
    selling,
    next,
    spending,
    authenticator,
    exemption,
    isAuthenticated,
    merchantChallenges: challenge,
    renewal: null,
  }
}

/**
 * The flow as it holds for this charge. In a charge in the buyer's absence there is no one to authenticate, and no one
 * who could test cards. A buyer whom a wallet has authenticated, or who pays without a card, is not asked.
 */
function flowWith(
  flow: PaymentFlow,
  { isAbsent, mayAuthenticate }: { isAbsent: boolean; mayAuthenticate: boolean },
): PaymentFlow {
  return {
    ...flow,
    threeDsEnabled: flow.threeDsEnabled && mayAuthenticate,
    abuseDetectionConfig: isAbsent ? null : flow.abuseDetectionConfig,
  }
}

/** ECIs by which a network says that the buyer was not authenticated: Visa's and Mastercard's. */
const UNAUTHENTICATED: readonly (string | null)[] = ['07', '00']

/**
 * Whether a wallet has authenticated the buyer for the payment: it makes a cryptogram only when the device's owner has
 * confirmed. Apple Pay tells Mastercard's payments without an ECI.
 */
function isProvenByWallet(approval: WalletApproval | null): boolean {
  return approval !== null && !UNAUTHENTICATED.includes(approval.eci)
}

interface Priced {
  page: Pick<FromPage, 'terms'> | null
  isPreview: boolean
  hooks: StoreHooks
  approval: WalletApproval | null
}

/** What the order costs, as the method can pay it; and whether a processor is asked about it at all. */
async function requirePrice(
  body: NewPayment,
  { page, isPreview, hooks, approval }: Priced,
  context: RequestContext,
): Promise<{ price: OrderPrice; isAsked: boolean }> {
  const price = await pricePayment(body, { page: page?.terms ?? null, hooks }, context)
  const isAsked = price.amount > 0 || isVerification(price) || (!isPreview && isOwedLater(price.lines))
  if (body.paymentMethod !== undefined)
    requireFitting(body.paymentMethod, { ...price, currency: body.currency, isAsked })
  requireApproved(approval, { amount: price.amount, currency: body.currency })
  return { price, isAsked }
}

/** Refuses to charge more with a wallet's cryptogram than the buyer has approved in the wallet. */
function requireApproved(approval: WalletApproval | null, asked: { amount: number; currency: string }): void {
  if (approval === null || approval.amount === null) return
  if (approval.currency === asked.currency && asked.amount <= approval.amount) return
  const approved = `${approval.amount} ${approval.currency}`
  const message = `The buyer approved ${approved} (in minor units) in the wallet, and the payment comes to ${asked.amount} ${asked.currency}; show the whole amount in the wallet, and have the buyer approve it.`
  throw new ApiError('state_conflict', message, { param: 'paymentInstrumentId' })
}

/** Whether it is for nothing but a card to be saved: an order of no lines costs something. */
export function isVerification({ amount, lines }: Pick<OrderPrice, 'amount' | 'lines'>): boolean {
  return amount === 0 && lines.length === 0
}

function costOf({ amount, lines }: OrderPrice): { amount: number; isRecurring: boolean } {
  return { amount, isRecurring: lines.some(({ recurring }) => recurring !== null) }
}

/** Whether something is to be charged later, so that the card must be known to be good: a free trial is no gift. */
function isOwedLater(lines: readonly OrderLine[]): boolean {
  return lines.some(({ recurring, unitAmount }) => recurring !== null && unitAmount > 0)
}

/** The code of a card that was just typed waits under the card's id; that of a saved one under its token's. */
async function securityCodeOf(
  { securityCodeToken, storeId, paymentInstrumentId = '' }: NewPayment,
  { cardId }: PayingInstrument,
  context: RequestContext,
): Promise<{ codeId: string; writes: Write[] }> {
  if (securityCodeToken === undefined) return { codeId: cardId, writes: [] }
  return redeemSecurityCode(securityCodeToken, { storeId, paymentInstrumentId }, context)
}

function requirePaying(instrument: PayingInstrument | null, body: NewPayment): PayingInstrument {
  if (instrument === null || instrument.storeId !== body.storeId) {
    throw missing('payment instrument', body.paymentInstrumentId ?? '', inStore(body.storeId, 'paymentInstrumentId'))
  }
  if (!instrument.isActive) {
    throw new ApiError('state_conflict', 'The payment instrument is no longer active; ask the buyer for another card.')
  }
  if (body.initiatedBy === 'merchant' && instrument.consent?.usage !== 'off_session') {
    const message =
      'The buyer has not agreed to be charged with this payment instrument in their absence; take a payment with setupFutureUsage "off_session" first, while the buyer is there.'
    throw new ApiError('state_conflict', message, { param: 'paymentInstrumentId' })
  }
  requireUnarchived(
    'customer',
    { id: instrument.customerId, archived: instrument.isCustomerArchived },
    'paymentInstrumentId',
  )
  return instrument
}
