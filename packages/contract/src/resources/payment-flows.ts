import { z } from 'zod'
import { archived, changeOf, revised } from '../changes.ts'
import { idOf, referenceTo } from '../ids.ts'
import { PROCESSORS_MAX } from '../limits.ts'
import { name, timestamp } from '../text.ts'
import { exemptionPolicy } from './exemptions.ts'

/** A processor of a flow. `weight` is relative: 3 is picked three times as often as 1. */
export const processorConfig = z
  .object({
    processorId: referenceTo('processor', 'A processor of the account that is not archived.'),
    weight: z
      .number()
      .min(0)
      .max(1e6)
      .default(1)
      .meta({ description: 'Relative: 3 is picked three times as often as 1.', examples: [3] }),
    disabled: z.boolean().default(false).meta({ description: 'Takes the processor out of the flow for now.' }),
    nonStickable: z
      .boolean()
      .default(false)
      .meta({ description: 'Does not keep customers with this processor after a success.' }),
  })
  .meta({ id: 'ProcessorConfig', description: 'A processor in a payment flow.' })
export type ProcessorConfig = z.output<typeof processorConfig>

const abuseFields = {
  enabled: z.boolean().meta({ description: 'Whether the limits are enforced.', examples: [true] }),
  windowSeconds: z
    .int()
    .min(1)
    .max(86_400)
    .meta({ description: 'The window over which attempts are counted, in seconds.', examples: [600] }),
  maxAttemptsPerIp: z
    .int()
    .min(1)
    .meta({ description: 'Attempts per IP address within the window.', examples: [10] }),
  maxAttemptsPerCard: z
    .int()
    .min(1)
    .meta({ description: 'Attempts per card within the window.', examples: [5] }),
  maxDistinctCardsPerCustomer: z
    .int()
    .min(1)
    .meta({
      description:
        'Different cards per customer within the window. Only customers that your server names by id are counted as such; a buyer known by e-mail address only is counted per page session or per card form.',
      examples: [3],
    }),
  action: z.enum(['block', 'challenge_3ds', 'flag']).meta({ description: 'The action for attempts above a limit.' }),
  blockSeconds: z
    .int()
    .min(1)
    .max(86_400 * 30)
    .meta({ description: 'How long `block` lasts, in seconds.', examples: [3_600] }),
}

/** Velocity limits of a flow: attempts allowed within `windowSeconds`, and the action above them. */
export const abuseDetectionConfig = z
  .object({
    enabled: abuseFields.enabled,
    windowSeconds: abuseFields.windowSeconds.default(600),
    maxAttemptsPerIp: abuseFields.maxAttemptsPerIp.default(10),
    maxAttemptsPerCard: abuseFields.maxAttemptsPerCard.default(5),
    maxDistinctCardsPerCustomer: abuseFields.maxDistinctCardsPerCustomer.default(3),
    action: abuseFields.action.default('block'),
    blockSeconds: abuseFields.blockSeconds.default(3_600),
  })
  .meta({ id: 'AbuseDetectionConfig', description: 'Limits on attempts, and the action above them.' })

const flowName = name.meta({ description: 'The flow’s name.', examples: ['Cards, two processors'] })
const strategy = z.enum(['simple', 'cascade']).meta({
  description: '`simple`: one processor is tried. `cascade`: fallback processors may be tried after it.',
})
const pickProcessorStrategy = z
  .enum(['weighted', 'ordered'])
  .meta({ description: '`weighted`: at random, in proportion to the weights. `ordered`: the first eligible one.' })
const threeDsEnabled = 'Whether buyers may be asked to authenticate with 3-D Secure.'
const stickyProcessorEnabled = 'Whether a customer stays with the processor of the last success.'
const fallbackMode = 'Whether another processor may be tried when one fails.'
const retries = { description: 'The maximum number of further attempts per payment.', examples: [2] }
const maxFallbackRetries = z.int().min(0).max(10).meta(retries)
const processorConfigs = 'The processors to try first.'
const fallbackProcessorConfigs = 'The processors to try when those fail.'
const primaries = z
  .array(processorConfig)
  .min(1)
  .max(PROCESSORS_MAX)
  .meta({ description: `${processorConfigs} Each may appear once.` })
const fallbacks = z
  .array(processorConfig)
  .max(PROCESSORS_MAX)
  .meta({ description: `${fallbackProcessorConfigs} Each may appear once.` })
const abuseDetection = 'Limits against card testing; null for none.'
const exemptions =
  'The exemptions from strong customer authentication to ask for, in Europe and the United Kingdom; null for none.'
const exemptionsExample = { exemptions: ['trusted', 'low_value', 'low_risk'], requestIn: 'authorization' }
const abuseExample = {
  enabled: true,
  windowSeconds: 600,
  maxAttemptsPerIp: 10,
  maxAttemptsPerCard: 5,
  maxDistinctCardsPerCustomer: 3,
  action: 'block',
  blockSeconds: 3_600,
} as const

/** The body of `POST /payment-flows/create`. Required in `data`: name, strategy, processorConfigs. */
export const newPaymentFlow = z.object({
  data: z
    .object({
      name: flowName,
      strategy,
      processorConfigs: primaries,
      fallbackMode: z.boolean().default(false).meta({ description: fallbackMode }),
      maxFallbackRetries: maxFallbackRetries.default(0),
      threeDsEnabled: z.boolean().default(false).meta({ description: threeDsEnabled }),
      stickyProcessorEnabled: z.boolean().default(false).meta({ description: stickyProcessorEnabled }),
      pickProcessorStrategy: pickProcessorStrategy.default('weighted'),
      fallbackProcessorConfigs: fallbacks.default([]),
      abuseDetectionConfig: abuseDetectionConfig
        .nullable()
        .default(null)
        .meta({ description: abuseDetection, examples: [abuseExample] }),
      exemptionPolicy: exemptionPolicy
        .nullable()
        .default(null)
        .meta({ description: exemptions, examples: [exemptionsExample] }),
    })
    .meta({ description: 'The flow.' }),
})
export type NewPaymentFlow = z.output<typeof newPaymentFlow>

/** The fields of a payment flow that an update can change. Of the limits, those that are left out stay. */
export const paymentFlowChange = changeOf({
  name: flowName,
  strategy,
  processorConfigs: primaries,
  fallbackMode: z.boolean().meta({ description: fallbackMode, examples: [true] }),
  maxFallbackRetries,
  threeDsEnabled: z.boolean().meta({ description: threeDsEnabled, examples: [true] }),
  stickyProcessorEnabled: z.boolean().meta({ description: stickyProcessorEnabled, examples: [true] }),
  pickProcessorStrategy,
  fallbackProcessorConfigs: fallbacks,
  abuseDetectionConfig: z
    .strictObject(abuseFields)
    .partial()
    .nullable()
    .meta({ description: abuseDetection, examples: [abuseExample] }),
  exemptionPolicy: exemptionPolicy.nullable().meta({ description: exemptions, examples: [exemptionsExample] }),
})
export type PaymentFlowChange = z.output<typeof paymentFlowChange>

export const paymentFlow = z
  .object({
    id: idOf('paymentFlow', 'The id of the payment flow.'),
    name: z.string().meta({ description: 'The flow’s name.', examples: ['Cards, two processors'] }),
    strategy,
    threeDsEnabled: z.boolean().meta({ description: threeDsEnabled, examples: [false] }),
    stickyProcessorEnabled: z.boolean().meta({ description: stickyProcessorEnabled, examples: [false] }),
    pickProcessorStrategy,
    fallbackMode: z.boolean().meta({ description: fallbackMode, examples: [false] }),
    maxFallbackRetries: z.int().meta(retries),
    processorConfigs: z.array(processorConfig).meta({ description: `${processorConfigs} Without archived ones.` }),
    fallbackProcessorConfigs: z
      .array(processorConfig)
      .meta({ description: `${fallbackProcessorConfigs} Without archived ones.` }),
    abuseDetectionConfig: abuseDetectionConfig
      .nullable()
      .meta({ description: abuseDetection, examples: [abuseExample] }),
    exemptionPolicy: exemptionPolicy.nullable().meta({ description: exemptions, examples: [exemptionsExample] }),
    createdAt: timestamp.meta({ description: 'When the flow was created.' }),
    archived,
    ...revised,
  })
  .meta({ id: 'PaymentFlow', description: 'Rules for picking a payment’s processor.' })
export type PaymentFlow = z.output<typeof paymentFlow>
