import { z } from 'zod'
import { cardRefusals } from '../errors.ts'
import { referenceTo } from '../ids.ts'
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
import { trackedEvent } from '../resources/event-types.ts'
import { orderConfirmation, sessionHandOver, sessionRedemption } from '../resources/session-hand-over.ts'
import { sessionLines } from '../resources/session-lines.ts'
import { sessionShippingChoice } from '../resources/shipping-options.ts'

/** What a card may be refused for, and what may be wrong with the order that it is to pay. */
const refusals = [...cardRefusals, 'abuse_blocked', 'resource_missing', 'state_conflict'] as const

/**
 * For the buyer's page, on the API's origin. All but the first take a session's token as their key, and see and change
 * what belongs to that session alone.
 */
export const session = {
  begin: {
    method: 'POST',
    path: '/api/session/v1/sessions',
    audience: 'page',
    summary: 'Begin the session of a buyer',
    description:
      'Takes a publishable key, from a page of one of its origins. Makes a nameless customer and a session at the first step of the funnel. The token is answered once and kept hashed: hold it in the page. Repeating the request begins another session.',
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
    summary: 'Read the session, with its order priced as of now',
    description: 'Everything that a page shows. The token tells which session.',
    status: 200,
    response: buyerSession,
    errors: [],
  },
  handOver: {
    method: 'POST',
    path: '/api/session/v1/session/hand-over',
    audience: 'session',
    summary: 'Make a code that hands the session over to another page',
    description:
      'Put the code into the fragment of the next page’s address, as `#tillwright-code=<code>`, and only of an address that the session tells. It is good for one minute and one use; a newer code takes the place of an older one. Your token stays good until the code is redeemed.',
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
    summary: 'Take a session over with the code of an address',
    description:
      'Takes a publishable key of the session’s store. Answers a new token, and every earlier token of the session is dead at once. Until something was paid in it, the session forgets its contact, its addresses and its customer; lines that it has come with wait in `broughtAlong` for the buyer’s confirmation. Repeat a request that was not answered under the same `Idempotency-Key`.',
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
    summary: 'Confirm the lines that the session has come with',
    description:
      'Send the `confirmation` of the `broughtAlong` that the buyer was shown. If the order has changed since, the answer is a 409.',
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
    summary: 'Set what is to be bought',
    description:
      'Replaces all lines. A line names a variant, a quantity, and at most a price that is offered to pages; all prices and free trials come from the catalogue and promotions. After an order was paid this opens the next one, for what is bought on top. While an order is being paid the answer is a 409.',
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
    summary: 'Choose how the order is shipped',
    description:
      'Takes one of `order.shipping.options`; the server knows what it costs. Until a buyer chooses, and where the choice does not fit the currency or the destination any more, the first option that fits counts. Goods that have to be shipped cannot be paid without one.',
    body: sessionShippingChoice,
    status: 200,
    response: buyerSession,
    errors: ['resource_missing', 'state_conflict'],
    idempotent: 'unit',
  },
  addPromotionCode: {
    method: 'POST',
    path: '/api/session/v1/session/promotion-codes',
    audience: 'session',
    summary: 'Enter the code of a promotion',
    description:
      'A code that there is not is refused. One that does not reduce this order is kept, and `order.promotions.leftOut` says why.',
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
    summary: 'Take the code of a promotion out again',
    description: 'The case of the code does not count.',
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
    summary: 'Say who the buyer is',
    description:
      'Replaces all of it. Nothing proves who typed an e-mail address: it goes with the order, and the buyer stays a customer of this session alone, whoever else the store knows by that address.',
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
    summary: 'Say where the buyer lives and where the goods go',
    description: 'An address that is left out stays as it is; null takes it away.',
    body: sessionAddress,
    status: 200,
    response: buyerSession,
    errors: ['state_conflict'],
    idempotent: 'unit',
  },
  pay: {
    method: 'POST',
    path: '/api/session/v1/session/pay',
    audience: 'session',
    summary: 'Pay the order of the session',
    description:
      'Stores the card, prices the order, lets the store’s flow pick a processor and charges. A declined card is a 402 and leaves the order open. An order that the session has come with is paid once it is confirmed. A card of this session is charged again in one click for the offer of a step behind its checkout; for anything else, and where the address or the device is another one since, it takes a `securityCodeToken` or the buyer authenticates (`requires_action`). With `requires_action` hand `nextAction.actionToken` to `checkout.authenticate()`, then continue the payment. Of two tabs that pay at once one is refused. A preview is charged by a simulated processor alone.',
    body: sessionPay,
    status: 201,
    response: sessionPayment,
    errors: [
      ...refusals,
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
    summary: 'Go on with a payment whose buyer has been asked to authenticate',
    description:
      'Call it when `checkout.authenticate()` has ended. What the 3-D Secure session says counts, not the page. While the buyer is not done yet the answer is a 409.',
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
    summary: 'Go on to the next step of the funnel',
    description:
      'A checkout is left once something was paid in the session; a downsell is passed over when the offer before it was bought. From a step that was left already the answer is the session as it stands, so that a second tab or a retry moves nobody twice.',
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
    summary: 'Go to a step of the funnel',
    description:
      'A buyer goes back, and forward again to where they have been; a preview goes to any step. An offer that a buyer has left is closed once something was paid at it or behind it: then the answer is a 409.',
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
    summary: 'Tell of something that happened in the page',
    description:
      'Becomes an event of the account, with the step that the buyer is at. It comes from a browser, so it may be made up: count with it, but ship nothing because of it.',
    body: trackedEvent,
    status: 200,
    response: z.object({ success: z.literal(true).meta({ description: 'It is on record.', examples: [true] }) }),
    errors: [],
    emits: ['s_funnel_session_event_tracked'],
    idempotent: 'unit',
  },
} as const satisfies Record<string, Operation>
