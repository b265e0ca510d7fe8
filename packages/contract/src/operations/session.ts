import { z } from 'zod'
import { exampleId, referenceTo } from '../ids.ts'
import { ORDER_LINES_MAX } from '../limits.ts'
import { currency } from '../money.ts'
import type { Operation } from '../operation.ts'
import {
  begunSession,
  buyerSession,
  newBuyerSession,
  sessionAddress,
  sessionCode,
  sessionContact,
  sessionNext,
  sessionPay,
  sessionPayment,
  sessionStep,
} from '../resources/buyer-sessions.ts'
import { trackedEvent } from '../resources/funnel-events.ts'
import { hookErrors, pricingHookErrors } from '../resources/hook-answers.ts'
import { cardRefusals } from '../resources/payment-attempts.ts'
import { methodOffer, offeredPayment } from '../resources/payment-methods.ts'
import { newPayment } from '../resources/new-payment.ts'
import { orderConfirmation, sessionHandOver, sessionRedemption } from '../resources/session-hand-over.ts'
import { sessionShippingChoice } from '../resources/shipping-options.ts'

const { variantId, priceId, quantity } = newPayment.shape.lines.unwrap().element.shape

/**
 * A line as a page may send it. Unknown fields are refused rather than ignored, so that a page cannot appear to set a
 * price, a discount or a free trial.
 */
const sessionLine = z.strictObject(
  {
    variantId,
    priceId: priceId.unwrap().optional().meta({
      description:
        'A price of the variant with `offeredToPages`; its default if left out. A recurring price starts a subscription.',
    }),
    quantity,
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? 'cannot be set by a page: a line has variantId, quantity and priceId. Prices and free trials come from the catalogue and promotions; leave it out'
        : undefined,
  },
)

/** The body of `PUT /api/session/v1/session/order/lines`. */
const sessionLines = z.object({
  currency: currency.optional().meta({
    description:
      'The currency of the order, as an upper-case ISO 4217 code; unchanged if left out, and initially the store’s.',
    examples: ['USD'],
  }),
  lines: z
    .array(sessionLine)
    .max(ORDER_LINES_MAX)
    .meta({
      description: 'All lines to buy, priced from the catalogue; an empty list empties the order.',
      examples: [[{ variantId: exampleId('variant'), quantity: 2 }]],
    }),
})

/** Errors of an operation that charges a card: refusals of the charge, and problems with the order. */
const refusals = [...cardRefusals, 'abuse_blocked', 'resource_missing', 'state_conflict'] as const

/**
 * For the buyer's page, on the API's origin. All operations but the first authenticate with a session's token and can
 * only see and change that session.
 */
export const session = {
  begin: {
    method: 'POST',
    path: '/api/session/v1/sessions',
    audience: 'page',
    summary: 'Create a buyer session',
    description:
      'Authenticate with a publishable key, from a page on one of its origins. Creates an anonymous customer and a session at the first step of the funnel. The token is returned once and stored hashed: keep it in the page. Repeating the request creates another session.',
    body: newBuyerSession,
    status: 201,
    response: begunSession,
    errors: ['resource_missing', 'state_conflict'],
    emits: ['s_customer_created', 's_funnel_session_started', 's_funnel_session_step_viewed'],
  },
  get: {
    method: 'GET',
    path: '/api/session/v1/session',
    audience: 'session',
    summary: 'Read the session',
    description:
      'Returns everything that a page shows, with the order at current prices. The token identifies the session.',
    status: 200,
    response: buyerSession,
    errors: [],
  },
  handOver: {
    method: 'POST',
    path: '/api/session/v1/session/hand-over',
    audience: 'session',
    summary: 'Create a handover code',
    description:
      'Hands the session over to another page. Put the code into the fragment of that page’s address, as `#tillwright-code=<code>`, and only if the address comes from the session. The code is valid for one minute and one use; a new code replaces the previous one. Your token stays valid until the code is redeemed.',
    status: 200,
    response: sessionHandOver,
    errors: [],
    idempotent: 'unit',
    secretAnswer: true,
  },
  redeem: {
    method: 'POST',
    path: '/api/session/v1/sessions/redeem',
    audience: 'page',
    summary: 'Redeem a handover code',
    description:
      'Authenticate with a publishable key of the session’s store. Returns a new token; all earlier tokens of the session stop working at once. Unless something was already paid for, the session drops its contact, addresses and customer, and its lines wait in `broughtAlong` for the buyer’s confirmation. If you get no answer, repeat the request with the same `Idempotency-Key`.',
    body: sessionRedemption,
    status: 200,
    response: begunSession,
    errors: ['token_invalid', 'token_expired'],
    idempotent: 'unit',
    secretAnswer: true,
  },
  confirmOrder: {
    method: 'POST',
    path: '/api/session/v1/session/order/confirm',
    audience: 'session',
    summary: 'Confirm brought-along lines',
    description:
      'Send the `confirmation` of the `broughtAlong` that the buyer saw. Returns 409 if the order has changed since.',
    body: orderConfirmation,
    status: 200,
    response: buyerSession,
    errors: ['state_conflict'],
    idempotent: 'unit',
  },
  setLines: {
    method: 'PUT',
    path: '/api/session/v1/session/order/lines',
    audience: 'session',
    summary: 'Set the order’s lines',
    description:
      'Replaces all lines. A line has a variant, a quantity and optionally a price that is available to pages; all amounts and free trials come from the catalogue and promotions. After an order is paid, this starts the next one, such as an upsell. Returns 409 while an order is being paid.',
    body: sessionLines,
    status: 200,
    response: buyerSession,
    errors: ['resource_missing', 'currency_unsupported', 'amount_invalid', 'state_conflict'],
    idempotent: 'unit',
  },
  chooseShipping: {
    method: 'PUT',
    path: '/api/session/v1/session/order/shipping',
    audience: 'session',
    summary: 'Choose a shipping option',
    description:
      'Takes one of `order.shipping.options`; the server sets its price. Until the buyer chooses, or when the choice no longer fits the currency or destination, the first option that fits applies. Goods that need shipping cannot be paid for without one.',
    body: sessionShippingChoice,
    status: 200,
    response: buyerSession,
    errors: ['resource_missing', 'state_conflict', ...pricingHookErrors],
    idempotent: 'unit',
  },
  addPromotionCode: {
    method: 'POST',
    path: '/api/session/v1/session/promotion-codes',
    audience: 'session',
    summary: 'Apply a promotion code',
    description:
      'An unknown code is refused. A code that does not discount this order is kept, and `order.promotions.leftOut` says why.',
    body: sessionCode,
    status: 200,
    response: buyerSession,
    errors: ['state_conflict'],
    idempotent: 'unit',
  },
  removePromotionCode: {
    method: 'DELETE',
    path: '/api/session/v1/session/promotion-codes',
    audience: 'session',
    summary: 'Remove a promotion code',
    description: 'Codes are not case-sensitive.',
    query: sessionCode,
    status: 200,
    response: buyerSession,
    errors: ['resource_missing', 'state_conflict'],
    idempotent: 'unit',
  },
  setContact: {
    method: 'PUT',
    path: '/api/session/v1/session/contact',
    audience: 'session',
    summary: 'Set the buyer’s contact',
    description:
      'Replaces the whole contact. The e-mail address is not verified: it is stored with the order, and the buyer stays a customer of this session only, even if the store knows other customers with that address.',
    body: sessionContact,
    status: 200,
    response: buyerSession,
    errors: ['state_conflict'],
    idempotent: 'unit',
  },
  setAddress: {
    method: 'PUT',
    path: '/api/session/v1/session/address',
    audience: 'session',
    summary: 'Set the buyer’s addresses',
    description: 'An address you leave out stays as it is; null removes it.',
    body: sessionAddress,
    status: 200,
    response: buyerSession,
    errors: ['state_conflict'],
    idempotent: 'unit',
  },
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
    errors: ['resource_missing', 'state_conflict', 'currency_unsupported'],
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
      's_payment_succeeded',
      's_order_paid',
      's_promotion_applied',
      's_subscription_created',
      's_payment_failed',
    ],
    idempotent: 'lease',
  },
  continuePayment: {
    method: 'POST',
    path: '/api/session/v1/session/payments/{paymentId}/continue',
    audience: 'session',
    summary: 'Continue a payment',
    description:
      'Call this after `checkout.authenticate()` has finished, or when the buyer is back from a method’s page: its processor is asked how the payment stands. The outcome comes from the 3-D Secure session, not from the page. Returns 409 while the buyer is still authenticating.',
    params: z.object({ paymentId: referenceTo('payment', 'A payment of this session.') }),
    status: 200,
    response: sessionPayment,
    errors: refusals,
    emits: ['s_payment_succeeded', 's_order_paid', 's_promotion_applied', 's_subscription_created', 's_payment_failed'],
    idempotent: 'lease',
  },
  next: {
    method: 'POST',
    path: '/api/session/v1/session/next',
    audience: 'session',
    summary: 'Go to the next step',
    description:
      'A buyer leaves a checkout step after paying for something in the session. A downsell is skipped if the offer before it was bought. If the buyer has already left the given step, the session is returned unchanged, so a second tab or a retry does not move the buyer twice.',
    body: sessionNext,
    status: 200,
    response: buyerSession,
    errors: ['resource_missing', 'state_conflict'],
    emits: ['s_funnel_session_step_completed', 's_funnel_session_step_viewed', 's_funnel_session_completed'],
    idempotent: 'unit',
  },
  goTo: {
    method: 'POST',
    path: '/api/session/v1/session/go-to',
    audience: 'session',
    summary: 'Go to a step',
    description:
      'A buyer can go back, and forward again to steps already visited; a preview can go to any step. Once something was paid for at or after an offer, a buyer who left that offer cannot return to it: the answer is a 409.',
    body: sessionStep,
    status: 200,
    response: buyerSession,
    errors: ['resource_missing', 'state_conflict'],
    emits: ['s_funnel_session_step_viewed', 's_funnel_session_completed'],
    idempotent: 'unit',
  },
  track: {
    method: 'POST',
    path: '/api/session/v1/session/events',
    audience: 'session',
    summary: 'Report a page event',
    description:
      'Records an event of the account with the buyer’s current step. It comes from a browser and may be forged: use it for statistics, never to fulfil an order.',
    body: trackedEvent,
    status: 200,
    response: z.object({ success: z.literal(true).meta({ description: 'The event was recorded.', examples: [true] }) }),
    errors: [],
    emits: ['s_funnel_session_event_tracked'],
    idempotent: 'unit',
  },
} as const satisfies Record<string, Operation>
