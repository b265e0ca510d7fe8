import { z } from 'zod'
import { cardRefusals } from '../errors.ts'
import { referenceTo } from '../ids.ts'
import { PAGE_MAX, REFUNDS_MAX } from '../limits.ts'
import type { Operation } from '../operation.ts'
import { newCapture, newRefund } from '../resources/captures-and-refunds.ts'
import { newQuote, order, quote } from '../resources/orders.ts'
import { deletedProcessors, newPaymentFlow, paymentFlow, processorDeletion } from '../resources/payment-flows.ts'
import { createdPaymentInstrument, instrumentFromToken, paymentInstrument } from '../resources/payment-instruments.ts'
import { newPayment, payment } from '../resources/payments.ts'

/** Source: reference, "GET /payment-flows" and "POST /payment-flows/create". */
export const paymentFlows = {
  list: {
    method: 'GET',
    path: '/api/public/v1/payment-flows',
    audience: 'admin',
    summary: 'List the payment flows that are not archived',
    description:
      'The oldest flow comes first. Without `limit` all of them are answered; with it the header `Link` leads to the next page. Archived processors are left out of the flows.',
    query: z.object({
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(PAGE_MAX)
        .optional()
        .meta({ description: 'How many flows to answer; all of them if left out.', examples: [20] }),
      after: referenceTo('paymentFlow', 'The last flow of the page before: answers those that follow it.').optional(),
    }),
    status: 200,
    response: z.array(paymentFlow),
    headers: ['Link'],
    errors: [],
  },
  create: {
    method: 'POST',
    path: '/api/public/v1/payment-flows/create',
    audience: 'key',
    scope: 'payment-flows:write',
    summary: 'Create a payment flow',
    description: 'The order of the processors counts where `pickProcessorStrategy` is `ordered`.',
    body: newPaymentFlow,
    status: 201,
    response: paymentFlow,
    errors: ['resource_missing'],
    emits: ['s_payment_flow_created'],
    idempotent: 'unit',
  },
} as const satisfies Record<string, Operation>

/** Source: reference, "POST /payment-instruments/create-from-token" and "GET /payment-instruments/{...}". */
export const paymentInstruments = {
  createFromToken: {
    method: 'POST',
    path: '/api/public/v1/payment-instruments/create-from-token',
    audience: 'key',
    scope: 'payment-instruments:write',
    summary: 'Turn a service token of the card frame into a payment instrument',
    description:
      'Your page gets the token from `card.tokenize()` and sends it to your server. It is good for 15 minutes and once. The customer is the one that `customerId` names, else the one with the e-mail address of `customerData` in this store, else a new one.',
    body: instrumentFromToken,
    status: 201,
    response: createdPaymentInstrument,
    errors: ['token_invalid', 'token_expired', 'token_used', 'resource_missing'],
    emits: ['s_customer_created', 's_payment_instrument_created'],
    idempotent: 'unit',
  },
  get: {
    method: 'GET',
    path: '/api/public/v1/payment-instruments/{paymentInstrumentId}',
    audience: 'key',
    scope: 'payment-instruments:read',
    summary: 'Read a payment instrument',
    description: 'A card number is never returned.',
    params: z.object({ paymentInstrumentId: referenceTo('paymentInstrument', 'The id of the payment instrument.') }),
    status: 200,
    response: paymentInstrument,
    errors: ['resource_missing'],
  },
} as const satisfies Record<string, Operation>

const ofPayment = z.object({ paymentId: referenceTo('payment', 'The id of the payment.') })

/** Beside the public API: what a shop's server needs to be paid. */
export const payments = {
  create: {
    method: 'POST',
    path: '/api/payments/v1/payments',
    audience: 'key',
    scope: 'payments:write',
    summary: 'Pay an order with a payment instrument',
    description:
      'Prices the order, lets the flow pick a processor and charges the card. An order that costs nothing now, because of promotions or free trials, is paid without a processor: its payment has no attempts. A declined card is a 402 that names the payment. When the outcome is not known in time, the payment answers `processing` and is settled later: wait for its webhook. Where the flow has `threeDsEnabled`, nothing is charged yet and the payment answers `requires_action` with a `nextAction` for your page; then continue it. Repeat the request with the same `Idempotency-Key` and the card is charged once.',
    body: newPayment,
    status: 201,
    response: payment,
    errors: [
      ...cardRefusals,
      'abuse_blocked',
      'resource_missing',
      'currency_unsupported',
      'amount_invalid',
      'state_conflict',
      'promotion_exhausted',
      'token_invalid',
      'token_expired',
      'token_used',
    ],
    emits: [
      's_checkout_started',
      's_order_created',
      's_payment_created',
      's_payment_action_required',
      's_threeds_session_created',
      's_payment_authorized',
      's_payment_succeeded',
      's_order_paid',
      's_promotion_applied',
      's_subscription_created',
      's_payment_failed',
    ],
    idempotent: 'lease',
  },
  continue: {
    method: 'POST',
    path: '/api/payments/v1/payments/{paymentId}/continue',
    audience: 'key',
    scope: 'payments:write',
    summary: 'Go on with a payment whose buyer has been asked to authenticate',
    description:
      'Call it when `checkout.authenticate()` has ended in your page. What the session says counts, not the page: an authenticated buyer’s card is charged with the proof, any other end declines the payment (402 `authentication_required`, or `card_declined` where the issuer rejects it). While the buyer is not done yet the answer is a 409.',
    params: ofPayment,
    status: 200,
    response: payment,
    errors: [...cardRefusals, 'resource_missing', 'state_conflict'],
    emits: ['s_payment_authorized', 's_payment_succeeded', 's_order_paid', 's_promotion_applied', 's_payment_failed'],
    idempotent: 'lease',
  },
  capture: {
    method: 'POST',
    path: '/api/payments/v1/payments/{paymentId}/capture',
    audience: 'key',
    scope: 'payments:write',
    summary: 'Take the money of an authorised payment',
    description:
      'Once a payment, all that was authorised or a part of it. When the processor gives no clear answer, the capture is `pending` and is settled later: wait for `s_payment_succeeded` or `s_payment_capture_failed`.',
    params: ofPayment,
    body: newCapture,
    status: 200,
    response: payment,
    errors: ['resource_missing', 'amount_invalid', 'state_conflict', 'upstream_failed'],
    emits: ['s_payment_succeeded', 's_order_paid', 's_promotion_applied', 's_payment_capture_failed'],
    idempotent: 'lease',
  },
  refund: {
    method: 'POST',
    path: '/api/payments/v1/payments/{paymentId}/refund',
    audience: 'key',
    scope: 'payments:write',
    summary: 'Give money of a captured payment back',
    description: `In one or several parts, together at most what was captured; at most ${REFUNDS_MAX} tries, one after the other. When the processor gives no clear answer, the refund is \`pending\` and is settled later: wait for \`s_payment_refunded\` or \`s_payment_refund_failed\`.`,
    params: ofPayment,
    body: newRefund,
    status: 200,
    response: payment,
    errors: ['resource_missing', 'amount_invalid', 'state_conflict', 'upstream_failed'],
    emits: ['s_payment_refunded', 's_order_refunded', 's_payment_refund_failed'],
    idempotent: 'lease',
  },
  void: {
    method: 'POST',
    path: '/api/payments/v1/payments/{paymentId}/void',
    audience: 'key',
    scope: 'payments:write',
    summary: 'Give up an authorised payment that is not captured',
    description:
      'The money that was set aside is free again, and the order is canceled. When the processor gives no clear answer, the payment stays `authorized` until it does: wait for `s_payment_canceled` or `s_payment_void_failed`.',
    params: ofPayment,
    status: 200,
    response: payment,
    errors: ['resource_missing', 'state_conflict', 'upstream_failed'],
    emits: ['s_payment_canceled', 's_order_canceled', 's_payment_void_failed'],
    idempotent: 'lease',
  },
  get: {
    method: 'GET',
    path: '/api/payments/v1/payments/{paymentId}',
    audience: 'key',
    scope: 'payments:read',
    summary: 'Read a payment with its attempts',
    description: 'Every attempt tells which processors could have been asked and how one was chosen.',
    params: ofPayment,
    status: 200,
    response: payment,
    errors: ['resource_missing'],
  },
} as const satisfies Record<string, Operation>

export const orders = {
  get: {
    method: 'GET',
    path: '/api/payments/v1/orders/{orderId}',
    audience: 'key',
    scope: 'orders:read',
    summary: 'Read an order with its lines',
    description: 'What was bought, at which prices, and whether it is paid.',
    params: z.object({ orderId: referenceTo('order', 'The id of the order.') }),
    status: 200,
    response: order,
    errors: ['resource_missing'],
  },
  quote: {
    method: 'POST',
    path: '/api/payments/v1/orders/quote',
    audience: 'key',
    scope: 'orders:read',
    summary: 'Price an order with its promotions, without paying it',
    description:
      'The same reckoning as a payment, without any effect. `promotions` tells which promotions reduce the order, which were left out, and the field that did it.',
    body: newQuote,
    status: 200,
    response: quote,
    errors: ['resource_missing', 'currency_unsupported', 'amount_invalid'],
  },
} as const satisfies Record<string, Operation>

/** Source: reference, "POST /processors/delete". */
export const processors = {
  delete: {
    method: 'POST',
    path: '/api/public/v1/processors/delete',
    audience: 'admin',
    summary: 'Archive processors: payment flows pick them no more',
    description:
      'All of them or none: an unknown id is a 404 that names its place in the list. Past attempts keep naming them.',
    body: processorDeletion,
    status: 200,
    response: deletedProcessors,
    errors: ['resource_missing'],
    emits: ['s_processor_archived'],
    idempotent: 'unit',
  },
} as const satisfies Record<string, Operation>
