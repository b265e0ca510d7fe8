import { z } from 'zod'
import { referenceTo } from '../ids.ts'
import type { Operation } from '../operation.ts'
import { sessionPay, sessionPayment } from '../resources/buyer-sessions.ts'
import { hookErrors } from '../resources/hook-answers.ts'
import { cardRefusals, paymentEndings } from '../resources/payment-attempts.ts'
import { methodOffer, offeredPayment } from '../resources/payment-methods.ts'

/** Errors of an operation that takes a payment: refusals of the charge, and problems with the order. */
const refusals = [...cardRefusals, 'abuse_blocked', 'resource_missing', 'state_conflict'] as const

/** Payment operations of a buyer's session: list the methods, and pay. */
export const sessionPayments = {
  findMethods: {
    method: 'POST',
    path: '/api/session/v1/payment-methods',
    audience: 'page',
    summary: 'List the payment methods of a store',
    description:
      'Authenticate with a publishable key, from a page on one of its origins. Returns what a payment of this amount can be made with: what is listed, the store’s payment flow takes, and nothing else. Prices that recur are paid with a card alone. For a page without a session; creates nothing.',
    body: offeredPayment,
    status: 200,
    response: methodOffer,
    errors: ['resource_missing', 'state_conflict', 'currency_unsupported', 'amount_invalid'],
  },
  findOwnMethods: {
    method: 'GET',
    path: '/api/session/v1/session/payment-methods',
    audience: 'session',
    summary: 'List the payment methods of the session',
    description:
      'Returns what the session’s order can be paid with, by its currency, its amount and the country of the billing address: a card alone if one of its prices recurs. Methods that lead the buyer to another page are listed only where the current step has a `url` to come back to, and not in previews.',
    status: 200,
    response: methodOffer,
    errors: ['state_conflict', 'currency_unsupported'],
  },
  pay: {
    method: 'POST',
    path: '/api/session/v1/session/pay',
    audience: 'session',
    summary: 'Pay the session’s order',
    description:
      'Prices the order, picks a processor through the store’s flow, and charges the card, which is stored, or begins the payment with another method. A declined payment returns a 402 and leaves the order open. Brought-along lines have to be confirmed first. A card of this session can be charged again in one click for offers after the checkout; in all other cases, and when the address or device has changed, send a `securityCodeToken` or let the buyer authenticate (`requires_action`). With `requires_action`, pass `nextAction.actionToken` to `checkout.authenticate()`, then continue the payment; if `nextAction.type` is `redirect`, send the buyer to its `url`. They come back to the page of the current step, which continues the payment. If the outcome is not known after eight seconds, the payment is `processing`: show that it is being paid and read the session until it has ended. If two tabs pay at once, one is refused. Previews are always charged by a simulated processor.',
    body: sessionPay,
    status: 201,
    response: sessionPayment,
    errors: [
      ...refusals,
      ...hookErrors,
      'currency_unsupported',
      'amount_invalid',
      'promotion_exhausted',
      'token_invalid',
      'token_expired',
      'token_used',
    ],
    emits: [
      's_payment_instrument_created',
      's_checkout_started',
      's_order_created',
      's_payment_created',
      's_payment_action_required',
      's_threeds_session_created',
      's_payment_pending',
      ...paymentEndings,
    ],
    idempotent: 'lease',
  },
  continuePayment: {
    method: 'POST',
    path: '/api/session/v1/session/payments/{paymentId}/continue',
    audience: 'session',
    summary: 'Continue a payment',
    description:
      'Call this after `checkout.authenticate()` has finished, or when the buyer is back from a method’s page: its processor is asked how the payment stands. The outcome comes from the 3-D Secure session, not from the page. Returns 409 while the buyer is still authenticating. A payment that is `requires_action` again wants a challenge, which its issuer had not asked for before.',
    params: z.object({ paymentId: referenceTo('payment', 'A payment of this session.') }),
    status: 200,
    response: sessionPayment,
    errors: refusals,
    emits: ['s_payment_action_required', 's_threeds_session_created', ...paymentEndings],
    idempotent: 'lease',
  },
} as const satisfies Record<string, Operation>
