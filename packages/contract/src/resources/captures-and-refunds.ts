import { z } from 'zod'
import { idOf } from '../ids.ts'
import { amount, positiveAmount } from '../money.ts'
import { label, timestamp } from '../text.ts'

/** `automatic` captures a payment as soon as it is authorized; `manual` waits for a capture. */
export const captureMethod = z.enum(['automatic', 'manual'])
export type CaptureMethod = z.infer<typeof captureMethod>

/** The status of a capture, a refund or a void. Terminal: failed; and succeeded, unless its processor reverses it. */
export const postAuthorizationStatus = z.enum(['pending', 'succeeded', 'failed'])
export type PostAuthorizationStatus = z.infer<typeof postAuthorizationStatus>

/** Why a processor refused a request, or `reversed`: it was done, and came to nothing later. The payment is unchanged there. */
export const postAuthorizationFailure = z.enum([
  'amount_too_large',
  'wrong_state',
  'unknown_reference',
  'unsupported_amount',
  'unavailable',
  'reversed',
])
export type PostAuthorizationFailure = z.infer<typeof postAuthorizationFailure>

/** Fields that captures and refunds share. */
const sharedFields = {
  status: postAuthorizationStatus.meta({
    description:
      'The status. `pending`: the processor has not said yet what comes of it, and is asked again. What has `succeeded` may still become `failed`, with `reversed` as the `failure`.',
    examples: ['succeeded'],
  }),
  failure: postAuthorizationFailure.nullable().meta({
    description:
      'Why it failed; null otherwise. `reversed`: the processor had done it and reported later that it came to nothing, such as a refund to a closed account. `wrong_state`: at the processor, the payment is captured, voided ' +
      'or not captured already. `unsupported_amount`: the processor does not accept the amount in this currency. `unavailable`: the processor could not take the request; try again.',
    examples: [null],
  }),
  createdAt: timestamp.meta({ description: 'When it was requested.' }),
  finishedAt: timestamp.nullable().meta({ description: 'When its outcome was known, or reversed; null before that.' }),
}

/** A capture of an authorized payment. The one that is final is the last. */
export const capture = z
  .object({
    id: idOf('capture', 'The id of the capture, also its idempotency key at the processor.'),
    amount: amount.meta({ description: 'The captured amount, in minor units of the payment’s currency.' }),
    finalCapture: z.boolean().meta({
      description: 'Whether it is the last: what was not captured by then is released.',
      examples: [true],
    }),
    ...sharedFields,
  })
  .meta({ id: 'Capture', description: 'A capture of an authorized payment.' })
export type Capture = z.infer<typeof capture>

/** Money returned to the buyer. */
export const refund = z
  .object({
    id: idOf('refund', 'The id of the refund, also its idempotency key at the processor.'),
    accountId: idOf('account', 'The account that the refund belongs to.'),
    storeId: idOf('store', 'The store of the payment.'),
    paymentId: idOf('payment', 'The payment that is refunded.'),
    orderId: idOf('order', 'The order of the payment.'),
    amount: amount.meta({ description: 'The refunded amount, in minor units of `currency`.' }),
    currency: z.string().meta({ description: 'The payment’s currency: upper-case ISO 4217 code.', examples: ['USD'] }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'The reason in your own words; null if you gave none.', examples: ['Came back unopened'] }),
    ...sharedFields,
  })
  .meta({ id: 'Refund', description: 'Money returned to the buyer.' })
export type Refund = z.infer<typeof refund>

/** The body of `POST /api/payments/v1/payments/{paymentId}/capture`. */
export const newCapture = z.strictObject({
  amount: positiveAmount.optional().meta({
    description:
      'The amount to capture, in minor units of the payment’s currency, at most what is authorized and not captured yet; all ' +
      'of that by default. The rest is released, unless `finalCapture` is false.',
    examples: [1_500],
  }),
  finalCapture: z
    .boolean()
    .default(true)
    .meta({
      description:
        '`false` keeps the rest for another capture: the payment stays `authorized` until a final one, which pays the order. ' +
        'Only where its processor takes several captures.',
      examples: [true],
    }),
})
export type NewCapture = z.output<typeof newCapture>

/** The body of `POST /api/payments/v1/payments/{paymentId}/refund`. */
export const newRefund = z.strictObject({
  amount: positiveAmount.optional().meta({
    description:
      'The amount to refund, in minor units of the payment’s currency, at most the captured amount less other refunds and ' +
      'disputed amounts; all of that by default.',
    examples: [500],
  }),
  reason: label.optional().meta({
    description: 'The reason in your own words. Kept only: processors are not told, it is for your support.',
    examples: ['Came back unopened'],
  }),
})
export type NewRefund = z.output<typeof newRefund>
