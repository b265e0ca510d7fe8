import type { SessionPayment } from '../api/buyer-session.ts'
import type { TillwrightError } from '../tillwright-error.ts'
import type { Checkout } from './checkout.ts'
import type { Paying, PayState } from './pay.ts'
import { outcomeOfPayment, type PayOutcome } from './pay-outcome.ts'

/** How often a payment is looked at whose end nobody knows yet, and how long after the look before. */
const LOOKS = 5
const LOOK_AFTER_MS = 2_000

interface Following {
  checkout(): Promise<Checkout>
  tell(status: PayState['status']): void
}

/** Makes what follows a payment to its end: through the bank's page, and until its processor has answered. */
export function followPayment(
  { session, around }: Pick<Paying, 'session' | 'around'>,
  { checkout, tell }: Following,
): (payment: SessionPayment) => Promise<PayOutcome> {
  return follow

  async function follow(payment: SessionPayment): Promise<PayOutcome> {
    if (payment.nextAction) return authenticate(payment, payment.nextAction.actionToken)
    const outcome = outcomeOfPayment(payment)
    return outcome.outcome === 'pending' ? look(payment) : outcome
  }

  async function authenticate({ id: paymentId }: SessionPayment, actionToken: string): Promise<PayOutcome> {
    tell('authenticating')
    const shown = await show(actionToken)
    tell('confirming')
    try {
      // The platform asks the bank; what the page was told is there to be shown.
      const after = await session.ask(`POST /session/payments/${paymentId}/continue`)
      return await follow(after as SessionPayment) // as the platform answers it
    } catch (error) {
      const { status } = error as Partial<TillwrightError>
      if (status === 402 && shown === 'cancelled') return { outcome: 'cancelled' }
      throw status === 409 && typeof shown !== 'string' ? shown : error // the bank's page is what went wrong
    }
  }

  /** How the bank's page ended, or why it could not be shown: the bank may know of a result all the same. */
  async function show(actionToken: string): Promise<unknown> {
    try {
      const { outcome } = await (await checkout()).authenticate(actionToken, { returnUrl: around.location.href })
      return outcome
    } catch (problem) {
      return problem
    }
  }

  async function look(payment: SessionPayment): Promise<PayOutcome> {
    tell('confirming')
    for (let looks = 0; looks < LOOKS; looks += 1) {
      await around.sleep(LOOK_AFTER_MS)
      const { payment: latest } = await session.refresh()
      const outcome = latest?.id === payment.id ? outcomeOfPayment(latest) : null
      if (outcome && outcome.outcome !== 'pending') return outcome
    }
    return { outcome: 'pending', payment }
  }
}
