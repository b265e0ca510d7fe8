import { z } from 'zod'
import { idOf } from '../ids.ts'
import { amount } from '../money.ts'
import { timestamp } from '../text.ts'
import { capture, captureMethod, refund } from './captures-and-refunds.ts'
import { dispute } from './disputes.ts'
import { testCardPreset, threedsPreset } from './funnel-sessions.ts'
import { futureUsage } from './payment-instruments.ts'
import { declineCode, paymentAttempt, paymentRouting } from './payment-attempts.ts'
import { paymentMethod } from './payment-methods.ts'
import { paymentSubscription } from './subscriptions.ts'
import { authenticationType, challengePreference, recurringInfo } from './threeds-series.ts'

/** The statement descriptor as a payment shows it. */
const shownDescriptor = z
  .string()
  .nullable()
  .meta({
    description: 'Text on the buyer’s statement after the merchant’s name, or null.',
    examples: ['ORDER 1042'],
  })

/**
 * The status of a payment. Terminal: canceled; declined and failed, but for money that comes late, which is given back;
 * and refunded, unless a refund is reversed. What has succeeded has `failed` once its capture is reversed.
 */
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

/** The action that the buyer has to take before the payment continues. */
export const requireAction = z.enum(['none', 'redirect', 'threeds_auth', 'processor_auth', 'radar'])

/** The data that the buyer's page needs to continue. */
export const nextAction = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('threeds_auth').meta({ description: 'The action to take: authenticate with 3-D Secure.' }),
      actionToken: z.string().meta({
        description: 'Pass it to `checkout.authenticate(actionToken)` in your page. Valid for this session only.',
        examples: ['WyJhY2NfMFZiVkpsIiwidGhyZWVkc18wVmJWSmwiXQ.q4nJ0cXhR2y8oV5wT1uK7mZ3bL9dF6sA0eG2iN4pH8c'],
      }),
      sessionId: idOf('threedsSession', 'The 3-D Secure session.'),
    }),
    z.object({
      type: z.literal('redirect').meta({ description: 'The action to take: go to the method’s page.' }),
      url: z.url().meta({
        description: 'Where the buyer’s browser has to go; it comes back to the payment’s `returnUrl`.',
        examples: ['https://bank.example/pay/4711'],
      }),
    }),
  ])
  .nullable()
  .meta({
    description: 'The data that the buyer’s page needs to continue; null unless `status` is `requires_action`.',
    examples: [null],
  })

/** The party that initiates a payment: in the networks' terms a CIT (`buyer`) or an MIT (`merchant`). */
export const initiatedBy = z.enum(['buyer', 'merchant'])

export const payment = z
  .object({
    id: idOf('payment', 'The id of the payment.'),
    accountId: idOf('account', 'The account that the payment belongs to.'),
    storeId: idOf('store', 'The store that receives the payment.'),
    orderId: idOf('order', 'The order to pay.'),
    customerId: idOf('customer', 'The customer who pays.'),
    paymentInstrumentId: idOf(
      'paymentInstrument',
      'The payment instrument; null where the method is no card.',
    ).nullable(),
    paymentMethod: paymentMethod.meta({ description: 'Means of payment.' }),
    paymentFlowId: idOf('paymentFlow', 'The flow that picks the processor.'),
    status: paymentStatus.meta({ description: 'The status of the payment.', examples: ['succeeded'] }),
    requireAction: requireAction.meta({
      description: 'The action that the buyer has to take before the payment continues.',
    }),
    nextAction,
    returnUrl: z
      .url()
      .nullable()
      .meta({
        description: 'Where the buyer comes back to from the method’s page; null for methods that lead nowhere.',
        examples: [null],
      }),
    expiresAt: timestamp.nullable().meta({
      description:
        'Until when the buyer can pay, or the outcome of a pending payment is known; null where it does not wait for that.',
      examples: [null],
    }),
    threedsSessionId: idOf('threedsSession', 'The 3-D Secure session of the payment, or null.').nullable(),
    authenticationType,
    recurringInfo: recurringInfo
      .nullable()
      .meta({ description: 'The terms of the series; null for a single payment.', examples: [null] }),
    challengePreference,
    initiatedBy: initiatedBy.meta({
      description: 'Who asked for the payment: `merchant` for renewals and other charges in the buyer’s absence.',
      examples: ['buyer'],
    }),
    setupFutureUsage: futureUsage.nullable().meta({
      description: 'The later charges of the card that the buyer agreed to with this payment, or null.',
      examples: [null],
    }),
    amount: amount.meta({ description: 'The amount, in minor units of `currency`.' }),
    currency: z.string().meta({ description: 'Upper-case ISO 4217 code.', examples: ['USD'] }),
    captureMethod: captureMethod.meta({
      description: 'Whether the payment is captured automatically with the authorization, or by `capture`.',
      examples: ['automatic'],
    }),
    statementDescriptor: shownDescriptor,
    capturedAmount: amount.meta({ description: 'The captured amount, in minor units of `currency`.' }),
    refundedAmount: amount.meta({
      description: 'The refunded amount, in minor units of `currency`.',
      examples: [0],
    }),
    declineCode,
    attempts: z.array(paymentAttempt).meta({ description: 'All attempts at processors, oldest first.' }),
    captures: z
      .array(capture)
      .meta({ description: 'All captures, including failed ones, oldest first.', examples: [[]] }),
    refunds: z.array(refund).meta({ description: 'All refunds, including failed ones, oldest first.', examples: [[]] }),
    disputes: z.array(dispute).meta({ description: 'The disputes of the payment, oldest first.', examples: [[]] }),
    routing: paymentRouting.meta({ description: 'Decisions about the payment as a whole.' }),
    funnelSessionId: idOf(
      'funnelSession',
      'The session of the page that requested the payment; null for payments created by a server.',
    ).nullable(),
    preview: z
      .object({
        testCardPreset: testCardPreset
          .nullable()
          .meta({ description: 'The forced outcome, whatever card is entered; null if the card decides.' }),
        threeds: threedsPreset
          .nullable()
          .meta({ description: 'The forced authentication; null if the flow and the card decide.' }),
      })
      .nullable()
      .meta({ description: 'The options of a preview; null for a payment that moves money.', examples: [null] }),
    subscriptions: z.array(paymentSubscription).meta({
      description: 'The subscriptions that the payment starts or renews.',
      examples: [[]],
    }),
    createdAt: timestamp.meta({ description: 'When the payment was created.' }),
    updatedAt: timestamp.meta({ description: 'When its status last changed.' }),
  })
  .meta({ id: 'Payment', description: 'A payment of an order.' })
export type Payment = z.infer<typeof payment>
