import type {
  AppliedPromotion,
  ErrorCode,
  Payment,
  PaymentAttempt,
  RoutingStop,
  ThreedsOutcome,
} from '@tillwright/contract'
import { isKnownOfCard, keepProcessorToken, renewCard } from '../../customers/index.ts'
import { emit, type Emitter } from '../../events/index.ts'
import { capturedAtOnce, eventFacts, movePayment, recordCapture } from '../../ledger/index.ts'
import { promotionsOf } from '../../orders/index.ts'
import type { CardToken, CardUpdate } from '../../processors/index.ts'
import { releaseUses } from '../../promotions/index.ts'
import type { Reply, Write } from '../../request-context.ts'
import {
  type AttemptOutcome,
  finishAttempt,
  lastAttempt,
  referenceOf,
  type Untried,
  withLastAttempt,
  withOutcome,
} from '../../routing/index.ts'
import { ApiError } from '../../runtime/index.ts'
import type { Database } from '../../storage/index.ts'
import { forgetRefusal, subscriptionsUnpaid } from '../../subscriptions/index.ts'
import { giveBackLowValue, isCountedLowValue } from '../../threeds/index.ts'
import { keepConsent } from '../record/index.ts'
import { orderDone, orderPaid, takeMoney } from './capture-money.ts'

/** A payment under way, and the promotions of its order of which a use each is set aside. */
export interface Unresolved {
  payment: Payment
  applied: readonly AppliedPromotion[]
  /** Why no further processor is asked; `null` after a success. */
  stopped: RoutingStop | null
  /** The process that must still hold the payment; any process unless given. */
  heldBy?: string | undefined
}

/** An outcome that ends a payment. */
export type KnownOutcome = Exclude<AttemptOutcome, { outcome: 'unknown' | 'redirect' | 'pending' }>

/** Whether an attempt is over: neither its processor nor its buyer has anything left to do. */
export function isKnown(outcome: AttemptOutcome): outcome is KnownOutcome {
  return outcome.outcome !== 'unknown' && outcome.outcome !== 'redirect' && outcome.outcome !== 'pending'
}

/** An outcome without the news of the card that are on record already. */
export async function withoutKnownNews(
  outcome: KnownOutcome,
  { accountId, paymentInstrumentId }: Payment,
  db: Database,
): Promise<KnownOutcome> {
  if (paymentInstrumentId === null || !('cardUpdate' in outcome) || outcome.cardUpdate === undefined) return outcome
  const { cardUpdate, ...rest } = outcome
  return (await isKnownOfCard({ accountId, paymentInstrumentId }, cardUpdate, db)) ? rest : outcome
}

/**
 * Ends a payment according to the processor's answer to its last attempt: the writes, and the answer for the caller. A
 * payment that no processor would take is declined for the reason of its last decline; it has `failed` when there was
 * no decline and the faults were technical.
 */
export function recordOutcome(unresolved: Unresolved, outcome: KnownOutcome, emitter: Emitter): Reply<Payment> {
  const { payment } = unresolved
  const finished = withOutcome(lastAttempt(payment), outcome, emitter.nowMs)
  const cardToken = ('cardToken' in outcome && outcome.cardToken) || null
  const cardUpdate = ('cardUpdate' in outcome && outcome.cardUpdate) || null
  const captured = 'captured' in outcome ? outcome.captured : undefined
  const last = { attempt: finished, reference: referenceOf(outcome), cardToken, cardUpdate, captured }
  const answered = { ...unresolved, payment: withLastAttempt(payment, finished) }
  switch (outcome.outcome) {
    case 'succeeded':
    case 'authorized':
      if (payment.amount === 0) return verified(answered, last, emitter)
      return (outcome.outcome === 'succeeded' ? succeeded : authorized)(answered, last, emitter)
    case 'declined':
    case 'threeds_required':
    case 'refused_before_acceptance':
      return unpaid(answered, last, emitter)
  }
}

/** Ends a payment that no processor was asked for, and that none may be asked for. */
export function declineUntried(unresolved: Unresolved & { stopped: Untried }, emitter: Emitter): Reply<Payment> {
  const declineCode = unresolved.stopped === 'scheme_limit' ? 'retry_limit_reached' : unresolved.stopped
  return end(unresolved, { declineCode, writes: [] }, emitter)
}

/** A finished attempt, and what its processor calls it and the card. */
interface Finished {
  attempt: PaymentAttempt
  reference: string | null
  cardToken: CardToken | null
  cardUpdate: CardUpdate | null
  /** How much of the payment was captured, where it was not all. */
  captured: number | undefined
}

/** A processor knows nothing of a preview's card, which it has not seen. */
function keepCard(payment: Payment, { attempt: { processorId }, cardToken, cardUpdate }: Finished, emitter: Emitter) {
  const { accountId, storeId, customerId, paymentInstrumentId, preview } = payment
  if (preview !== null || paymentInstrumentId === null) return []
  const instrument = { accountId, storeId, customerId, paymentInstrumentId }
  return [
    ...(cardToken === null ? [] : [keepProcessorToken({ ...instrument, processorId, ...cardToken }, emitter.nowMs)]),
    ...(cardUpdate === null ? [] : [...renewCard(instrument, cardUpdate, emitter), forgetRefusal(instrument)]),
  ]
}

function succeeded({ payment, applied, heldBy }: Unresolved, last: Finished, emitter: Emitter): Reply<Payment> {
  const { captured: amount = payment.amount } = last
  const updatedAt = new Date(emitter.nowMs).toISOString()
  const capture = capturedAtOnce({ amount }, emitter)
  const { processorId } = last.attempt
  return {
    body: { ...payment, status: 'succeeded', capturedAmount: amount, captures: [capture], updatedAt },
    writes: [
      ...takeMoney({ payment, applied, captureId: capture.id, amount, processorId, heldBy }, emitter),
      finishAttempt(last.attempt, payment, { reference: last.reference, nowMs: emitter.nowMs }),
      recordCapture(capture, payment, emitter.nowMs),
      ...keepCard(payment, last, emitter),
      ...keepConsent(payment, { ...last.attempt, nowMs: emitter.nowMs }),
    ],
  }
}

/** The card is good, and there was nothing to take: its order is paid all the same. */
function verified({ payment, applied, heldBy }: Unresolved, last: Finished, emitter: Emitter): Reply<Payment> {
  const { accountId, id: paymentId } = payment
  const { nowMs } = emitter
  const { processorId } = last.attempt
  const { subject, moved } = eventFacts(payment, 'succeeded')
  return {
    body: { ...payment, status: 'succeeded', updatedAt: new Date(nowMs).toISOString() },
    writes: [
      movePayment({ accountId, paymentId, from: payment.status, to: 'succeeded', heldBy, nowMs }),
      finishAttempt(last.attempt, payment, { reference: last.reference, nowMs }),
      ...emit('s_payment_succeeded', { ...subject, properties: { ...moved, processorId } }, emitter),
      ...(payment.subscriptions.length === 0
        ? [orderDone(payment, emitter)]
        : orderPaid({ payment, applied, amount: 0 }, emitter)),
      ...keepCard(payment, last, emitter),
      ...keepConsent(payment, { ...last.attempt, nowMs }),
    ],
  }
}

/** The money is set aside; so is the use of each promotion until it is known whether the money is taken. */
function authorized({ payment, heldBy }: Unresolved, last: Finished, emitter: Emitter): Reply<Payment> {
  const { accountId, id: paymentId } = payment
  if (payment.captureMethod === 'automatic') {
    throw new Error(`The processor of the attempt ${last.attempt.id} has not taken the money that it was asked for.`)
  }
  const { nowMs } = emitter
  const { processorId } = last.attempt
  const { subject, moved } = eventFacts(payment, 'authorized')
  return {
    body: { ...payment, status: 'authorized', updatedAt: new Date(nowMs).toISOString() },
    writes: [
      movePayment({ accountId, paymentId, from: payment.status, to: 'authorized', heldBy, nowMs }),
      finishAttempt(last.attempt, payment, { reference: last.reference, nowMs }),
      ...keepCard(payment, last, emitter),
      ...keepConsent(payment, { ...last.attempt, nowMs }),
      ...emit('s_payment_authorized', { ...subject, properties: { ...moved, processorId } }, emitter),
    ],
  }
}

function unpaid(unresolved: Unresolved, last: Finished, emitter: Emitter): Reply<Payment> {
  const { payment } = unresolved
  const decline = payment.attempts.findLast(({ status }) => status === 'declined')
  const finish = finishAttempt(last.attempt, payment, { reference: last.reference, nowMs: emitter.nowMs })
  return end(
    unresolved,
    { declineCode: decline?.declineCode ?? null, writes: [finish, ...keepCard(payment, last, emitter)] },
    emitter,
  )
}

function end(
  { payment, applied, stopped, heldBy }: Unresolved,
  { declineCode, writes }: { declineCode: string | null; writes: readonly Write[] },
  emitter: Emitter,
): Reply<Payment> {
  const [code, message] = declineErrors[declineCode ?? 'processing_error'] ?? anotherCard
  const routing = { ...payment.routing, stopped }
  return endUnpaid({ ...payment, routing }, { declineCode, code, message, applied, writes, heldBy }, emitter)
}

const anotherCard = ['card_declined', 'The card was declined; ask the buyer for another card.'] as const

/** The error for each decline code; any other code only says that another card is needed. */
const declineErrors: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  retry_limit_reached: [
    'card_declined',
    'The card was not tried: it has been declined as often as its network allows (Visa 20 times in 30 days, Mastercard 10 times in 24 hours or 35 in 30 days). Ask the buyer for another card.',
  ],
  retry_forbidden: [
    'card_declined',
    'The card was not tried: its issuer has said that it will never approve it. Ask the buyer for another card.',
  ],
  retry_too_early: [
    'card_declined',
    'The card was not tried: its network asked to wait after the last decline. Ask the buyer for another card, or to come back later.',
  ],
  do_not_honor: ['card_declined', 'The card was declined; ask the buyer for another card, or to call the issuer.'],
  insufficient_funds: ['insufficient_funds', 'The card has insufficient funds; ask the buyer for another card.'],
  expired_card: ['expired_card', 'The card has expired; ask the buyer for another card.'],
  incorrect_cvc: ['incorrect_cvc', "The card's security code is wrong; ask the buyer to enter the card again."],
  card_deleted: ['card_declined', 'The card was deleted and no processor was asked; ask the buyer for another card.'],
  card_inactive: [
    'card_declined',
    'The card is not active and no processor was asked; activate it, or ask the buyer for another card.',
  ],
  buyer_canceled: ['card_declined', 'The buyer has canceled the payment; retry it if the buyer wants to.'],
  payment_expired: ['card_declined', 'The buyer has not paid in time; retry the payment if the buyer wants to.'],
  debit_refused: ['card_declined', 'The buyer’s bank does not pay the debit; ask the buyer to pay in another way.'],
  processing_error: ['processing_error', 'The processor could not process the card; try again in a moment.'],
  try_again_later: ['processing_error', 'The issuer could not answer for the card; try again in a moment.'],
  authentication_required: [
    'authentication_required',
    'The issuer wants the buyer to authenticate; take the payment with 3-D Secure.',
  ],
}

/** How a payment ends without money. */
export interface UnpaidEnd {
  /** Why it was declined; `null` for one that has failed for technical reasons alone. */
  declineCode: string | null
  /** The error code that the caller receives. */
  code: ErrorCode
  message: string
  /** The promotions of its order, of which a use each is set aside: they are free again. */
  applied: readonly AppliedPromotion[]
  /** The writes that record its last attempt. */
  writes: readonly Write[]
  heldBy?: string | undefined
}

/** The end of a payment without money: the writes, and the answer for the caller. `routing` is recorded as it is. */
function endUnpaid(
  payment: Payment,
  { declineCode, code, message, applied, writes, heldBy }: UnpaidEnd,
  emitter: Emitter,
): Reply<Payment> {
  const { accountId, id: paymentId } = payment
  const status = declineCode === null ? 'failed' : 'declined'
  const { subject, moved } = eventFacts(payment, status)
  return {
    failure: new ApiError(code, message, { ...(declineCode !== null && { declineCode }), paymentId }),
    writes: [
      movePayment({ accountId, paymentId, from: payment.status, to: status, heldBy, nowMs: emitter.nowMs }),
      { sql: explainEnd, params: [declineCode, JSON.stringify(payment.routing), accountId, paymentId] },
      ...releaseUses({ accountId, applied }),
      ...(isCountedLowValue(payment) ? [giveBackLowValue(payment)] : []),
      ...emit('s_payment_failed', { ...subject, properties: { ...moved, declineCode } }, emitter),
      ...subscriptionsUnpaid(payment, status, emitter),
      // Behind the refusal by its subscriptions: what was declined is the card before the news that came with it.
      ...writes,
    ],
  }
}

/** Behind the move, whose first text is the account, as the order of locks wants. */
const explainEnd = 'UPDATE payments SET decline_code = ?, routing = ? WHERE account_id = ? AND id = ?'

/** The ends of an authentication after which a card is not charged. */
export type Unauthenticated = Exclude<ThreedsOutcome, 'authenticated' | 'attempted' | 'pending'>

/**
 * Declines a payment that waits for its buyer, who was not authenticated: the writes, and the answer for the request to
 * continue it. It is declined as well where authentication was unavailable, because the shop would bear the loss of a
 * fraud.
 */
export async function declineUnauthenticated(
  payment: Payment,
  outcome: Unauthenticated,
  { emitter, db }: { emitter: Emitter; db: Database },
): Promise<Reply<Payment>> {
  const applied = await promotionsOf(payment.orderId, payment.accountId, db)
  const code = outcome === 'rejected' ? 'card_declined' : 'authentication_required'
  const declineCode = `authentication_${outcome}`
  return endUnpaid(payment, { declineCode, code, message: messages[outcome], applied, writes: [] }, emitter)
}

const messages: Record<Unauthenticated, string> = {
  failed: 'The buyer could not be authenticated; ask for another card.',
  rejected: "The card's issuer refuses the payment; ask the buyer for another card.",
  cancelled: 'The buyer cancelled the authentication; retry the payment if the buyer wants to.',
  timed_out: 'The buyer did not authenticate in time; retry the payment if the buyer wants to.',
  unavailable: 'The buyer could not be authenticated at the moment; pay again later, or with another card.',
  informational: 'The issuer has not authenticated the buyer; ask for another card.',
}
