import type { AppliedPromotion, Payment, ThreedsProviderName } from '@tillwright/contract'
import type { Reply } from '../call.ts'
import { emitterAt } from '../events/emitter-at.ts'
import { withOutcome } from './attempts/attempt-outcome.ts'
import { noteUnknown } from './attempts/attempt-writes.ts'
import { emitterOf } from './emitter-of.ts'
import { cascade, type Cascade } from './attempts/cascade.ts'
import type { Charging } from './routing/charging.ts'
import { lastAttempt, withLastAttempt } from './attempts/last-attempt.ts'
import { settlePayment } from './settle-payment.ts'
import { stepUp } from './step-up.ts'

/** A payment that is on record with its first attempt, and all that the end of it takes. */
export interface Chargeable extends Cascade {
  /** The promotions of its order, of which a use each is set aside. */
  applied: readonly AppliedPromotion[]
  /** The provider that authenticates the buyer, should the issuer want it; `null` where nobody can. */
  authenticator: ThreedsProviderName | null
}

/**
 * Charges a payment's card at whichever processors it takes, and ends the payment by what they answer. One whose outcome
 * is not known stays `processing`; recovery ends it. One whose issuer wants the buyer to authenticate waits for that.
 */
export async function chargeAndSettle(
  { applied, authenticator, ...underWay }: Chargeable,
  charging: Charging,
): Promise<Reply<Payment>> {
  const { payment, outcome, stopped } = await cascade(underWay, charging)
  const emitter = emitterOf(payment, emitterAt(payment.accountId, charging.parts))
  if (outcome.outcome !== 'unknown' && stopped === 'authentication_required' && authenticator !== null) {
    return stepUp({ payment, outcome, authenticator }, emitter, charging.parts)
  }
  if (outcome.outcome !== 'unknown') return settlePayment({ payment, applied, stopped }, outcome, emitter)
  const attempt = lastAttempt(payment)
  return {
    body: withLastAttempt(payment, withOutcome(attempt, outcome, emitter.nowMs)),
    writes: [noteUnknown(attempt.id, payment.accountId)],
  }
}
