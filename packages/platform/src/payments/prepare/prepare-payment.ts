import type {
  NewPayment,
  Order,
  OrderHook,
  OrderLine,
  Payment,
  PaymentFlow,
  StockAnswer,
  ThreedsProviderName,
} from '@tillwright/contract'
import { requireCharged } from '../../catalog/index.ts'
import { findEmail, type PayingInstrument } from '../../customers/index.ts'
import { askHook, type Asking, findHooks, type HookSubject, type StoreHooks } from '../../hooks/index.ts'
import { hookLines, type OrderPrice, type PageTerms, paramOf, pricePayment } from '../../orders/index.ts'
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
  requireUnexpired(body.recurringInfo, context.nowMs)
  const [ofStore, own] = await Promise.all([
    requireFlowOf(body, accountId, context.services.db),
    page?.instrument ?? findPaying(body, context),
  ])
  const { threedsProvider, store } = ofStore
  requireCharged(store, body.currency)
  const hooks = ofStore.hasHooks ? await findHooks(body.storeId, accountId, context.services.db) : {}
  const isAbsent = body.initiatedBy === 'merchant'
  const isCard = body.paymentMethod === undefined
  const other = otherMethod(body.paymentMethod, context)
  const instrument = requirePaying(own, body)
  const isAuthenticated = isProvenByWallet(instrument.approval)
  const flow = flowFor(page?.preview ?? null, flowWith(ofStore.flow, { isAbsent, mayAsk: isCard && !isAuthenticated }))
  if (flow.threeDsEnabled) await requireProvider(threedsProvider, paying.threedsProviders)
  const { customerId } = instrument
  const { codeId, writes: spending } = await securityCodeOf(body, instrument, context)
  const isPreview = page !== null && page.preview !== null
  const price = await pricePayment(body, { page: page?.terms ?? null, hooks }, context)
  const isAsked = price.amount > 0 || isVerification(price) || (!isPreview && isOwedLater(price.lines))
  if (body.paymentMethod !== undefined)
    requireFitting(body.paymentMethod, { ...price, currency: body.currency, isAsked })
  requireApproved(instrument.approval, { amount: price.amount, currency: body.currency })
  const selling = sellingOf(store)
  if (!isPreview)
    await requireRoom(price.lines, { selling, storeId: body.storeId, accountId, customerId }, context.services.db)
  const lastSuccess = await findLastSuccess({ accountId, customerId, flow }, context.services.db)
  const charged = { instrument, codeId, other, buyer: page?.buyer ?? null }
  const route = routeOf(body, charged, { accountId, flow, lastSuccess, isPreview })
  const next = isAsked ? await firstAttempt(route, context, paying) : null
  const exemption = isCard
    ? await exemptionFacts({ body, instrument, route, ...costOf(price), next, ...paying }, context)
    : null
  const isWithout = page?.preview?.threeds === 'none'
  const canAuthenticate =
    isCard && !isWithout && !isAbsent && !isAuthenticated && (await paying.threedsProviders(threedsProvider)) !== null
  const authenticator = canAuthenticate ? threedsProvider : null
  const counting = { instrument, funnelSessionId: page?.funnelSessionId ?? null }
  const counted = flow.abuseDetectionConfig === null ? null : await countedBuyer(counting, context)
  const buyer = { customerId, countedBuyer: counted, selling }
  const ids = { paymentId: context.newId('pay'), orderId: context.newId('order') }
  const email = hooks.risk === undefined ? null : (page?.buyer?.email ?? (await findEmail(customerId, context)))
  const { asked, challenge } = await askMerchant({ ...ids, body, page, instrument, price, hooks, email }, context)
  const answered = { price: { ...price, hooks: [...price.hooks, ...asked] }, merchantChallenges: challenge }
  const decided = { next, exemption, authenticator, isAuthenticated }
  return { ...ids, body, page, route, other, ...buyer, ...answered, ...decided, spending, renewal: null }
}

/**
 * The flow as it holds for this charge. In a charge in the buyer's absence there is no one to authenticate, and no one
 * who could test cards. A buyer whom a wallet has authenticated, or who pays without a card, is not asked.
 */
function flowWith(flow: PaymentFlow, { isAbsent, mayAsk }: { isAbsent: boolean; mayAsk: boolean }): PaymentFlow {
  if (isAbsent) return { ...flow, threeDsEnabled: false, abuseDetectionConfig: null }
  return mayAsk ? flow : { ...flow, threeDsEnabled: false }
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

/** A payment that is about to be put on record. */
export interface ToAskAbout {
  body: NewPayment
  page: { preview: unknown; funnelSessionId: string; terms: PageTerms } | null
  instrument: PayingInstrument
  price: OrderPrice
  paymentId: string
  orderId: string
  hooks: StoreHooks
  email: string | null
}

/** The answer of the merchant's server on a payment that may begin. */
export interface MerchantsWord {
  /** Questions and answers, for the order to keep. */
  asked: readonly OrderHook[]
  /** Whether the buyer has to be authenticated. */
  challenge: boolean
}

/**
 * Asks the store's hooks for `stock` and `risk`, both at once, before anything is on record. Where there is nothing to
 * pay, there is no risk; a preview sells nothing, so neither is asked.
 *
 * @throws {ApiError} `out_of_stock`, `risk_refused`, `stock_unanswered`, `risk_unanswered`.
 */
async function askMerchant(payment: ToAskAbout, context: Asking): Promise<MerchantsWord> {
  const { hooks, page, price } = payment
  const isAsked = page?.preview == null && (hooks.stock !== undefined || hooks.risk !== undefined)
  if (!isAsked) return { asked: [], challenge: false }
  const subject = await subjectOf(payment, context)
  const ofStock = { ...subject, email: null, card: null, buyerIp: null }
  const problemOf = (answer: StockAnswer) => stockProblem(answer, price.lines)
  const [stock, risk] = await Promise.all([
    price.lines.length === 0 ? null : askHook({ kind: 'stock', subject: ofStock, problemOf }, hooks, context),
    price.amount === 0 ? null : askHook({ kind: 'risk', subject }, hooks, context),
  ])
  // A debit takes whatever account was typed; of the other methods the bank asks the buyer, or the money comes first.
  const isUnproven = risk?.answer?.decision === 'challenge' && payment.body.paymentMethod?.type === 'sepa_debit'
  if (risk?.answer?.decision === 'refuse' || isUnproven) {
    const message =
      'The merchant does not take this payment; nothing was charged. Ask the buyer for another way to pay.'
    throw new ApiError('risk_refused', message)
  }
  if (stock !== null && stock.answer !== null) requireStock(stock.answer, payment)
  const asked = [stock, risk].flatMap((each) => each?.record ?? [])
  return { asked, challenge: risk?.answer?.decision === 'challenge' }
}

async function subjectOf(
  { body, page, instrument, price, paymentId, orderId, email }: ToAskAbout,
  context: Asking,
): Promise<HookSubject> {
  const { brand, last4, customerId } = instrument
  return {
    paymentId,
    orderId,
    customerId,
    sessionId: page?.funnelSessionId ?? null,
    currency: body.currency,
    amount: price.amount,
    shippingAmount: price.shippingAmount - price.shippingDiscount,
    lines: await hookLines(price.lines, body.storeId, context),
    destination: page === null ? (body.destination ?? null) : page.terms.destination,
    email: email === '' ? null : email,
    card: body.paymentMethod === undefined ? { brand, last4 } : null,
    buyerIp: body.buyerIp ?? null,
  }
}

function stockProblem({ lines: answers }: StockAnswer, lines: readonly OrderLine[]): string | null {
  const answered = new Set(answers.map(({ line }) => line))
  const isWhole = answers.length === lines.length && lines.every((_, index) => answered.has(index))
  return isWhole ? null : `lines: must have one entry for each of the ${lines.length} lines`
}

function requireStock({ lines: answers }: StockAnswer, { body, price }: ToAskAbout): void {
  const short = answers.find(({ available }) => !available)
  if (short === undefined) return
  const { line, quantity } = short
  const { name = '', promotionId = null } = price.lines[line] ?? {}
  const left = quantity === undefined || quantity === 0 ? 'is out of stock' : `has only ${quantity} left`
  const giver = price.promotions.applied.find((promotion) => promotion.promotionId === promotionId)
  const fix =
    giver === undefined
      ? 'Remove the line or lower its quantity.'
      : `It is a gift of the promotion '${giver.name}': remove its code, or end the promotion or the sale of the gift.`
  const param = giver === undefined ? `lines[${line}]` : paramOf(giver, body)
  throw new ApiError('out_of_stock', `'${name}' ${left}; nothing was charged. ${fix}`, { param })
}
