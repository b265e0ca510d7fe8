import { z } from 'zod'
import type { Operation } from '../operation.ts'
import { amount } from '../money.ts'
import { cardRefusals } from '../resources/payment-attempts.ts'
import { instrumentFromToken } from '../resources/payment-instruments.ts'
import { recovery, recoveryToken } from '../resources/recoveries.ts'

const byToken = z.object({ token: recoveryToken })
const tokenErrors = ['token_invalid', 'token_expired', 'resource_missing'] as const

/** For the page behind a recovery link, on the API's origin. The token decides what is read and paid, and nothing else. */
export const recoveries = {
  read: {
    method: 'POST',
    path: '/api/session/v1/recoveries/read',
    audience: 'page',
    summary: 'Read an unpaid subscription',
    description:
      'Reads the subject of a recovery link: the unpaid period of a subscription, and how far its payment has come.',
    body: byToken,
    status: 200,
    response: recovery,
    errors: [...tokenErrors, 'tax_unanswered'],
  },
  pay: {
    method: 'POST',
    path: '/api/session/v1/recoveries/pay',
    audience: 'page',
    summary: 'Pay an unpaid subscription',
    description:
      'Charges the unpaid period to the subscription’s card, whose buyer is authenticated, or to another card. Once it succeeds, the subscription goes on and is charged to this card. A declined card returns a 402, and the schedule of automatic retries stays as it was.',
    body: byToken.extend({
      serviceToken: instrumentFromToken.shape.serviceToken.optional().meta({
        description: 'The token of another card from the card form; the subscription’s own card if left out.',
      }),
      expectedAmount: amount.optional().meta({
        description:
          'The amount that the buyer saw, in minor units. If the period costs something else by now, such as another tax, nothing is charged.',
        examples: [1_785],
      }),
    }),
    status: 200,
    response: recovery,
    errors: [...cardRefusals, ...tokenErrors, 'abuse_blocked', 'token_used', 'state_conflict', 'tax_unanswered'],
    emits: [
      's_payment_instrument_created',
      's_order_created',
      's_payment_created',
      's_payment_action_required',
      's_threeds_session_created',
      's_payment_succeeded',
      's_order_paid',
      's_subscription_renewed',
      's_subscription_canceled',
      's_payment_failed',
      's_payment_instrument_renewed',
    ],
  },
  continue: {
    method: 'POST',
    path: '/api/session/v1/recoveries/continue',
    audience: 'page',
    summary: 'Continue the payment of a subscription',
    description: 'Call this after `checkout.authenticate()` has finished in the page. The 3-D Secure session decides.',
    body: byToken,
    status: 200,
    response: recovery,
    errors: [...cardRefusals, ...tokenErrors, 'state_conflict'],
    emits: [
      's_payment_action_required',
      's_threeds_session_created',
      's_payment_succeeded',
      's_order_paid',
      's_subscription_renewed',
      's_subscription_canceled',
      's_payment_failed',
      's_payment_instrument_renewed',
    ],
  },
} as const satisfies Record<string, Operation>
