import type { SessionPayment } from '../api/buyer-session.ts'
import type { Source } from '../store.ts'
import type { TillwrightError } from '../tillwright-error.ts'
import type { Checkout } from './checkout.ts'
import type { PayOutcome } from './pay-outcome.ts'
import type { Paying, PayState } from './pay.ts'

/** How often a payment is looked at whose end nobody knows yet, and how long after the look before. */
const LOOKS = 5
const LOOK_AFTER_MS = 2_000

/** What a payment is followed with. It comes from whoever asks, because this module is loaded by itself. */
export interface Following extends Pick<Paying, 'session' | 'around'> {
  checkout(): Promise<Checkout>
  state: Source<PayState>
  outcomeOf(payment: SessionPayment): PayOutcome
}

/** Follows a payment that has not come to its end: through the bank's page, and until its processor has answered. */
export async function followPayment(payment: SessionPayment, following: Following): Promise<PayOutcome> {
  const { session, state, outcomeOf } = following
  if (!payment.nextAction) return look(payment, following)
  state.set({ status: 'authenticating', outcome: null })
  const shown = await showBank(payment.nextAction.actionToken, following)
  state.set({ status: 'confirming', outcome: null })
  try {
    // The platform asks the bank; what the page was told is there to be shown.
    const after = (await session.ask(`POST /session/payments/${payment.id}/continue`)) as SessionPayment
    const outcome = outcomeOf(after)
    return outcome.outcome === 'pending' ? await followPayment(after, following) : outcome
  } catch (error) {
    const { status } = error as Partial<TillwrightError>
    if (status === 402 && shown === 'cancelled') return { outcome: 'cancelled' }
    throw status === 409 && typeof shown !== 'string' ? shown : error // the bank's page is what went wrong
  }
}

/** How the bank's page ended, or why it could not be shown: the bank may know of a result even so. */
async function showBank(actionToken: string, { checkout, around }: Following): Promise<unknown> {
  try {
    const { outcome } = await (await checkout()).authenticate(actionToken, { returnUrl: around.location.href })
    return outcome
  } catch (problem) {
    return problem
  }
}

async function look(payment: SessionPayment, { session, around, state, outcomeOf }: Following): Promise<PayOutcome> {
  state.set({ status: 'confirming', outcome: null })
  for (let looks = 0; looks < LOOKS; looks += 1) {
    await around.sleep(LOOK_AFTER_MS)
    const { payment: latest } = await session.refresh()
    const outcome = outcomeOf(latest?.id === payment.id ? latest : payment)
    if (outcome.outcome !== 'pending') return outcome
  }
  return { outcome: 'pending', payment }
}
