import type { SessionPayment } from '../api/buyer-session.ts'
import { TillwrightError } from '../tillwright-error.ts'

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
  | {
      outcome: 'declined'
      reason: string
      declineCode: string | null
      message: string
      paymentId: string | null
    }
  | { outcome: 'cancelled' }
  | { outcome: 'incomplete' }
  | { outcome: 'pending'; payment: SessionPayment }
  | { outcome: 'failed'; error: TillwrightError }

/** What an error in the middle of a payment comes to. */
export function outcomeOfError(error: unknown): PayOutcome {
  if (error instanceof TillwrightError) {
    const { status, code: reason, declineCode, message, paymentId } = error
    return status === 402
      ? { outcome: 'declined', reason, declineCode, message, paymentId }
      : { outcome: 'failed', error }
  }
  const { code = 'checkout_unavailable', message = '' } = Object(error) as { code?: string; message?: string }
  if (code === 'card_incomplete' || code === 'card_invalid') return { outcome: 'incomplete' }
  // The checkout's own errors have a code too.
  const details = { cause: error }
  return {
    outcome: 'failed',
    error: new TillwrightError(String(code ?? 'checkout_unavailable'), String(message), details),
  }
}

/** What an answered payment comes to; `null` for one that waits for its buyer. */
export function outcomeOfPayment(payment: SessionPayment): PayOutcome | null {
  switch (payment.status) {
    case 'authorized':
    case 'succeeded':
    case 'partially_refunded':
    case 'refunded':
      return { outcome: 'paid', payment }
    case 'declined':
    case 'failed':
    case 'canceled':
      return {
        outcome: 'declined',
        reason: 'card_declined',
        declineCode: payment.declineCode,
        message: 'The payment was declined.',
        paymentId: payment.id,
      }
    case 'created':
    case 'processing':
      return { outcome: 'pending', payment }
    case 'requires_action':
      return null
  }
}
