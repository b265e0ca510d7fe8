import { z } from 'zod'
import { idOf } from '../ids.ts'
import { timestamp } from '../text.ts'

/** Why an issuer said no, in the field's own words. */
export const declineCode = z
  .string()
  .nullable()
  .meta({ description: 'Why the issuer declined; null unless it did.', examples: [null, 'insufficient_funds'] })

/** Why a processor of the flow could not be asked. */
const dropReason = z.enum([
  'archived',
  'disabled',
  'currency_unsupported',
  'brand_unsupported',
  'circuit_open',
  'driver_unavailable',
  'already_tried',
])
export type DropReason = z.infer<typeof dropReason>

/** What became of keeping a customer with a processor, for one choice. */
const stickiness = z.enum(['off', 'none', 'kept', 'not_eligible', 'non_stickable'])
export type Stickiness = z.infer<typeof stickiness>

const decision = z.object({
  pool: z
    .enum(['primary', 'fallback'])
    .default('primary')
    .meta({ description: 'Which of the flow’s lists the candidates come from.', examples: ['primary'] }),
  candidates: z
    .array(
      z.object({
        processorId: idOf('processor', 'A processor that could have been asked.'),
        weight: z.number().meta({ description: 'Its relative weight.', examples: [3] }),
      }),
    )
    .meta({ description: 'The processors that were eligible.' }),
  dropped: z
    .array(
      z.object({
        processorId: idOf('processor', 'A processor that could not be asked.'),
        reason: dropReason.meta({
          description:
            'Why it could not. `circuit_open`: it has failed several times in a row and is left alone for a while. `driver_unavailable`: the platform cannot speak to it, which its operator has to mend.',
          examples: ['disabled'],
        }),
      }),
    )
    .meta({ description: 'The processors that were not eligible.' }),
  sticky: stickiness.default('off').meta({
    description:
      'Whether the customer was kept with the processor of the last success, so that the draw decided nothing: `kept`; ' +
      '`none` without such a success, `non_stickable` and `not_eligible` where that processor may not keep the customer ' +
      'or could not be asked, `off` where the flow keeps nobody.',
    examples: ['none'],
  }),
  draw: z.number().meta({ description: 'The number from 0 up to 1 that decided.', examples: [0.42] }),
})

/** What came of asking a processor, as far as it is known. */
export const attemptOutcome = z.enum([
  'succeeded',
  'authorized',
  'soft_decline',
  'hard_decline',
  'authentication_required',
  'technical_failure',
  'unknown',
])
export type AttemptOutcomeName = z.infer<typeof attemptOutcome>

export const attemptStatus = z.enum(['processing', 'succeeded', 'declined', 'failed'])

/** One attempt at one processor, with the choice that led to it. */
export const paymentAttempt = z
  .object({
    id: idOf('paymentAttempt', 'The id of the attempt, and its idempotency key towards the processor.'),
    processorId: idOf('processor', 'The processor that was asked.'),
    status: attemptStatus.meta({ description: 'What came of it.', examples: ['succeeded'] }),
    declineCode,
    outcome: attemptOutcome.nullable().meta({
      description:
        'What the processor answered; null until then. `soft_decline` and `technical_failure` (the attempt never began) ' +
        'may be tried elsewhere. `unknown`: no clear answer came, and the processor is being asked what happened.',
      examples: ['succeeded'],
    }),
    advice: z
      .string()
      .nullable()
      .meta({ description: 'The advice code of the card network with a decline, or null.', examples: [null, '03'] }),
    finishedAt: timestamp.nullable().meta({ description: 'When the outcome was known; null until then.' }),
    decision: decision.meta({ description: 'How the processor was chosen.' }),
    createdAt: timestamp.meta({ description: 'When the processor was asked.' }),
  })
  .meta({ id: 'PaymentAttempt', description: 'One attempt at one processor, with the choice that led to it.' })
export type PaymentAttempt = z.infer<typeof paymentAttempt>

/** Why no further processor was asked. */
const routingStop = z.enum([
  'hard_decline',
  'authentication_required',
  'single_processor',
  'fallback_off',
  'retries_used_up',
  'no_processor_left',
  'scheme_limit',
  'recovered',
])
export type RoutingStop = z.infer<typeof routingStop>

/** A limit of a flow's abuse detection, by the name of its setting. */
const abuseLimit = z.enum(['maxAttemptsPerIp', 'maxAttemptsPerCard', 'maxDistinctCardsPerCustomer'])
export type AbuseLimit = z.infer<typeof abuseLimit>

/** What was decided of a payment as a whole. */
export const paymentRouting = z.object({
  overLimits: z
    .array(abuseLimit)
    .max(3)
    .meta({
      description: 'The limits of the flow’s abuse detection that the payment went over.',
      examples: [[]],
    }),
  challengeMandated: z.boolean().meta({
    description:
      'Whether the issuer was told to ask its buyer, because a card was charged again under other circumstances than those it was given in.',
    examples: [false],
  }),
  abuseAction: z
    .enum(['none', 'challenge_3ds', 'flag'])
    .meta({ description: 'What was done about it; `none` within the limits.', examples: ['none'] }),
  stopped: routingStop.nullable().meta({
    description:
      'Why no further processor was asked; null as long as that is open, and after a success. `scheme_limit`: the card ' +
      'was declined as often as its network allows. `recovered`: the outcome was found out later, without the buyer.',
    examples: [null, 'retries_used_up'],
  }),
})
export type PaymentRouting = z.infer<typeof paymentRouting>
