import { z } from 'zod'
import { reference } from '../ids.ts'
import { METADATA_MAX_KEYS, ORDER_LINES_MAX } from '../limits.ts'
import { amount, currency, positiveAmount } from '../money.ts'
import { label, timestamp } from '../text.ts'

/** Where a payment stands. Terminal: declined, failed, canceled, refunded. */
export const paymentStatus = z.enum([
  'created',
  'requires_action',
  'processing',
  'authorized',
  'succeeded',
  'declined',
  'failed',
  'canceled',
  'partially_refunded',
  'refunded',
])
export type PaymentStatus = z.infer<typeof paymentStatus>

/** What the buyer has to do before the payment goes on. */
export const requireAction = z.enum(['none', 'redirect', 'threeds_auth', 'processor_auth', 'radar'])

/** One attempt at one processor, with the choice that led to it. */
export const paymentAttempt = z
  .object({
    id: z.string(),
    processorId: z.string(),
    status: z.enum(['processing', 'succeeded', 'declined', 'failed']),
    declineCode: z.string().nullable(),
    decision: z.object({
      candidates: z.array(z.object({ processorId: z.string(), weight: z.number() })),
      dropped: z.array(z.object({ processorId: z.string(), reason: z.string() })),
      draw: z.number(),
    }),
    createdAt: timestamp,
  })
  .meta({ id: 'PaymentAttempt' })
export type PaymentAttempt = z.infer<typeof paymentAttempt>

export const payment = z
  .object({
    id: z.string(),
    accountId: z.string(),
    storeId: z.string(),
    orderId: z.string(),
    customerId: z.string(),
    paymentInstrumentId: z.string(),
    paymentFlowId: z.string(),
    status: paymentStatus,
    requireAction,
    amount,
    currency: z.string(),
    declineCode: z.string().nullable(),
    attempts: z.array(paymentAttempt),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Payment' })
export type Payment = z.infer<typeof payment>

const paid = {
  storeId: 'store_0XKn6PfE0mYb9e8NYX6hMG',
  paymentInstrumentId: 'pi_0XKn6PfE0mYb9e8NYX6hMG',
  currency: 'USD',
  metadata: { campaign: 'spring' },
}

/**
 * The body of `POST /api/payments/v1/payments`. What is paid is either `lines` (priced from the catalogue) or a plain
 * `amount`. The flow is the named one, else the store's.
 */
export const newPayment = z
  .object({
    storeId: reference,
    paymentInstrumentId: reference,
    paymentFlowId: reference.optional(),
    currency,
    amount: positiveAmount.optional(),
    lines: z
      .array(
        z.object({
          variantId: reference,
          priceId: reference.optional(),
          quantity: z.int().min(1).max(10_000).default(1),
        }),
      )
      .min(1)
      .max(ORDER_LINES_MAX)
      .optional(),
    metadata: z
      .record(z.string().max(64), label)
      .refine(
        (entries) => Object.keys(entries).length <= METADATA_MAX_KEYS,
        `must have at most ${METADATA_MAX_KEYS} keys`,
      )
      .meta({ maxProperties: METADATA_MAX_KEYS })
      .default({}),
  })
  .refine((body) => (body.amount === undefined) !== (body.lines === undefined), {
    path: ['lines'],
    error: 'must be given unless `amount` is: send one of the two',
  })
  .meta({
    examples: [
      { ...paid, amount: 1_999 },
      { ...paid, lines: [{ variantId: 'variant_0XKn6PfE0mYb9e8NYX6hMG', quantity: 2 }] },
    ],
  })
export type NewPayment = z.output<typeof newPayment>
