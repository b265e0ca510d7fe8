import { z } from 'zod'
import { idOf } from '../ids.ts'
import { timestamp } from '../text.ts'
import { scaDecision } from './exemptions.ts'
import { attemptChecks, attemptExemption, attemptFee } from './payment-methods.ts'

/** The reasons for a decline that the platform has; a processor's own reason becomes one of them. */
export type DeclineCode =
  | 'generic_decline'
  | 'do_not_honor'
  | 'insufficient_funds'
  | 'try_again_later'
  | 'processing_error'
  | 'authentication_required'
  | 'card_velocity_exceeded'
  | 'card_not_supported'
  | 'currency_not_supported'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'invalid_number'
  | 'lost_card'
  | 'stolen_card'
  | 'pickup_card'
  | 'closed_account'
  | 'fraudulent'
  | 'authorization_revoked'
  | 'transaction_not_allowed'
  | 'do_not_try_again'
  | 'card_deleted'
  | 'buyer_canceled'
  | 'payment_expired'
  | 'debit_refused'

/** Why an issuer declined a card. */
export const declineCode = z
  .string()
  .nullable()
  .meta({
    description: 'The issuer’s reason; null if the issuer did not decline.',
    examples: [null, 'insufficient_funds'],
  })

/** Why a processor of the flow was not eligible. */
const dropReason = z.enum([
  'archived',
  'disabled',
  'currency_unsupported',
  'brand_unsupported',
  'method_unsupported',
  'circuit_open',
  'driver_unavailable',
  'already_tried',
])
export type DropReason = z.infer<typeof dropReason>

/** Whether a customer stayed with the processor of the last success. */
const stickiness = z.enum(['off', 'none', 'kept', 'not_eligible', 'non_stickable'])
export type Stickiness = z.infer<typeof stickiness>

const decision = z.object({
  pool: z
    .enum(['primary', 'fallback'])
    .default('primary')
    .meta({ description: 'The list of the flow that the candidates come from.', examples: ['primary'] }),
  candidates: z
    .array(
      z.object({
        processorId: idOf('processor', 'An eligible processor.'),
        weight: z.number().meta({ description: 'Its relative weight.', examples: [3] }),
      }),
    )
    .meta({ description: 'The processors that were eligible.' }),
  dropped: z
    .array(
      z.object({
        processorId: idOf('processor', 'A processor that was not eligible.'),
        reason: dropReason.meta({
          description:
            'The reason. `circuit_open`: it failed several times in a row and is paused for a while. `driver_unavailable`: the platform has no driver for it; the operator has to fix this. `method_unsupported`: it cannot take the payment method, or this kind of card.',
          examples: ['disabled'],
        }),
      }),
    )
    .meta({ description: 'The processors that were not eligible.' }),
  sticky: stickiness.default('off').meta({
    description:
      'Whether the customer stayed with the processor of the last success, without a draw: `kept`; ' +
      '`none` if there was no such success; `non_stickable` and `not_eligible` if that processor does not keep customers ' +
      'or was not eligible; `off` if the flow does not keep customers.',
    examples: ['none'],
  }),
  draw: z
    .number()
    .meta({ description: 'The random number used for the draw, from 0 up to but not including 1.', examples: [0.42] }),
  sca: scaDecision
    .nullable()
    .default(null)
    .meta({
      description:
        'How the exemptions were decided on for this processor, whose acquirer may be another one, where one before it has not taken the payment; null for the first attempt, of which the payment’s `routing.sca` tells, and for a buyer who was authenticated.',
      examples: [null],
    }),
})

/** The outcome of an attempt, as far as it is known. */
export const attemptOutcome = z.enum([
  'succeeded',
  'authorized',
  'soft_decline',
  'hard_decline',
  'authentication_required',
  'technical_failure',
  'redirect',
  'pending',
  'unknown',
])
export type AttemptOutcomeName = z.infer<typeof attemptOutcome>

export const attemptStatus = z.enum(['processing', 'succeeded', 'declined', 'failed'])

/** One attempt at one processor, with the reason it was picked. */
export const paymentAttempt = z
  .object({
    id: idOf('paymentAttempt', 'The id of the attempt, also its idempotency key at the processor.'),
    processorId: idOf('processor', 'The processor used.'),
    status: attemptStatus.meta({ description: 'The outcome.', examples: ['succeeded'] }),
    declineCode,
    outcome: attemptOutcome.nullable().meta({
      description:
        'The processor’s answer; null before that. `soft_decline` and `technical_failure` (the attempt never started) ' +
        'may be retried at another processor. `redirect`: the buyer has to go to the method’s page and come back. `pending`: accepted, and whether the money comes is told later. `unknown`: there was no clear answer, and the processor is asked what happened.',
      examples: ['succeeded'],
    }),
    advice: z
      .string()
      .nullable()
      .meta({ description: 'The card network’s advice code for a decline, or null.', examples: [null, '03'] }),
    networkTransactionId: z
      .string()
      .nullable()
      .meta({
        description:
          'The card network’s own id of the authorization, as the processor tells it; null before that, and where it tells none.',
        examples: ['016153570198200', null],
      }),
    checks: attemptChecks.nullable().meta({
      description: 'The issuer’s checks of security code and address; null where the processor tells none.',
    }),
    exemption: attemptExemption
      .nullable()
      .meta({ description: 'The exemption from strong customer authentication that was asked for, or null.' }),
    fee: attemptFee.nullable().meta({ description: 'The processor’s fee; null where it tells none.' }),
    finishedAt: timestamp.nullable().meta({ description: 'When the outcome was known; null before that.' }),
    decision: decision.meta({ description: 'How the processor was picked.' }),
    createdAt: timestamp.meta({ description: 'When the attempt started.' }),
  })
  .meta({ id: 'PaymentAttempt', description: 'One attempt at one processor, with the reason it was picked.' })
export type PaymentAttempt = z.infer<typeof paymentAttempt>

/** Why no further processor was tried. */
const routingStop = z.enum([
  'hard_decline',
  'authentication_required',
  'single_processor',
  'fallback_off',
  'retries_used_up',
  'no_processor_left',
  'scheme_limit',
  'retry_forbidden',
  'retry_too_early',
  'cryptogram_used',
  'card_deleted',
  'card_inactive',
  'recovered',
])
export type RoutingStop = z.infer<typeof routingStop>

/** A limit of a flow's abuse detection, named after its setting. */
const abuseLimit = z.enum(['maxAttemptsPerIp', 'maxAttemptsPerCard', 'maxDistinctCardsPerCustomer'])
export type AbuseLimit = z.infer<typeof abuseLimit>

/** Decisions about the payment as a whole. */
export const paymentRouting = z.object({
  overLimits: z
    .array(abuseLimit)
    .max(3)
    .meta({
      description: 'The abuse detection limits of the flow that the payment exceeded.',
      examples: [[]],
    }),
  paidLate: z
    .boolean()
    .default(false)
    .meta({
      description: 'Whether its money came after it had ended without, and is given back for that.',
      examples: [false],
    }),
  challengeMandated: z.boolean().meta({
    description:
      'Whether the issuer was asked to authenticate the buyer, because a saved card was charged in circumstances other than those in which it was saved.',
    examples: [false],
  }),
  abuseAction: z
    .enum(['none', 'challenge_3ds', 'flag'])
    .meta({ description: 'The action taken; `none` within the limits.', examples: ['none'] }),
  sca: scaDecision.nullable().meta({
    description: 'How the exemptions of the flow were decided on; null where the flow asks for none.',
    examples: [null],
  }),
  stopped: routingStop.nullable().meta({
    description:
      'Why no further processor was tried; null while the payment is open and after a success. `scheme_limit`: the card ' +
      'reached its network’s limit of declines. `retry_forbidden`: its issuer has said that it will never approve the card. ' +
      '`retry_too_early`: its network asked to wait after a decline. `cryptogram_used`: a wallet’s cryptogram is good for one ' +
      'authorization. `card_deleted`, `card_inactive`: the instrument was deleted or is not ' +
      'active, and a subscription could not be renewed with it. `recovered`: the outcome was found later, without the buyer.',
    examples: [null, 'retries_used_up'],
  }),
})
export type PaymentRouting = z.infer<typeof paymentRouting>

/** Error codes of a refused card charge. Source: decisions, "Errors" and "Payment flows". */
export const cardRefusals = [
  'card_declined',
  'insufficient_funds',
  'expired_card',
  'incorrect_cvc',
  'processing_error',
  'authentication_required',
  'no_eligible_processor',
] as const

/** Events by which the payment of an order ends, paid or not, of whatever card. */
export const paymentEndings = [
  's_payment_succeeded',
  's_order_paid',
  's_promotion_applied',
  's_subscription_created',
  's_payment_failed',
  's_payment_instrument_renewed',
] as const
