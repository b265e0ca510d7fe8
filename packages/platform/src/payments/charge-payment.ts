import type { AppliedPromotion, Payment, ThreedsProviderName } from '@tillwright/contract'
import { type Emitter, emitterAt } from '../events/index.ts'
import { emitterOf, freePayment, movePayment } from '../ledger/index.ts'
import type { Reply, Services } from '../request-context.ts'
import {
  type Charging,
  finishAttempt,
  lastAttempt,
  noteUnknown,
  outcomeName,
  referenceOf,
  withLastAttempt,
  withOutcome,
} from '../routing/index.ts'
import { giveBackLowValue, isCountedLowValue } from '../threeds/index.ts'
import { keepCode, type SealedCode } from '../vault/index.ts'
import { awaitOutcome } from './await/index.ts'
import { cascade, type Cascade } from './charge/index.ts'
import { isKnown, type KnownOutcome, recordOutcome, withoutKnownNews } from './complete/index.ts'
import { buyersUntilMs, sessionFor, waitWrites, withNextAction } from './record/index.ts'

/** A payment that is on record with its first attempt, and all that the end of it takes. */
export interface Chargeable extends Cascade {
  /** The promotions of its order, of which a use each is set aside. */
  applied: readonly AppliedPromotion[]
  /** The provider that authenticates the buyer if the issuer requires it; `null` where there is none. */
  authenticator: ThreedsProviderName | null
}

/**
 * Charges a payment's card at whichever processors it takes, and ends the payment by what they answer. One whose outcome
 * is not known stays `processing`; recovery ends it. One whose issuer wants the buyer to authenticate waits for that.
 */
export async function chargePayment(
  { applied, authenticator, ...underWay }: Chargeable,
  charging: Charging,
): Promise<Reply<Payment>> {
  const { holder: heldBy } = underWay
  const { payment, outcome, stopped } = await cascade(underWay, charging)
  charging.services.telemetry.count('tillwright.payment.outcomes', {
    'tillwright.payment.outcome': outcomeName(outcome),
  })
  const emitter = emitterOf(payment, emitterAt(payment.accountId, charging.services))
  if (isKnown(outcome) && stopped === 'authentication_required' && authenticator !== null) {
    return stepUp({ payment, outcome, authenticator, code: underWay.code, heldBy }, emitter, charging.services)
  }
  if (outcome.outcome === 'redirect' || outcome.outcome === 'pending') {
    return awaitOutcome(payment, outcome, { emitter, heldBy })
  }
  if (isKnown(outcome)) {
    const news = await withoutKnownNews(outcome, payment, charging.services.db)
    return recordOutcome({ payment, applied, stopped, heldBy }, news, emitter)
  }
  const attempt = lastAttempt(payment)
  return {
    body: withLastAttempt(payment, withOutcome(attempt, outcome, emitter.nowMs)),
    // Nothing is under way here any more: recovery need not wait for the lease.
    writes: [noteUnknown(attempt.id, payment.accountId), freePayment({ ...payment, holder: heldBy, leaseUntilMs: 0 })],
  }
}

/** A payment whose issuer wants the buyer to authenticate, by what the processor of its last attempt has answered. */
export interface SteppedUp {
  payment: Payment
  outcome: KnownOutcome
  /** The provider that authenticates the buyer. */
  authenticator: ThreedsProviderName
  /** The process that must still hold the payment. */
  heldBy: string
  /** Goes out again, within its time, once the buyer was authenticated. */
  code: SealedCode | null
}

/**
 * Makes a payment whose card was refused without a proof of 3-D Secure wait for its buyer: the writes, and the answer
 * for the caller. The attempt is over; the next one follows when the payment is continued.
 */
function stepUp(
  { payment, outcome, authenticator, code, heldBy }: SteppedUp,
  emitter: Emitter,
  services: Services,
): Reply<Payment> {
  const { accountId, id: paymentId } = payment
  const { nowMs } = emitter
  const session = sessionFor(payment, authenticator, { ...emitter, services })
  const attempt = withOutcome(lastAttempt(payment), outcome, nowMs)
  const waiting: Payment = {
    ...withLastAttempt(payment, attempt),
    status: 'requires_action',
    requireAction: 'threeds_auth',
    threedsSessionId: session.id,
    routing: { ...payment.routing, sca: refusedExemption(payment) },
    updatedAt: new Date(nowMs).toISOString(),
  }
  const leaseUntilMs = buyersUntilMs(session)
  return {
    body: withNextAction(waiting, services),
    writes: [
      movePayment({ accountId, paymentId, from: payment.status, to: waiting.status, leaseUntilMs, heldBy, nowMs }),
      {
        sql: 'UPDATE payments SET threeds_session_id = ?, routing = ? WHERE account_id = ? AND id = ?',
        params: [session.id, JSON.stringify(waiting.routing), accountId, paymentId],
      },
      ...(isCountedLowValue(payment) ? [giveBackLowValue(payment)] : []),
      finishAttempt(attempt, payment, { reference: referenceOf(outcome), nowMs }),
      ...waitWrites(waiting, session, emitter),
      // A wallet's cryptogram is not kept: it was sent, and is good once.
      ...(code === null || code.approval !== null ? [] : [keepCode({ accountId, codeId: paymentId }, code)]),
    ],
  }
}

/** An issuer that wants the buyer has not honoured the exemption that was asked for; the buyer is asked now. */
function refusedExemption(payment: Payment): Payment['routing']['sca'] {
  const { sca } = payment.routing
  const isAsked = sca?.asked != null || payment.attempts.some(({ exemption }) => exemption !== null)
  return sca === null || !isAsked ? sca : { ...sca, result: 'refused' }
}
