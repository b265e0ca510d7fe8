import { z } from 'zod'
import { exampleId } from '../ids.ts'
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
  sessionStep,
} from '../resources/buyer-sessions.ts'
import { trackedEvent } from '../resources/funnel-events.ts'
import { pricingHookErrors } from '../resources/hook-answers.ts'
import { newPayment } from '../resources/new-payment.ts'
import { orderConfirmation, sessionHandOver, sessionRedemption } from '../resources/session-hand-over.ts'
import { sessionShippingChoice } from '../resources/shipping-options.ts'
import { sessionPayments } from './session-payments.ts'

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
    idempotent: 'transaction',
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
    idempotent: 'transaction',
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
    idempotent: 'transaction',
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
    idempotent: 'transaction',
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
    idempotent: 'transaction',
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
    idempotent: 'transaction',
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
    idempotent: 'transaction',
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
    idempotent: 'transaction',
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
    idempotent: 'transaction',
  },
  ...sessionPayments,
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
    idempotent: 'transaction',
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
    idempotent: 'transaction',
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
    idempotent: 'transaction',
  },
} as const satisfies Record<string, Operation>
