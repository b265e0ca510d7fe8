import type { Stripe } from 'stripe'
import type { AuthorisationOutcome } from '../driver.ts'
import { stripeDecline } from './stripe-decline.ts'

/** Where a payment intent stands: `untouched` has not seen a card yet, `canceled` never will again. */
export type IntentOutcome = AuthorisationOutcome | { outcome: 'untouched' } | { outcome: 'canceled' }

/**
 * What a payment intent says of the attempt that it belongs to.
 *
 * @throws {Error} While Stripe does not know yet itself.
 */
export function outcomeOfIntent(intent: Stripe.PaymentIntent): IntentOutcome {
  const { id: reference, status, last_payment_error: failure } = intent
  switch (status) {
    case 'succeeded':
      return { outcome: 'succeeded', reference }
    case 'requires_capture':
      return { outcome: 'authorized', reference }
    case 'requires_action':
      return { outcome: 'threeds_required', reference }
    case 'requires_payment_method':
    case 'requires_confirmation':
      return failure === null ? { outcome: 'untouched' } : stripeDecline(failure, reference)
    case 'canceled':
      return { outcome: 'canceled' }
    case 'processing': // which card payments skip
    default: // a status of tomorrow may mean anything
      throw new Error(`The payment intent ${reference} is ${status}; ask again later.`)
  }
}
