import { z } from 'zod'
import { exampleId, referenceTo } from '../ids.ts'
import { REFUNDS_MAX } from '../limits.ts'
import {
  amountBetween,
  byTime,
  createdBetween,
  flagFilter,
  howToList,
  listOf,
  ofResource,
  searchFor,
} from '../lists.ts'
import type { Operation } from '../operation.ts'
import { newCapture, newRefund, postAuthorizationStatus, refund } from '../resources/captures-and-refunds.ts'
import { paymentLedger } from '../resources/ledger.ts'
import { hookErrors } from '../resources/hook-answers.ts'
import { cardRefusals, paymentEndings } from '../resources/payment-attempts.ts'
import { refundedPayment } from '../resources/refund-approvals.ts'
import { newPayment } from '../resources/new-payment.ts'
import { newVerification } from '../resources/new-verification.ts'
import { payment, paymentStatus } from '../resources/payments.ts'

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
      'Prices the order, picks a processor through the payment flow, and charges the card. An order with nothing to pay now but something later, such as a free trial, has its card verified: the processor is asked for an amount of 0. One that never costs anything is paid without a processor: its payment has no attempts. A declined card returns a 402 with the payment’s id. If the outcome is not known after eight seconds, the payment is `processing` and goes on; its webhook tells the end, and so does reading it. If the flow has `threeDsEnabled`, the card is not charged yet: the payment is `requires_action` and has a `nextAction` for your page; continue the payment afterwards. Repeating the request with the same `Idempotency-Key` charges the card only once.',
    body: newPayment,
    status: 201,
    response: payment,
    errors: [
      ...cardRefusals,
      ...hookErrors,
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
      's_payment_pending',
      's_payment_authorized',
      ...paymentEndings,
    ],
    idempotent: 'lease',
  },
  verify: {
    method: 'POST',
    path: '/api/payments/v1/payment-instruments/{paymentInstrumentId}/verify',
    audience: 'key',
    scope: 'payments:write',
    summary: 'Verify a payment instrument',
    description:
      'Asks the issuer whether a card is good that is saved without an order, and keeps what the buyer agrees to as the `consent` of the payment instrument. It is a payment of 0: nothing is taken, and no event tells of its order. A declined card returns a 402. If the flow has `threeDsEnabled`, the payment is `requires_action`: continue it as any other.',
    params: z.object({ paymentInstrumentId: referenceTo('paymentInstrument', 'The payment instrument to verify.') }),
    body: newVerification,
    status: 201,
    response: payment,
    errors: [
      ...cardRefusals,
      'abuse_blocked',
      'resource_missing',
      'currency_unsupported',
      'state_conflict',
      'token_invalid',
      'token_expired',
      'token_used',
    ],
    emits: [
      's_payment_created',
      's_payment_action_required',
      's_threeds_session_created',
      's_payment_succeeded',
      's_payment_failed',
      's_payment_instrument_renewed',
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
      'Call this after `checkout.authenticate()` has finished in your page. The outcome comes from the 3-D Secure session, not from the page: if the buyer authenticated, the card is charged; otherwise the payment is declined (402 `authentication_required`, or `card_declined` if the issuer rejected it). Returns 409 while the buyer is still authenticating. An issuer that has asked nobody, and then declines because it wants the buyer, is asked for a challenge: the payment is `requires_action` again, once, with a new `nextAction`. A charge whose outcome is not known after eight seconds is `processing` and goes on.',
    params: ofPayment,
    status: 200,
    response: payment,
    errors: [...cardRefusals, 'resource_missing', 'state_conflict'],
    emits: [
      's_payment_action_required',
      's_threeds_session_created',
      's_payment_authorized',
      's_payment_succeeded',
      's_order_paid',
      's_promotion_applied',
      's_payment_failed',
      's_payment_instrument_renewed',
    ],
    idempotent: 'lease',
  },
  capture: {
    method: 'POST',
    path: '/api/payments/v1/payments/{paymentId}/capture',
    audience: 'key',
    scope: 'payments:write',
    summary: 'Capture a payment',
    description:
      'Takes all or part of the authorized amount, and releases the rest, unless `finalCapture` is false. If the processor gives no clear answer within eight seconds, the capture is `pending` and goes on; wait for `s_payment_succeeded` or `s_payment_capture_failed`.',
    params: ofPayment,
    body: newCapture,
    status: 200,
    response: payment,
    errors: ['resource_missing', 'amount_invalid', 'state_conflict', 'upstream_failed'],
    emits: [
      's_payment_partially_captured',
      's_payment_succeeded',
      's_order_paid',
      's_promotion_applied',
      's_payment_capture_failed',
    ],
    idempotent: 'lease',
  },
  refund: {
    method: 'POST',
    path: '/api/payments/v1/payments/{paymentId}/refund',
    audience: 'key',
    scope: 'refunds:write',
    summary: 'Refund a payment',
    description: `Refunds all or part of a captured payment. Refunds add up to at most the captured amount, in at most ${REFUNDS_MAX} attempts, one at a time. If the processor gives no clear answer within eight seconds, the refund is \`pending\`; wait for \`s_payment_refunded\` or \`s_payment_refund_failed\`. A refund above the account’s limit waits for a second person: the answer has \`refundRequest\`, and nothing is refunded yet.`,
    params: ofPayment,
    body: newRefund,
    status: 200,
    response: refundedPayment,
    errors: ['resource_missing', 'amount_invalid', 'state_conflict', 'upstream_failed'],
    emits: [
      's_payment_refunded',
      's_order_refunded',
      's_payment_refund_failed',
      's_refund_request_created',
      's_refund_request_expired',
    ],
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
  getLedger: {
    method: 'GET',
    path: '/api/payments/v1/payments/{paymentId}/ledger',
    audience: 'key',
    scope: 'payments:read',
    summary: 'Read the ledger of a payment',
    description:
      'Returns every movement of the payment’s money as double entries. They sum to zero and agree with the captured and refunded amounts. A payment that was not captured has none.',
    params: ofPayment,
    status: 200,
    response: paymentLedger,
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
      captured: flagFilter(
        'Only payments of which money was captured, whatever was refunded since, or only those of which none was.',
      ),
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

/** Not in the reference. A refund is made by `payments.refund`, or at the processor itself. */
export const refunds = {
  get: {
    method: 'GET',
    path: '/api/payments/v1/refunds/{refundId}',
    audience: 'key',
    scope: 'refunds:read',
    summary: 'Read a refund',
    description: 'A payment lists its refunds.',
    params: z.object({ refundId: referenceTo('refund', 'The id of the refund.') }),
    status: 200,
    response: refund,
    errors: ['resource_missing'],
  },
  list: {
    method: 'GET',
    path: '/api/payments/v1/refunds',
    audience: 'key',
    scope: 'refunds:read',
    summary: 'List refunds',
    description: howToList,
    ...listOf(refund, {
      ...byTime,
      status: postAuthorizationStatus
        .optional()
        .meta({ description: 'Only refunds of this status.', examples: ['succeeded'] }),
      storeId: ofResource('store', 'Only refunds of this store.'),
      paymentId: ofResource('payment', 'Only refunds of this payment.'),
      ...createdBetween,
      ...amountBetween,
      q: searchFor('the beginning of the id of a refund or a payment', exampleId('refund')),
    }),
    status: 200,
    errors: ['currency_unsupported'],
  },
} as const satisfies Record<string, Operation>
