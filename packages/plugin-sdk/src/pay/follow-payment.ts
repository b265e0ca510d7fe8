import type { SessionPayment } from '../api.ts'
import type { Checkout } from '../checkout.ts'
import type { Source } from '../store.ts'
import type { TillwrightError } from '../tillwright-error.ts'
import type { PayContext, PayOutcome, PayState } from './pay.ts'

/** How often a payment whose outcome is not known yet is read again, and at which interval. */
const LOOKS = 5
const LOOK_AFTER_MS = 2_000

/** The context of `followPayment`, passed in because this module is loaded separately. */
export interface FollowContext extends Pick<PayContext, 'session' | 'env'> {
  checkout(): Promise<Checkout>
  state: Source<PayState>
  outcomeOf(payment: SessionPayment): PayOutcome
}

/**
 * Follows a payment to its outcome: through the bank's page, and until its processor has answered. For a method that leads
 * away, the page is left.
 */
export async function followPayment(payment: SessionPayment, following: FollowContext): Promise<PayOutcome> {
  const { session, state, env, outcomeOf } = following
  if (payment.nextAction?.type === 'redirect') {
    env.location.assign(payment.nextAction.url)
    return { outcome: 'pending', payment }
  }
  if (payment.nextAction?.type !== 'threeds_auth') return look(payment, following)
  state.set({ status: 'authenticating', outcome: null })
  const shown = await showBank(payment.nextAction.actionToken, following)
  state.set({ status: 'confirming', outcome: null })
  try {
    // The platform asks the bank; the page's own result is for display.
    const after = (await session.ask(`POST /session/payments/${payment.id}/continue`)) as SessionPayment
    const outcome = outcomeOf(after)
    return outcome.outcome === 'pending' ? await followPayment(after, following) : outcome
  } catch (error) {
    const { status, declineCode } = error as Partial<TillwrightError>
    // The platform knows best who ended it; what the frame has shown counts where an older platform does not say.
    const isCancelled = declineCode === 'authentication_cancelled' || shown === 'cancelled'
    if (status === 402 && isCancelled) return { outcome: 'cancelled' }
    throw status === 409 && typeof shown !== 'string' ? shown : error // the failure of the bank's page is the actual cause
  }
}

/** The outcome of the bank's page, or the error that prevented it: the bank may have a result even so. */
async function showBank(actionToken: string, { checkout, env }: FollowContext): Promise<unknown> {
  try {
    const { outcome } = await (await checkout()).authenticate(actionToken, { returnUrl: env.location.href })
    return outcome
  } catch (problem) {
    return problem
  }
}

async function look(payment: SessionPayment, { session, env, state, outcomeOf }: FollowContext): Promise<PayOutcome> {
  state.set({ status: 'confirming', outcome: null })
  const { type } = payment.paymentMethod
  const isLater = type === 'sepa_debit' || type === 'voucher' // in minutes or days: one look, for a buyer who asks
  for (let looks = isLater ? 1 : LOOKS; looks > 0; looks -= 1) {
    if (!isLater) await env.sleep(LOOK_AFTER_MS)
    const { payment: latest } = await session.refresh()
    const outcome = outcomeOf(latest?.id === payment.id ? latest : payment)
    if (outcome.outcome !== 'pending') return outcome
  }
  return { outcome: 'pending', payment }
}
