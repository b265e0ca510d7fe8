import { z } from 'zod'
import { cardRefusals } from '../errors.ts'
import { referenceTo } from '../ids.ts'
import { PAGE_MAX, REFUNDS_MAX } from '../limits.ts'
import {
  amountBetween,
  createdBetween,
  howToList,
  listOf,
  flagFilter,
  metadataFilter,
  ofResource,
  searchFor,
} from '../lists.ts'
import type { Operation } from '../operation.ts'
import { newCapture, newRefund } from '../resources/captures-and-refunds.ts'
import { newQuote, order, orderStatus, quote } from '../resources/orders.ts'
import { deletedProcessors, newPaymentFlow, paymentFlow, processorDeletion } from '../resources/payment-flows.ts'
import { createdPaymentInstrument, instrumentFromToken, paymentInstrument } from '../resources/payment-instruments.ts'
import { newPayment, payment, paymentStatus } from '../resources/payments.ts'

/** Source: reference, "GET /payment-flows" and "POST /payment-flows/create". */
export const paymentFlows = {
  list: {
    method: 'GET',
    path: '/api/public/v1/payment-flows',
    audience: 'admin',
    scope: 'payment-flows:read',
    summary: 'List payment flows',
    description:
      'Oldest first, without archived flows and processors. Returns all of them unless `limit` is set; then the `Link` header points to the next page.',
    query: z.object({
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(PAGE_MAX)
        .optional()
        .meta({ description: 'The number of flows to return; all by default.', examples: [20] }),
      after: referenceTo('paymentFlow', 'The last flow of the previous page.').optional(),
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
    description: 'The order of the processors matters if `pickProcessorStrategy` is `ordered`.',
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
    summary: 'Create a payment instrument',
    description:
      'Exchanges a service token for a payment instrument. Your page gets the token from `card.tokenize()` and sends it to your server; it is valid for 15 minutes and can be used once. The customer is the one in `customerId`, otherwise the store’s customer with the e-mail address in `customerData`, otherwise a new one.',
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
    description: 'The card number is never returned.',
    params: z.object({ paymentInstrumentId: referenceTo('paymentInstrument', 'The id of the payment instrument.') }),
    status: 200,
    response: paymentInstrument,
    errors: ['resource_missing'],
  },
  list: {
    method: 'GET',
    path: '/api/payments/v1/payment-instruments',
    audience: 'key',
    scope: 'payment-instruments:read',
    summary: 'List payment instruments',
    description: howToList,
    ...listOf(paymentInstrument, {
      customerId: ofResource('customer', 'Only cards of this customer.'),
      storeId: ofResource('store', 'Only cards of customers of this store.'),
      active: flagFilter('Only cards that can be charged, or only those that cannot.'),
      ...createdBetween,
      q: searchFor('the last four digits, and the network if you like', 'visa 4242'),
    }),
    status: 200,
    errors: [],
  },
} as const satisfies Record<string, Operation>

const ofPayment = z.object({ paymentId: referenceTo('payment', 'The id of the payment.') })

/** Not in the reference: the operations with which a shop's server takes payments. */
export const payments = {
  create: {
    method: 'POST',
    path: '/api/payments/v1/payments',
    audience: 'key',
    scope: 'payments:write',
    summary: 'Create a payment',
    description:
      'Prices the order, picks a processor through the payment flow, and charges the card. An order with nothing to pay now, because of promotions or free trials, is paid without a processor: its payment has no attempts. A declined card returns a 402 with the payment’s id. If the outcome is not known after eight seconds, the payment is `processing` and goes on; its webhook tells the end, and so does reading it. If the flow has `threeDsEnabled`, the card is not charged yet: the payment is `requires_action` and has a `nextAction` for your page; continue the payment afterwards. Repeating the request with the same `Idempotency-Key` charges the card only once.',
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
    summary: 'Continue a payment after authentication',
    description:
      'Call this after `checkout.authenticate()` has finished in your page. The outcome comes from the 3-D Secure session, not from the page: if the buyer authenticated, the card is charged; otherwise the payment is declined (402 `authentication_required`, or `card_declined` if the issuer rejected it). Returns 409 while the buyer is still authenticating. A charge whose outcome is not known after eight seconds is `processing` and goes on.',
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
    summary: 'Capture a payment',
    description:
      'Takes all or part of the authorized amount. A payment can be captured once. If the processor gives no clear answer within eight seconds, the capture is `pending` and goes on; wait for `s_payment_succeeded` or `s_payment_capture_failed`.',
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
    scope: 'refunds:write',
    summary: 'Refund a payment',
    description: `Refunds all or part of a captured payment. Refunds add up to at most the captured amount, in at most ${REFUNDS_MAX} attempts, one at a time. If the processor gives no clear answer within eight seconds, the refund is \`pending\`; wait for \`s_payment_refunded\` or \`s_payment_refund_failed\`.`,
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
    summary: 'Void a payment',
    description:
      'Releases the reserved amount of an authorized payment and cancels its order. If the processor gives no clear answer within eight seconds, the payment stays `authorized` and the void goes on; wait for `s_payment_canceled` or `s_payment_void_failed`.',
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
    summary: 'Read a payment',
    description:
      'Returns the payment with its attempts. Each attempt lists the processors that were eligible and explains how one was picked.',
    params: ofPayment,
    status: 200,
    response: payment,
    errors: ['resource_missing'],
  },
  list: {
    method: 'GET',
    path: '/api/payments/v1/payments',
    audience: 'key',
    scope: 'payments:read',
    summary: 'List and search payments',
    description: howToList,
    ...listOf(payment, {
      status: paymentStatus.optional().meta({ description: 'Only payments of this status.', examples: ['succeeded'] }),
      storeId: ofResource('store', 'Only payments of this store.'),
      customerId: ofResource('customer', 'Only payments of this customer.'),
      orderId: ofResource('order', 'Only payments of this order.'),
      ...createdBetween,
      ...amountBetween,
      q: searchFor(
        'an e-mail address, a name, the last four digits of a card (with its network if you like), an amount such as 19.99, or the beginning of the id of a payment, an order or a customer',
        'ada@example.com',
      ),
    }),
    status: 200,
    errors: ['currency_unsupported'],
  },
} as const satisfies Record<string, Operation>

export const orders = {
  get: {
    method: 'GET',
    path: '/api/payments/v1/orders/{orderId}',
    audience: 'key',
    scope: 'orders:read',
    summary: 'Read an order',
    description: 'Returns the order with its lines, prices and payment status.',
    params: z.object({ orderId: referenceTo('order', 'The id of the order.') }),
    status: 200,
    response: order,
    errors: ['resource_missing'],
  },
  list: {
    method: 'GET',
    path: '/api/payments/v1/orders',
    audience: 'key',
    scope: 'orders:read',
    summary: 'List and search orders',
    description: howToList,
    ...listOf(order, {
      status: orderStatus.optional().meta({ description: 'Only orders of this status.', examples: ['paid'] }),
      storeId: ofResource('store', 'Only orders of this store.'),
      customerId: ofResource('customer', 'Only orders of this customer.'),
      metadata: metadataFilter,
      ...createdBetween,
      ...amountBetween,
      q: searchFor(
        'an e-mail address, a name, an amount such as 19.99, or the beginning of the id of an order or a customer',
        'ada@example.com',
      ),
    }),
    status: 200,
    errors: ['currency_unsupported'],
  },
  quote: {
    method: 'POST',
    path: '/api/payments/v1/orders/quote',
    audience: 'key',
    scope: 'orders:read',
    summary: 'Price an order',
    description:
      'Calculates what the order costs with its promotions, exactly as a payment would, without creating anything. `promotions` lists the promotions that apply, and those that do not with the field that ruled them out.',
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
    scope: 'processors:write',
    summary: 'Archive processors',
    description:
      'Payment flows no longer pick archived processors; past attempts still show them. Archives all or none: an unknown id is a 404 with its position in the list.',
    body: processorDeletion,
    status: 200,
    response: deletedProcessors,
    errors: ['resource_missing'],
    emits: ['s_processor_archived'],
    idempotent: 'unit',
  },
} as const satisfies Record<string, Operation>
