import type { Payment, PaymentAttempt } from '@tillwright/contract'
import { CLAIM_LEASE_MS } from '../accounts/idempotency-keys.ts'
import { ApiError, missing } from '../ambient/api-error.ts'
import type { Call, Reply, Write } from '../call.ts'
import { chargeCard, type Charging } from './charge-card.ts'
import { declineUnauthenticated, type Unauthenticated } from './decline-unauthenticated.ts'
import { movePayment } from './move-payment.ts'
import { promotionsOf } from './orders.ts'
import { findInstrument } from './payment-instruments.ts'
import { readPayment } from './read-payment.ts'
import { settlePayment } from './settle-payment.ts'
import { insertAttempt, pickAttempt } from './start-payment.ts'
import { findPaymentFlow } from './payment-flows.ts'
import { findSession, type SessionRecord } from './threeds/session-record.ts'
import { outcomeOf, statusAt } from './threeds/threeds-status.ts'

/**
 * Goes on with a payment whose buyer was asked to authenticate. What the session says in the database counts, and
 * nothing that a page says: with a proof the card is charged, with any other end the payment is declined.
 *
 * @throws {ApiError} `resource_missing`; `state_conflict` while the buyer is not done, and for a payment that does not
 *   wait; what picking a processor throws.
 */
export async function continuePayment(paymentId: string, call: Call, charging: Charging): Promise<Reply<Payment>> {
  const { accountId } = call.caller
  const payment = await readPayment(paymentId, accountId, call.parts.db)
  if (payment === null) throw missing('payment', paymentId)
  const session = await sessionOf(payment, call)
  const outcome = outcomeOf(statusAt(session, call.nowMs))
  switch (outcome) {
    case 'authenticated':
    case 'attempted':
      return chargeAuthenticated(payment, call, charging)
    case 'pending':
      throw conflict(payment, 'waits for its buyer; continue it when checkout.authenticate() has ended in your page')
    case 'failed':
    case 'rejected':
    case 'cancelled':
    case 'timed_out':
    case 'unavailable':
    case 'informational':
      return decline(payment, outcome, call)
  }
}

async function sessionOf(payment: Payment, { parts }: Call): Promise<SessionRecord> {
  const { status, threedsSessionId, accountId } = payment
  if (status !== 'requires_action' || threedsSessionId === null) {
    throw conflict(payment, `is ${status} and waits for nothing; read it to see where it stands`)
  }
  const session = await findSession(threedsSessionId, accountId, parts.db)
  if (session === null) throw new Error(`The session ${threedsSessionId} of a payment is gone.`)
  return session
}

async function decline(payment: Payment, outcome: Unauthenticated, call: Call): Promise<Reply<Payment>> {
  const applied = await promotionsOf(payment.orderId, payment.accountId, call.parts.db)
  return declineUnauthenticated({ payment, applied }, outcome, call)
}

/** The charge happens between two units, as that of any payment. */
async function chargeAuthenticated(payment: Payment, call: Call, charging: Charging): Promise<Reply<Payment>> {
  const { accountId, id: paymentId, orderId, paymentFlowId } = payment
  const { db, clock } = call.parts
  const flow = await findPaymentFlow(paymentFlowId, accountId, db)
  const instrument = await findInstrument(payment.paymentInstrumentId, accountId, db)
  if (flow === null || instrument === null) throw new Error(`The payment ${paymentId} has lost its flow or its card.`)
  const attempt = await pickAttempt(flow, call)
  const processing: Payment = { ...payment, status: 'processing', requireAction: 'none', attempts: [attempt] }
  await call.begin(processingWrites(payment, attempt, call))
  const outcome = await chargeCard(processing, instrument.cardId, { ...charging, fault: call.fault })
  if (outcome.outcome === 'unknown') return { body: processing }
  const applied = await promotionsOf(orderId, accountId, db)
  return settlePayment({ payment: processing, applied }, outcome, { ...call, nowMs: clock.now() })
}

/** From now on the payment is this request's, and its key's is the answer that recovery stores should we die. */
function processingWrites(payment: Payment, attempt: PaymentAttempt, { nowMs, idempotencyKey }: Call): Write[] {
  const { accountId, id: paymentId, status: from } = payment
  return [
    movePayment({ accountId, paymentId, from, to: 'processing', leaseUntilMs: nowMs + CLAIM_LEASE_MS, nowMs }),
    {
      sql: 'UPDATE payments SET idempotency_key = ? WHERE account_id = ? AND id = ?',
      params: [idempotencyKey, accountId, paymentId],
    },
    insertAttempt(attempt, payment, nowMs),
  ]
}

function conflict({ id }: Payment, why: string): ApiError {
  return new ApiError('state_conflict', `The payment '${id}' ${why}.`)
}
