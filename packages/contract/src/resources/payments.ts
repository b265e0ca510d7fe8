import { z } from 'zod'
import { reference } from '../ids.ts'
import { METADATA_MAX_KEYS, ORDER_LINES_MAX, PROMOTION_CODES_MAX } from '../limits.ts'
import { amount, currency } from '../money.ts'
import { label, timestamp } from '../text.ts'
import { promotionCode } from './promotions.ts'

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
    amount: amount.optional(),
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
    promotionCodes: z
      .array(promotionCode)
      .max(PROMOTION_CODES_MAX)
      .default([])
      .meta({
        description: 'The codes that the buyer has entered; automatic promotions need none. Goes with `lines` alone.',
        examples: [['SUMMER10']],
      }),
    shippingAmount: amount.default(0).meta({
      description: 'What the shipping costs before discounts, in minor units of `currency`. Goes with `lines` alone.',
      examples: [500],
    }),
    expectedAmount: amount.optional().meta({
      description:
        'What the buyer was told that the order costs, in minor units of `currency`. If it costs something else by now, ' +
        'the answer is a 409 and nothing is charged. Goes with `lines` alone.',
      examples: [4_820],
    }),
    metadata: z
      .record(z.string().max(64), label)
      .refine(
        (entries) => Object.keys(entries).length <= METADATA_MAX_KEYS,
        `must have at most ${METADATA_MAX_KEYS} keys`,
      )
      .default({}),
  })
  .refine((body) => (body.amount === undefined) !== (body.lines === undefined), {
    path: ['lines'],
    error: 'must be given unless `amount` is: send one of the two',
  })
  .refine((body) => body.amount !== 0, {
    path: ['amount'],
    error: 'must be more than 0',
    params: { code: 'amount_invalid' },
  })
  .superRefine(pricedFieldsNeedLines)
export type NewPayment = z.output<typeof newPayment>

interface PricedFields {
  lines?: unknown
  promotionCodes: readonly string[]
  shippingAmount: number
  expectedAmount?: number | undefined
}

/** A plain amount is already what somebody has reckoned: nothing can be added to it or taken off it here. */
function pricedFieldsNeedLines(body: PricedFields, context: z.RefinementCtx) {
  if (body.lines !== undefined) return
  const given = {
    promotionCodes: body.promotionCodes.length > 0,
    shippingAmount: body.shippingAmount > 0,
    expectedAmount: body.expectedAmount !== undefined,
  }
  for (const [field, isGiven] of Object.entries(given)) {
    if (isGiven) context.addIssue({ code: 'custom', path: [field], message: 'must be left out unless lines are given' })
  }
}
