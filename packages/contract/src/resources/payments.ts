import { z } from 'zod'
import { exampleId, idOf, referenceTo } from '../ids.ts'
import {
  METADATA_MAX_KEYS,
  ORDER_LINES_MAX,
  PROMOTION_CODES_MAX,
  STATEMENT_DESCRIPTOR_MAX_CHARS,
  TRIAL_DAYS_MAX,
} from '../limits.ts'
import { amount, currency, positiveAmount } from '../money.ts'
import { ipAddress, label, timestamp } from '../text.ts'
import { capture, captureMethod, refund } from './captures-and-refunds.ts'
import { dispute } from './disputes.ts'
import { testCardPreset, threedsPreset } from './funnel-sessions.ts'
import { declineCode, paymentAttempt, paymentRouting } from './payment-attempts.ts'
import { promotionCode } from './promotions.ts'
import { paymentSubscription } from './subscriptions.ts'

const examples = ['ORDER 1042']

/** What may be added to a statement. Source: Stripe, "Statement descriptors"; the networks' rules are as narrow. */
const statementDescriptor = z
  .string()
  .max(STATEMENT_DESCRIPTOR_MAX_CHARS)
  .regex(
    /^(?=.*[A-Za-z])[ !#-&()+-;=?-[\]-~]+$/,
    'must be printable ASCII with at least one letter, without < > \\ * and quotes',
  )
  .meta({
    description:
      'What the buyer reads on the statement behind the merchant’s own name: up to 20 characters of ASCII with at ' +
      'least one letter, without `<`, `>`, `\\`, `*` and quotes. A processor that cannot add to a statement leaves it out.',
    examples,
  })

/** The same as a payment shows it. */
const shownDescriptor = z.string().nullable().meta({
  description: 'What the buyer reads on the statement behind the merchant’s own name; null for nothing.',
  examples,
})

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

/** What the buyer's page needs to go on. */
const nextAction = z
  .object({
    type: z.literal('threeds_auth').meta({ description: 'What is to be done: authenticate with 3-D Secure.' }),
    actionToken: z.string().meta({
      description: 'Give it to your page, for `checkout.authenticate(actionToken)`; it opens this one session.',
      examples: ['WyJhY2NfMFZiVkpsIiwidGhyZWVkc18wVmJWSmwiXQ.q4nJ0cXhR2y8oV5wT1uK7mZ3bL9dF6sA0eG2iN4pH8c'],
    }),
    sessionId: idOf('threedsSession', 'The 3-D Secure session.'),
  })
  .nullable()
  .meta({ description: 'What the buyer’s page needs to go on; null unless `status` is `requires_action`.' })

export const payment = z
  .object({
    id: idOf('payment', 'The id of the payment.'),
    accountId: idOf('account', 'The account that the payment belongs to.'),
    storeId: idOf('store', 'The store that is paid.'),
    orderId: idOf('order', 'The order that is paid.'),
    customerId: idOf('customer', 'The customer who pays.'),
    paymentInstrumentId: idOf('paymentInstrument', 'What is charged.'),
    paymentFlowId: idOf('paymentFlow', 'The flow that picks the processor.'),
    status: paymentStatus.meta({ description: 'Where the payment stands.', examples: ['succeeded'] }),
    requireAction: requireAction.meta({ description: 'What the buyer has to do before the payment goes on.' }),
    nextAction,
    threedsSessionId: idOf('threedsSession', 'The 3-D Secure session of the payment; null without one.').nullable(),
    amount: amount.meta({ description: 'What is paid, in minor units of `currency`.' }),
    currency: z.string().meta({ description: 'Upper-case ISO 4217 code.', examples: ['USD'] }),
    captureMethod: captureMethod.meta({
      description: 'When the money is taken: with the authorisation, or by `capture`.',
      examples: ['automatic'],
    }),
    statementDescriptor: shownDescriptor,
    capturedAmount: amount.meta({ description: 'What was taken, in minor units of `currency`.' }),
    refundedAmount: amount.meta({
      description: 'What was given back of it, in minor units of `currency`.',
      examples: [0],
    }),
    declineCode,
    attempts: z.array(paymentAttempt).meta({ description: 'Every attempt at a processor, the first one first.' }),
    captures: z
      .array(capture)
      .meta({ description: 'Every try to take the money, the first one first.', examples: [[]] }),
    refunds: z
      .array(refund)
      .meta({ description: 'Every try to give money back, the first one first.', examples: [[]] }),
    disputes: z
      .array(dispute)
      .meta({ description: 'What its cardholder disputes, the first one first.', examples: [[]] }),
    routing: paymentRouting.meta({ description: 'What was decided of the payment as a whole.' }),
    funnelSessionId: idOf(
      'funnelSession',
      'The session of the buyer’s page that asked for it; null for a server.',
    ).nullable(),
    preview: z
      .object({
        testCardPreset: testCardPreset
          .nullable()
          .meta({ description: 'How it ends, whatever card was typed; null leaves that to the card.' }),
        threeds: threedsPreset
          .nullable()
          .meta({ description: 'How it is authenticated; null leaves that to the flow and the card.' }),
      })
      .nullable()
      .meta({ description: 'What a preview has asked for; null for a payment that moves money.', examples: [null] }),
    subscriptions: z.array(paymentSubscription).meta({
      description: 'The subscriptions that the payment begins or renews.',
      examples: [[]],
    }),
    createdAt: timestamp.meta({ description: 'When the payment was asked for.' }),
    updatedAt: timestamp.meta({ description: 'When its status last changed.' }),
  })
  .meta({ id: 'Payment', description: 'One payment of an order.' })
export type Payment = z.infer<typeof payment>

const paid = {
  storeId: exampleId('store'),
  paymentInstrumentId: exampleId('paymentInstrument'),
  currency: 'USD',
  metadata: { campaign: 'spring' },
}

/**
 * The body of `POST /api/payments/v1/payments`. What is paid is either `lines` (priced from the catalogue) or a plain
 * `amount`. The flow is the named one, else the store's.
 */
export const newPayment = z
  .object({
    storeId: referenceTo('store', 'The store that is paid.'),
    paymentInstrumentId: referenceTo('paymentInstrument', 'What is charged: an active instrument of the store.'),
    securityCodeToken: z
      .string()
      .min(1)
      .max(8_192)
      .optional()
      .meta({
        description:
          'With a saved card: what `card.tokenize()` returned for its security code. Good once, for this instrument, ' +
          'for 15 minutes.',
        examples: ['eyJ2IjoxLCJ0eXBlIjoic2VjdXJpdHlfY29kZSJ9'],
      }),
    paymentFlowId: referenceTo('paymentFlow', 'The flow that picks the processor, if not the store’s own.').optional(),
    currency: currency.meta({ description: 'The currency of the order: upper-case ISO 4217 code.' }),
    amount: positiveAmount
      .optional()
      .meta({ description: 'What is paid, in minor units of `currency`, more than 0: this or `lines`.' }),
    lines: z
      .array(
        z.object({
          variantId: referenceTo('variant', 'A variant of the store that is on sale.'),
          priceId: referenceTo(
            'price',
            'A price of the variant, if not its default. A recurring one begins a subscription.',
          ).optional(),
          quantity: z
            .int()
            .min(1)
            .max(10_000)
            .default(1)
            .meta({ description: 'How many units.', examples: [2] }),
          trialDays: z
            .int()
            .min(0)
            .max(TRIAL_DAYS_MAX)
            .optional()
            .meta({
              description:
                'How many days of a recurring price cost nothing, instead of the price’s own; of this and what promotions give, the longest counts.',
              examples: [14],
            }),
        }),
      )
      .min(1)
      .max(ORDER_LINES_MAX)
      .optional()
      .meta({ description: 'What is bought, priced from the catalogue: this or `amount`.' }),
    captureMethod: captureMethod.default('automatic').meta({
      description:
        '`automatic` takes the money with the authorisation. `manual` only sets it aside: capture it, or void the payment.',
      examples: ['manual'],
    }),
    statementDescriptor: statementDescriptor.optional(),
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
    buyerIp: ipAddress.optional().meta({
      description:
        'The address that the buyer’s browser has on the Internet, IPv4 or IPv6, for the limits of the flow’s abuse ' +
        'detection. Without it no attempts are counted by address.',
      examples: ['203.0.113.7'],
    }),
    metadata: z
      .record(z.string().max(64), label)
      .refine(
        (entries) => Object.keys(entries).length <= METADATA_MAX_KEYS,
        `must have at most ${METADATA_MAX_KEYS} keys`,
      )
      .default({})
      .meta({
        maxProperties: METADATA_MAX_KEYS,
        description: `Your own notes, kept with the order: at most ${METADATA_MAX_KEYS} keys.`,
        examples: [{ cart: 'c-1024' }],
      }),
  })
  .refine((body) => (body.amount === undefined) !== (body.lines === undefined), {
    path: ['lines'],
    error: 'must be given unless `amount` is: send one of the two',
  })
  .superRefine(pricedFieldsNeedLines)
  .meta({
    examples: [
      { ...paid, amount: 1_999 },
      { ...paid, lines: [{ variantId: exampleId('variant'), quantity: 2 }] },
    ],
  })
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
