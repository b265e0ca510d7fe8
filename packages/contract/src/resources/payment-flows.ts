import { z } from 'zod'
import { exampleId, idOf, reference, referenceTo } from '../ids.ts'
import { PROCESSORS_MAX } from '../limits.ts'
import { name } from '../text.ts'

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

/** Velocity limits of a flow: attempts allowed within `windowSeconds`, and the action above them. */
export const abuseDetectionConfig = z
  .object({
    enabled: z.boolean().meta({ description: 'Whether the limits are enforced.', examples: [true] }),
    windowSeconds: z
      .int()
      .min(1)
      .max(86_400)
      .default(600)
      .meta({ description: 'The window over which attempts are counted, in seconds.', examples: [600] }),
    maxAttemptsPerIp: z
      .int()
      .min(1)
      .default(10)
      .meta({ description: 'Attempts per IP address within the window.', examples: [10] }),
    maxAttemptsPerCard: z
      .int()
      .min(1)
      .default(5)
      .meta({ description: 'Attempts per card within the window.', examples: [5] }),
    maxDistinctCardsPerCustomer: z
      .int()
      .min(1)
      .default(3)
      .meta({
        description:
          'Different cards per customer within the window. Only customers that your server names by id are counted as such; a buyer known by e-mail address only is counted per page session or per card form.',
        examples: [3],
      }),
    action: z
      .enum(['block', 'challenge_3ds', 'flag'])
      .default('block')
      .meta({ description: 'The action for attempts above a limit.' }),
    blockSeconds: z
      .int()
      .min(1)
      .max(86_400 * 30)
      .default(3_600)
      .meta({ description: 'How long `block` lasts, in seconds.', examples: [3_600] }),
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
const maxFallbackRetries = 'The maximum number of further attempts per payment.'
const processorConfigs = 'The processors to try first.'
const fallbackProcessorConfigs = 'The processors to try when those fail.'
const abuseDetection = 'Limits against card testing; null for none.'
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
      processorConfigs: z
        .array(processorConfig)
        .min(1)
        .max(PROCESSORS_MAX)
        .meta({ description: `${processorConfigs} Each may appear once.` }),
      fallbackMode: z.boolean().default(false).meta({ description: fallbackMode }),
      maxFallbackRetries: z
        .int()
        .min(0)
        .max(10)
        .default(0)
        .meta({ description: maxFallbackRetries, examples: [2] }),
      threeDsEnabled: z.boolean().default(false).meta({ description: threeDsEnabled }),
      stickyProcessorEnabled: z.boolean().default(false).meta({ description: stickyProcessorEnabled }),
      pickProcessorStrategy: pickProcessorStrategy.default('weighted'),
      fallbackProcessorConfigs: z
        .array(processorConfig)
        .max(PROCESSORS_MAX)
        .default([])
        .meta({ description: `${fallbackProcessorConfigs} Each may appear once.` }),
      abuseDetectionConfig: abuseDetectionConfig
        .nullable()
        .default(null)
        .meta({ description: abuseDetection, examples: [abuseExample] }),
    })
    .meta({ description: 'The flow.' }),
})
export type NewPaymentFlow = z.output<typeof newPaymentFlow>

export const paymentFlow = z
  .object({
    id: idOf('paymentFlow', 'The id of the payment flow.'),
    name: z.string().meta({ description: 'The flow’s name.', examples: ['Cards, two processors'] }),
    strategy,
    threeDsEnabled: z.boolean().meta({ description: threeDsEnabled, examples: [false] }),
    stickyProcessorEnabled: z.boolean().meta({ description: stickyProcessorEnabled, examples: [false] }),
    pickProcessorStrategy,
    fallbackMode: z.boolean().meta({ description: fallbackMode, examples: [false] }),
    maxFallbackRetries: z.int().meta({ description: maxFallbackRetries, examples: [2] }),
    processorConfigs: z.array(processorConfig).meta({ description: `${processorConfigs} Without archived ones.` }),
    fallbackProcessorConfigs: z
      .array(processorConfig)
      .meta({ description: `${fallbackProcessorConfigs} Without archived ones.` }),
    abuseDetectionConfig: abuseDetectionConfig
      .nullable()
      .meta({ description: abuseDetection, examples: [abuseExample] }),
  })
  .meta({ id: 'PaymentFlow', description: 'Rules for picking a payment’s processor.' })
export type PaymentFlow = z.output<typeof paymentFlow>

const processorId = {
  description: 'The id of a processor of the account.',
  examples: [exampleId('processor')],
}

/** The body of `POST /processors/delete`. Source: reference, "POST /processors/delete". */
export const processorDeletion = z.object({
  processorIds: z
    .array(reference.meta(processorId))
    .min(1)
    .max(PROCESSORS_MAX)
    .meta({
      description: `The processors to archive, 1 to ${PROCESSORS_MAX}: all of them or, if one does not exist, none.`,
      examples: [[exampleId('processor')]],
    }),
})

/** The answer of `POST /processors/delete`. */
export const deletedProcessors = z
  .object({
    processors: z.array(z.string().meta(processorId)).meta({
      description: 'The requested ids, without duplicates and in the same order; all are now archived.',
      examples: [[exampleId('processor')]],
    }),
  })
  .meta({ id: 'DeletedProcessors' })
