import type {
  AbuseLimit,
  AppliedPromotion,
  NewPayment,
  Order,
  Payment,
  ThreedsProviderName,
} from '@tillwright/contract'
import { CLAIM_LEASE_MS } from '../accounts/idempotency-keys.ts'
import { ApiError, missing } from '../ambient/api-error.ts'
import type { Call, Write } from '../call.ts'
import { emit, type Emitter } from '../events/emit.ts'
import { reserveUses } from '../promotions/promotion-usage.ts'
import { redeemSecurityCode } from '../vault/redeem-security-code.ts'
import { eventFacts } from './event-facts.ts'
import { sessionFor, waitWrites } from './require-authentication.ts'
import { countedBuyer, type AbuseDetection } from './routing/abuse-detection.ts'
import { insertAttempt } from './attempts/attempt-writes.ts'
import type { Charging } from './attempts/charge-card.ts'
import { firstAttempt } from './routing/first-attempt.ts'
import { flowFor } from './routing/flow-for.ts'
import type { NextAttempt } from './routing/next-attempt.ts'
import { insertPayment } from './insert-payment.ts'
import { buyersUntilMs } from './leave-to-buyer.ts'
import { insertOrder } from './orders/orders.ts'
import { requireFlowOf } from './routing/payment-flows.ts'
import { findInstrument, type PayingInstrument } from './payment-instruments.ts'
import type { OrderPrice } from './orders/price-order.ts'
import type { PageTerms } from './orders/ship-order.ts'
import { paramOf, pricePayment } from './orders/price-payment.ts'
import { findLastSuccess, type Route } from './routing/route.ts'
import { beginSubscriptions, type RecurringPart } from './subscriptions/begin-subscriptions.ts'
import { holdSubscription, type Renewal } from './subscriptions/hold-subscription.ts'
import type { SessionRecord } from './threeds/session-record.ts'
import { requireProvider, type ThreedsProviders } from './threeds/threeds-providers.ts'

/** Who charges, and who authenticates buyers. */
export interface Paying extends Charging {
  threedsProviders: ThreedsProviders
}

/** What a buyer's own page adds to a payment. */
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

/** What a payment is made of, before it is known whether it may begin. */
export interface PreparedPayment {
  body: NewPayment
  page: FromPage | null
  route: Route
  customerId: string
  /** Whose different cards the flow's abuse detection counts, or `null`. */
  countedBuyer: string | null
  price: OrderPrice
  /** `null` where there is nothing to pay. */
  next: NextAttempt | null
  /** Spends the token of a saved card's security code. */
  spending: Write[]
  /** The provider that authenticates the buyer, `null` where nobody can. */
  authenticator: ThreedsProviderName | null
  /** The subscription that is renewed, `null` for what a buyer has just bought. */
  renewal: Renewal | null
}

/** A payment as it is to be put on record, before anybody outside is asked. */
export interface StartedPayment {
  /** Its first attempt is under way; it has none where no processor may be asked, or the buyer has to do something first. */
  payment: Payment
  route: Route
  /** The promotions of its order, of which a use each is set aside until the payment is settled. */
  applied: readonly AppliedPromotion[]
  /** Why no processor may be asked, or `null`. */
  stopped: 'scheme_limit' | 'authentication_required' | null
  /** The session that it waits for, or `null`. */
  session: SessionRecord | null
  writes: Write[]
}

/**
 * Prices the order, and picks the processor.
 *
 * @param paying Who charges; and what a buyer's page adds, `null` for a server.
 * @throws {ApiError} For what there is not, `no_eligible_processor`, and `unavailable` where the flow has buyers
 *   authenticated and nobody can.
 */
export async function preparePayment(
  body: NewPayment,
  call: Call,
  { page, ...paying }: Paying & { page: FromPage | null },
): Promise<PreparedPayment> {
  const { accountId } = call.caller
  const [ofStore, own] = await Promise.all([
    requireFlowOf(body, accountId, call.parts.db),
    page?.instrument ?? findInstrument(body.paymentInstrumentId, accountId, call.parts.db),
  ])
  const { threedsProvider } = ofStore
  const flow = flowFor(page?.preview ?? null, ofStore.flow)
  if (flow.threeDsEnabled) await requireProvider(threedsProvider, paying.threedsProviders)
  const instrument = requirePaying(own, body)
  const { customerId } = instrument
  const { codeId, writes: spending } = await securityCodeOf(body, instrument, call)
  const price = await pricePayment(body, page?.terms ?? null, call)
  const lastSuccess = await findLastSuccess({ accountId, customerId, flow }, call.parts.db)
  const route: Route = { accountId, flow, currency: body.currency, card: { ...instrument, codeId }, lastSuccess }
  const next = price.amount === 0 ? null : await firstAttempt(route, call, paying)
  const isWithout = page?.preview?.threeds === 'none'
  const canAuthenticate = !isWithout && (await paying.threedsProviders(threedsProvider)) !== null
  const authenticator = canAuthenticate ? threedsProvider : null
  const payer = { instrument, funnelSessionId: page?.funnelSessionId ?? null }
  const counted = flow.abuseDetectionConfig === null ? null : await countedBuyer(payer, call)
  return { body, page, route, customerId, countedBuyer: counted, price, next, spending, authenticator, renewal: null }
}

/** The code of a card that was just typed waits under the card's id; that of a saved one under its token's. */
async function securityCodeOf(
  { securityCodeToken, storeId, paymentInstrumentId }: NewPayment,
  { cardId }: PayingInstrument,
  call: Call,
): Promise<{ codeId: string; writes: Write[] }> {
  if (securityCodeToken === undefined) return { codeId: cardId, writes: [] }
  return redeemSecurityCode(securityCodeToken, { storeId, paymentInstrumentId }, call)
}

/** The part of a call that a payment begins with, so that a worker can begin one too. */
export type Starting = Emitter & Pick<Call, 'parts' | 'idempotencyKey'>

/**
 * What must be on record before the card is charged.
 *
 * @param over The limits of the flow's abuse detection that are exceeded, and are not what refuses the payment.
 */
export function startPayment(prepared: PreparedPayment, over: readonly AbuseLimit[], call: Starting): StartedPayment {
  const { body, page, route, customerId, price, next, authenticator } = prepared
  const abuseAction = abuseActionOf(route.flow.abuseDetectionConfig, over)
  const challengeMandated = page?.mustAuthenticate === true
  const isChallenged = abuseAction === 'challenge_3ds' || challengeMandated
  const stopped =
    next !== null && 'stopped' in next
      ? 'scheme_limit'
      : isChallenged && authenticator === null
        ? 'authentication_required'
        : null
  const { storeId, paymentInstrumentId } = body
  const subject = { id: call.newId('pay'), storeId, customerId, paymentInstrumentId }
  const waits = next !== null && stopped === null && (route.flow.threeDsEnabled || isChallenged)
  // Where the flow authenticates buyers, the payment was not prepared without a provider.
  const session = waits && authenticator !== null ? sessionFor(subject, authenticator, call) : null
  const attempts = next !== null && 'attempt' in next && stopped === null && !waits ? [next.attempt] : []
  const now = new Date(call.nowMs).toISOString()
  const order = { ...subject, accountId: call.caller.accountId, orderId: call.newId('order') }
  const recurring = recurringOf(prepared, order, call)
  const payment: Payment = {
    ...order,
    paymentFlowId: route.flow.id,
    status: session === null ? 'processing' : 'requires_action',
    requireAction: session === null ? 'none' : 'threeds_auth',
    nextAction: null,
    threedsSessionId: session?.id ?? null,
    amount: price.amount,
    currency: body.currency,
    captureMethod: body.captureMethod,
    statementDescriptor: body.statementDescriptor ?? null,
    capturedAmount: 0,
    refundedAmount: 0,
    declineCode: null,
    attempts,
    captures: [],
    refunds: [],
    disputes: [],
    funnelSessionId: page?.funnelSessionId ?? null,
    preview: page?.preview ?? null,
    routing: { overLimits: [...over], challengeMandated, abuseAction, stopped },
    subscriptions: recurring.links,
    createdAt: now,
    updatedAt: now,
  }
  const writes = [...startWrites(payment, { prepared, session }, call), ...recurring.writes]
  return { payment, route, applied: reservedBy(payment, price), stopped, session, writes }
}

/** The promotions of which a payment's order takes a use: a preview uses up nothing. */
function reservedBy({ preview }: Payment, { promotions }: OrderPrice): readonly AppliedPromotion[] {
  return preview === null ? promotions.applied : []
}

/** What the payment does for subscriptions: those that it begins, or the one that it renews. */
function recurringOf(
  { price, page, route, body, renewal }: PreparedPayment,
  order: Pick<Payment, 'id' | 'accountId' | 'orderId' | 'storeId' | 'customerId' | 'paymentInstrumentId'>,
  call: Starting,
): RecurringPart {
  if (renewal !== null) return holdSubscription(renewal, order)
  // What a preview buys is not delivered, and so neither renewed.
  if (page !== null && page.preview !== null) return { links: [], writes: [] }
  const { currency } = body
  return beginSubscriptions(price.lines, { ...order, paymentFlowId: route.flow.id, currency }, call)
}

function abuseActionOf(config: AbuseDetection | null, over: readonly AbuseLimit[]): Payment['routing']['abuseAction'] {
  if (config === null || config.action === 'block' || over.length === 0) return 'none'
  return config.action
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

/** One that waits calls nobody: it is its buyer's at once, unless it is counted against limits before it is answered. */
function leaseOf(session: SessionRecord | null, { flow }: Route, { nowMs }: Starting): number {
  const isAnsweredAtOnce = session !== null && flow.abuseDetectionConfig === null
  return isAnsweredAtOnce ? buyersUntilMs(session) : nowMs + CLAIM_LEASE_MS
}

type WithSession = { prepared: PreparedPayment; session: SessionRecord | null }

function startWrites(payment: Payment, { prepared, session }: WithSession, call: Starting): Write[] {
  const { route, page, price, body, spending } = prepared
  const ofPage = { isPreview: payment.preview !== null, buyer: page?.buyer ?? null }
  const { accountId, orderId, storeId, customerId, currency } = payment
  const { subject, ordered, moved } = eventFacts(payment, payment.status)
  const { fingerprint: cardFingerprint } = route.card
  return [
    insertOrder(
      { ...price, ...ofPage, id: orderId, accountId, storeId, customerId, currency, metadata: body.metadata },
      call.nowMs,
    ),
    ...reserveUses({ accountId, applied: reservedBy(payment, price) }, (promotion) => paramOf(promotion, body)),
    insertPayment(payment, leaseOf(session, route, call), call),
    ...payment.attempts.map((attempt) => insertAttempt({ attempt, payment, ordinal: 1, cardFingerprint }, call.nowMs)),
    // Nobody is at a checkout when a subscription is renewed.
    ...(prepared.renewal === null ? emit('s_checkout_started', { ...subject, properties: ordered }, call) : []),
    ...emit('s_order_created', { ...subject, properties: ordered }, call),
    ...emit('s_payment_created', { ...subject, properties: moved }, call),
    ...spending,
    ...(page?.alongside(payment) ?? []),
    ...(session === null ? [] : waitWrites(payment, session, call)),
  ]
}
