import { z } from 'zod'

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
