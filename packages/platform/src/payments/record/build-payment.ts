import type { AbuseLimit, AppliedPromotion, Payment, ThreedsProviderName } from '@tillwright/contract'
import { CLAIM_LEASE_MS } from '../../cluster/index.ts'
import { unlessErased } from '../../customers/index.ts'
import { emit, type Emitter } from '../../events/index.ts'
import { byCard, byNothing, eventFacts } from '../../ledger/index.ts'
import { insertOrder, type OrderPrice, paramOf } from '../../orders/index.ts'
import { reserveUses } from '../../promotions/index.ts'
import type { RequestContext, Services, Write } from '../../request-context.ts'
import { type AbuseDetection, insertAttempt, type Route, type Untried } from '../../routing/index.ts'
import { beginSubscriptions, holdSubscription, type RecurringPart } from '../../subscriptions/index.ts'
import {
  insertSession,
  isCountedLowValue,
  isMandated,
  newSession,
  type SessionRecord,
  signActionToken,
  takeLowValue,
} from '../../threeds/index.ts'
import { isVerification, type PreparedPayment } from '../prepare/index.ts'
import { agreementOf, exemptionOf } from './exemption.ts'
import { insertPayment, type Starting } from './insert-payment.ts'

/** A payment as it is to be put on record, before any service outside is asked. */
export interface BuiltPayment {
  /** Its first attempt is under way; it has none where no processor may be asked, or the buyer has to do something first. */
  payment: Payment
  route: Route
  /** The promotions of its order, of which a use each is set aside until the payment is completed. */
  applied: readonly AppliedPromotion[]
  /** Why no processor may be asked, or `null`. */
  stopped: Untried | null
  /** The session that it waits for, or `null`. */
  session: SessionRecord | null
  /** The process that has it in hand. */
  holder: string
  writes: Write[]
}

/**
 * Builds the records that must exist before the card is charged.
 *
 * @param over The limits of the flow's abuse detection that are exceeded, and are not what refuses the payment.
 */
export function buildPayment(prepared: PreparedPayment, over: readonly AbuseLimit[], context: Starting): BuiltPayment {
  const { body, page, route, customerId, price, next, authenticator } = prepared
  const { stopped, waits, sca, ...decided } = decide(prepared, over)
  const { storeId, paymentInstrumentId = null } = body
  const subject = { id: prepared.paymentId, storeId, customerId, paymentInstrumentId }
  // Where the flow authenticates buyers, the payment was not prepared without a provider.
  const session = waits && authenticator !== null ? sessionFor(subject, authenticator, context) : null
  const asked = sca?.requestedIn === 'authorization' ? sca.asked : null
  const exemption = asked && { asked, result: null }
  const attempts =
    next !== null && 'attempt' in next && stopped === null && !waits ? [{ ...next.attempt, exemption }] : []
  const now = new Date(context.nowMs).toISOString()
  const order = { ...subject, accountId: context.caller.accountId, orderId: prepared.orderId }
  const recurring = recurringOf(prepared, order, context)
  const payment: Payment = {
    ...order,
    paymentMethod: shownMethod(prepared),
    returnUrl: body.returnUrl ?? null,
    expiresAt: null,
    paymentFlowId: route.flow.id,
    status: session === null ? 'processing' : 'requires_action',
    requireAction: session === null ? 'none' : 'threeds_auth',
    nextAction: null,
    threedsSessionId: session?.id ?? null,
    amount: price.amount,
    currency: body.currency,
    captureMethod: body.captureMethod,
    statementDescriptor: body.statementDescriptor ?? null,
    ...agreementOf(prepared, { links: recurring.links, sca }),
    capturedAmount: 0,
    refundedAmount: 0,
    declineCode: null,
    attempts,
    captures: [],
    refunds: [],
    disputes: [],
    funnelSessionId: page?.funnelSessionId ?? null,
    preview: page?.preview ?? null,
    routing: { overLimits: [...over], paidLate: false, ...decided, sca, stopped },
    subscriptions: recurring.links,
    createdAt: now,
    updatedAt: now,
  }
  const writes = [...startWrites(payment, { prepared, session }, context), ...recurring.writes]
  const { id: holder } = context.services.cluster.self
  return { payment, route, applied: reservedBy(payment, price), stopped, session, holder, writes }
}

/** The payment's method as it is shown: of an account its last digits, of a mandate its reference. */
function shownMethod({ other, next }: PreparedPayment): Payment['paymentMethod'] {
  if (next === null) return byNothing
  if (other === null) return byCard
  const { method: type } = other
  const account = other.type === 'debit' ? other : null
  const sepaDebit = account && {
    ibanLast4: account.account.iban.slice(-4),
    mandateReference: account.mandate.reference,
  }
  return { type, sepaDebit, voucher: null }
}

/** The promotions of which a payment's order takes a use: a preview uses up nothing. */
function reservedBy({ preview }: Payment, { promotions }: OrderPrice): readonly AppliedPromotion[] {
  return preview === null ? promotions.applied : []
}

/** The subscriptions that the payment begins, or the one that it renews. */
function recurringOf(
  { price, page, route, body, renewal, selling }: PreparedPayment,
  order: Pick<Payment, 'id' | 'accountId' | 'orderId' | 'storeId' | 'customerId' | 'paymentInstrumentId'>,
  context: Starting,
): RecurringPart {
  if (renewal !== null) return holdSubscription(renewal, order)
  // Purchases of a preview are not delivered, and so neither renewed.
  if (page !== null && page.preview !== null) return { links: [], writes: [] }
  const { currency } = body
  const { paymentInstrumentId } = order
  // Only cards are charged again later: prices that recur were refused with any other method.
  if (paymentInstrumentId === null) return { links: [], writes: [] }
  return beginSubscriptions(
    price.lines,
    { ...order, paymentInstrumentId, paymentFlowId: route.flow.id, currency, selling },
    context,
  )
}

/** Who wants the buyer to be authenticated, and whether the payment waits for that or may not go on at all. */
function decide(prepared: PreparedPayment, over: readonly AbuseLimit[]) {
  const { body, page, route, next, other } = prepared
  const abuseAction = abuseActionOf(route.flow.abuseDetectionConfig, over)
  const isWanted = page?.mustAuthenticate === true || prepared.merchantChallenges
  const challengeMandated = isWanted || isMandated(body.challengePreference)
  const isCard = other === null && next !== null
  // Whom the wallet has authenticated is not asked again: a device's number has no challenge of its own.
  const isChallenged = isCard && (abuseAction === 'challenge_3ds' || challengeMandated) && !prepared.isAuthenticated
  const stopped = stoppedBy(prepared, isChallenged)
  const sca = exemptionOf(prepared, isChallenged)
  const isAuthenticated = isChallenged || (route.flow.threeDsEnabled && sca?.requestedIn !== 'authorization')
  return { abuseAction, challengeMandated, sca, stopped, waits: isCard && stopped === null && isAuthenticated }
}

/** Why no processor may be asked, or `null`. */
function stoppedBy({ next, authenticator }: PreparedPayment, isChallenged: boolean): Untried | null {
  if (next !== null && 'stopped' in next && next.stopped !== 'no_processor_left') return next.stopped
  return isChallenged && authenticator === null ? 'authentication_required' : null
}

function abuseActionOf(config: AbuseDetection | null, over: readonly AbuseLimit[]): Payment['routing']['abuseAction'] {
  if (config === null || config.action === 'block' || over.length === 0) return 'none'
  return config.action
}

/**
 * A waiting payment makes no call: it is left to its buyer at once, unless it is counted against limits before it is
 * answered.
 */
function leaseOf(session: SessionRecord | null, { flow }: Route, { nowMs }: Starting): number {
  const isAnsweredAtOnce = session !== null && flow.abuseDetectionConfig === null
  return isAnsweredAtOnce ? buyersUntilMs(session) : nowMs + CLAIM_LEASE_MS
}

type WithSession = { prepared: PreparedPayment; session: SessionRecord | null }

function startWrites(payment: Payment, { prepared, session }: WithSession, context: Starting): Write[] {
  const { route, page, price, body, spending } = prepared
  const ofPage = { isPreview: payment.preview !== null, buyer: page?.buyer ?? null }
  const { accountId, orderId, storeId, customerId, currency } = payment
  const { subject, ordered, moved } = eventFacts(payment, payment.status)
  const { fingerprint: cardFingerprint } = route.card
  return [
    // While the merchant's server was asked, the customer may have been erased; the subscriptions of one have ended.
    ...(prepared.renewal === null ? [unlessErased(customerId, accountId)] : []),
    ...insertOrder(
      { ...price, ...ofPage, id: orderId, accountId, storeId, customerId, currency, metadata: body.metadata },
      context.nowMs,
    ),
    ...reserveUses({ accountId, applied: reservedBy(payment, price) }, (promotion) => paramOf(promotion, body)),
    insertPayment(payment, { card: route.card, leaseUntilMs: leaseOf(session, route, context) }, context),
    ...payment.attempts.map((attempt) =>
      insertAttempt({ attempt, payment, ordinal: 1, cardFingerprint }, context.nowMs),
    ),
    ...(isCountedLowValue(payment) ? takeLowValue(payment, { cardFingerprint, nowMs: context.nowMs }) : []),
    // A renewal has no checkout to start, and a card that is verified buys nothing.
    ...(prepared.renewal === null && !isVerification(price)
      ? emit('s_checkout_started', { ...subject, properties: ordered }, context)
      : []),
    ...(isVerification(price) ? [] : emit('s_order_created', { ...subject, properties: ordered }, context)),
    ...emit('s_payment_created', { ...subject, properties: moved }, context),
    ...spending,
    ...(page?.alongside(payment) ?? []),
    ...(session === null ? [] : waitWrites(payment, session, context)),
  ]
}

/** How long a shop's server has after a session's time to continue the payment of a buyer who was authenticated. */
export const CONTINUE_WITHIN_MS = 10 * 60 * 1_000

/** A payment that is about to be put on record. */
type NewlyMade = Pick<Payment, 'id' | 'storeId' | 'customerId' | 'paymentInstrumentId'>

/** The session that a payment waits for, at the provider of its account. */
export function sessionFor(
  payment: NewlyMade,
  provider: ThreedsProviderName,
  context: Emitter & Pick<RequestContext, 'services'>,
): SessionRecord {
  const { id: paymentId, storeId, customerId, paymentInstrumentId } = payment
  if (paymentInstrumentId === null) throw new Error(`The payment ${paymentId} has no card to authenticate.`)
  return newSession({ storeId, paymentInstrumentId, provider }, { customerId, paymentId, keyId: null }, context)
}

/** The statements that record a payment's session, and tell that its buyer has to do something. */
export function waitWrites(payment: Payment, session: SessionRecord, context: Emitter): Write[] {
  const { requireAction } = payment
  const { id: sessionId, provider, status, paymentInstrumentId } = session
  const { subject, moved } = eventFacts(payment, payment.status)
  return [
    insertSession(session, undefined),
    ...emit(
      's_threeds_session_created',
      { ...subject, properties: { sessionId, paymentInstrumentId, provider, status } },
      context,
    ),
    ...emit('s_payment_action_required', { ...subject, properties: { ...moved, requireAction, sessionId } }, context),
  ]
}

/** A payment as its shop's server sees it: with the token for the buyer's page while it waits for the buyer. */
export function withNextAction(payment: Payment, { secrets }: Pick<Services, 'secrets'>): Payment {
  const { accountId, threedsSessionId: sessionId } = payment
  if (payment.requireAction !== 'threeds_auth' || sessionId === null) return payment
  const actionToken = signActionToken({ accountId, sessionId }, secrets)
  return { ...payment, nextAction: { type: 'threeds_auth', actionToken, sessionId } }
}

/** Until when a payment that waits for a session is its buyer's, in Unix milliseconds: then a worker ends it. */
export function buyersUntilMs({ expiresAtMs }: Pick<SessionRecord, 'expiresAtMs'>): number {
  return expiresAtMs + CONTINUE_WITHIN_MS
}

/**
 * The statement that leaves a waiting payment to its buyer, in the transaction that answers its request. Until then its
 * lease is that of any payment in progress, so that recovery finds the unanswered ones.
 */
export function leaveToBuyer({ accountId, id }: Pick<Payment, 'accountId' | 'id'>, untilMs: number): Write {
  return {
    sql: `UPDATE payments SET lease_until = ? WHERE account_id = ? AND id = ? AND status = 'requires_action'`,
    params: [untilMs, accountId, id],
  }
}
