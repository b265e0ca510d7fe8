import type { Payment, ThreedsProviderName } from '@tillwright/contract'
import type { Parts, Reply } from '../call.ts'
import type { Emitter } from '../events/emit.ts'
import { referenceOf, withOutcome } from './attempts/attempt-outcome.ts'
import { finishAttempt } from './attempts/attempt-writes.ts'
import { lastAttempt, withLastAttempt } from './attempts/last-attempt.ts'
import { buyersUntilMs } from './leave-to-buyer.ts'
import { movePayment } from './move-payment.ts'
import { sessionFor, waitWrites, withNextAction } from './require-authentication.ts'
import type { KnownOutcome } from './settle-payment.ts'

/** A payment whose issuer wants the buyer to authenticate, by what the processor of its last attempt has answered. */
export interface SteppedUp {
  payment: Payment
  outcome: KnownOutcome
  /** The provider that authenticates the buyer. */
  authenticator: ThreedsProviderName
}

/**
 * Has a payment wait for its buyer whose card was refused without a proof of 3-D Secure: the writes, and the answer to
 * whoever asked for it. The attempt is over; the next one follows when the payment is continued.
 */
export function stepUp({ payment, outcome, authenticator }: SteppedUp, emitter: Emitter, parts: Parts): Reply<Payment> {
  const { accountId, id: paymentId } = payment
  const { nowMs } = emitter
  const session = sessionFor(payment, authenticator, { ...emitter, parts })
  const attempt = withOutcome(lastAttempt(payment), outcome, nowMs)
  const waiting: Payment = {
    ...withLastAttempt(payment, attempt),
    status: 'requires_action',
    requireAction: 'threeds_auth',
    threedsSessionId: session.id,
    updatedAt: new Date(nowMs).toISOString(),
  }
  const leaseUntilMs = buyersUntilMs(session)
  return {
    body: withNextAction(waiting, parts),
    writes: [
      movePayment({ accountId, paymentId, from: payment.status, to: waiting.status, leaseUntilMs, nowMs }),
      {
        sql: 'UPDATE payments SET threeds_session_id = ? WHERE account_id = ? AND id = ?',
        params: [session.id, accountId, paymentId],
      },
      finishAttempt(attempt, payment, { reference: referenceOf(outcome), nowMs }),
      ...waitWrites(waiting, session, emitter),
    ],
  }
}
