import type { Stripe } from 'stripe'
import type { FollowUpRefusal } from '../driver.ts'

/**
 * Why Stripe refuses a capture, refund or void: reckoned from the payment intent, because its errors do not always say.
 *
 * @param amount As Stripe writes it.
 * @param intent With its `latest_charge`.
 */
export function whyRefused(
  kind: 'capture' | 'refund' | 'void',
  amount: number,
  intent: Stripe.PaymentIntent,
): FollowUpRefusal {
  switch (kind) {
    case 'capture':
      return intent.status === 'requires_capture' && amount > intent.amount_capturable
        ? 'amount_too_large'
        : 'wrong_state'
    case 'refund':
      return amount > intent.amount_received - refundedOf(intent) ? 'amount_too_large' : 'wrong_state'
    case 'void':
      return 'wrong_state'
  }
}

function refundedOf({ latest_charge: charge }: Stripe.PaymentIntent): number {
  return charge === null || typeof charge === 'string' ? 0 : charge.amount_refunded
}
