import { z } from 'zod'
import { idOf } from '../ids.ts'
import { amount, positiveAmount } from '../money.ts'
import { label, timestamp } from '../text.ts'

/** When the money of an authorised payment is taken. */
export const captureMethod = z.enum(['automatic', 'manual'])
export type CaptureMethod = z.infer<typeof captureMethod>

/** Where a capture, a refund or a void stands. Terminal: succeeded, failed. */
export const followUpStatus = z.enum(['pending', 'succeeded', 'failed'])
export type FollowUpStatus = z.infer<typeof followUpStatus>

/** Why a processor did not do what it was asked for. Nothing has changed there. */
export const followUpFailure = z.enum([
  'amount_too_large',
  'wrong_state',
  'unknown_reference',
  'unsupported_amount',
  'unavailable',
])
export type FollowUpFailure = z.infer<typeof followUpFailure>

/** What captures and refunds have in common. */
const moved = {
  status: followUpStatus.meta({
    description: 'Where it stands. `pending`: the processor has given no clear answer yet, and is being asked again.',
    examples: ['succeeded'],
  }),
  failure: followUpFailure.nullable().meta({
    description:
      'Why the processor refused; null unless it did. `wrong_state`: the processor sees the payment as captured, voided ' +
      'or not captured already. `unsupported_amount`: not an amount that it takes in this currency. `unavailable`: it could not take the request, which may be made again.',
    examples: [null],
  }),
  createdAt: timestamp.meta({ description: 'When it was asked for.' }),
  finishedAt: timestamp.nullable().meta({ description: 'When its outcome was known; null until then.' }),
}

/** The money of an authorisation, taken. A payment has one that succeeds at most. */
export const capture = z
  .object({
    id: idOf('capture', 'The id of the capture, and its idempotency key towards the processor.'),
    amount: amount.meta({ description: 'What is taken, in minor units of the payment’s currency.' }),
    ...moved,
  })
  .meta({ id: 'Capture', description: 'The money of an authorised payment, taken.' })
export type Capture = z.infer<typeof capture>

/** Money on its way back to the buyer. */
export const refund = z
  .object({
    id: idOf('refund', 'The id of the refund, and its idempotency key towards the processor.'),
    amount: amount.meta({ description: 'What is given back, in minor units of the payment’s currency.' }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why, in your own words; null if you gave no reason.', examples: ['Came back unopened'] }),
    ...moved,
  })
  .meta({ id: 'Refund', description: 'Money given back to the buyer.' })
export type Refund = z.infer<typeof refund>

/** The body of `POST /api/payments/v1/payments/{paymentId}/capture`. */
export const newCapture = z.object({
  amount: positiveAmount.optional().meta({
    description:
      'What is taken, in minor units of the payment’s currency, at most what was authorised; all of it unless given. ' +
      'The rest is given free: there is one capture.',
    examples: [1_500],
  }),
})
export type NewCapture = z.output<typeof newCapture>

/** The body of `POST /api/payments/v1/payments/{paymentId}/refund`. */
export const newRefund = z.object({
  amount: positiveAmount.optional().meta({
    description:
      'What is given back, in minor units of the payment’s currency, at most what was captured, less other refunds and ' +
      'what is disputed; all of that unless given.',
    examples: [500],
  }),
  reason: label
    .optional()
    .meta({ description: 'Why, in your own words, kept with the refund.', examples: ['Came back unopened'] }),
})
export type NewRefund = z.output<typeof newRefund>
