import { z } from 'zod'
import { reference } from '../ids.ts'
import { PROCESSORS_MAX } from '../limits.ts'
import { name } from '../text.ts'

/** `weight` is relative: 3 is picked three times as often as 1. */
export const processorConfig = z
  .object({
    processorId: reference,
    weight: z.number().min(0).max(1e6).default(1),
    disabled: z.boolean().default(false),
    nonStickable: z.boolean().default(false),
  })
  .meta({ id: 'ProcessorConfig' })
export type ProcessorConfig = z.output<typeof processorConfig>

/** Velocity limits of a flow: what counts as abuse within `windowSeconds`, and what is done about it. */
export const abuseDetectionConfig = z
  .object({
    enabled: z.boolean(),
    windowSeconds: z.int().min(1).max(86_400).default(600),
    maxAttemptsPerIp: z.int().min(1).default(10),
    maxAttemptsPerCard: z.int().min(1).default(5),
    maxDistinctCardsPerCustomer: z.int().min(1).default(3),
    action: z.enum(['block', 'challenge_3ds', 'flag']).default('block'),
    blockSeconds: z
      .int()
      .min(1)
      .max(86_400 * 30)
      .default(3_600),
  })
  .meta({ id: 'AbuseDetectionConfig' })

const strategy = z.enum(['simple', 'cascade'])
const pickProcessorStrategy = z.enum(['weighted', 'ordered'])

/** The body of `POST /payment-flows/create`. Required in `data`: name, strategy, processorConfigs. */
export const newPaymentFlow = z.object({
  data: z.object({
    name,
    strategy,
    processorConfigs: z.array(processorConfig).min(1).max(PROCESSORS_MAX),
    fallbackMode: z.boolean().default(false),
    maxFallbackRetries: z.int().min(0).max(10).default(0),
    threeDsEnabled: z.boolean().default(false),
    stickyProcessorEnabled: z.boolean().default(false),
    pickProcessorStrategy: pickProcessorStrategy.default('weighted'),
    fallbackProcessorConfigs: z.array(processorConfig).max(PROCESSORS_MAX).default([]),
    abuseDetectionConfig: abuseDetectionConfig.nullable().default(null),
  }),
})
export type NewPaymentFlow = z.output<typeof newPaymentFlow>

export const paymentFlow = z
  .object({
    id: z.string(),
    name: z.string(),
    strategy,
    threeDsEnabled: z.boolean(),
    stickyProcessorEnabled: z.boolean(),
    pickProcessorStrategy,
    fallbackMode: z.boolean(),
    maxFallbackRetries: z.int(),
    processorConfigs: z.array(processorConfig),
    fallbackProcessorConfigs: z.array(processorConfig),
    abuseDetectionConfig: abuseDetectionConfig.nullable(),
  })
  .meta({ id: 'PaymentFlow' })
export type PaymentFlow = z.output<typeof paymentFlow>
