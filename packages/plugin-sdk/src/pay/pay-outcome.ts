import type { SessionPayment } from '../api/buyer-session.ts'
import type { TillwrightError } from '../tillwright-error.ts'

/**
 * How a payment ended, or that it has not.
 * - `paid`: the order is paid.
 * - `declined`: the bank or the shop's rules said no, and the order is open again. `reason` is the platform's code, such
 *   as `insufficient_funds` or `authentication_required`; `message` is English.
 * - `cancelled`: the buyer left the bank's page. Nothing was charged.
 * - `incomplete`: the card form shows where.
 * - `pending`: nobody knows yet; `resume()` finds out later.
 * - `failed`: no answer, or a conflict such as another price. Trying again is safe: an order is paid once.
 */
export type PayOutcome =
  | { outcome: 'paid'; payment: SessionPayment | null }
  | DeclinedOutcome
  | { outcome: 'cancelled' }
  | { outcome: 'incomplete' }
  | { outcome: 'pending'; payment: SessionPayment }
  | { outcome: 'failed'; error: TillwrightError }

/** What is known of a payment that was declined. */
export interface DeclinedOutcome {
  outcome: 'declined'
  reason: string
  declineCode: string | null
  message: string
  paymentId: string | null
}

/** What an error in the middle of a payment comes to. An error of the checkout's own has a code as well. */
export function outcomeOfError(error: unknown, Failure: typeof TillwrightError): PayOutcome {
  if (error instanceof Failure) {
    const { code: reason, declineCode, message, paymentId } = error
    if (error.status !== 402) return { outcome: 'failed', error }
    return { outcome: 'declined', reason, declineCode, message, paymentId }
  }
  const { code = 'checkout_unavailable', message = '' } = error as { code?: string; message?: string }
  if (code.startsWith('card_in')) return { outcome: 'incomplete' } // card_incomplete, card_invalid
  return { outcome: 'failed', error: new Failure(code, message, { cause: error }) }
}

/** What a payment comes to as it stands. */
export function outcomeOfPayment(payment: SessionPayment): PayOutcome {
  switch (payment.status) {
    case 'authorized':
    case 'succeeded':
    case 'partially_refunded':
    case 'refunded':
      return { outcome: 'paid', payment }
    case 'created':
    case 'processing':
    case 'requires_action':
      return { outcome: 'pending', payment }
    case 'declined':
    case 'failed':
    case 'canceled': {
      const { status: message, declineCode, id: paymentId } = payment
      return { outcome: 'declined', reason: 'card_declined', declineCode, message, paymentId }
    }
  }
}
