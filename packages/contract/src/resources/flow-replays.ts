import { z } from 'zod'
import { exampleId, idOf, referenceTo } from '../ids.ts'
import { REPLAYED_EXAMPLES_MAX, REPLAYED_MOVES_MAX, REPLAYED_PAYMENTS_MAX } from '../limits.ts'
import { createdBetween, ofResource } from '../lists.ts'
import { currency } from '../money.ts'
import { timestamp } from '../text.ts'
import { newPaymentFlow, paymentFlowChange } from './payment-flows.ts'

const routing = {
  strategy: true,
  processorConfigs: true,
  fallbackMode: true,
  maxFallbackRetries: true,
  stickyProcessorEnabled: true,
  pickProcessorStrategy: true,
  fallbackProcessorConfigs: true,
} as const

/** The fields of a flow that decide where a payment goes, with the defaults of a new flow. */
export const routingRules = newPaymentFlow.shape.data.pick(routing)
export type RoutingRules = z.output<typeof routingRules>

const draft = paymentFlowChange.pick(routing).meta({
  description:
    'The draft. With `paymentFlowId`, what you leave out is as it is in that flow; without it, `strategy` and `processorConfigs` are required.',
  examples: [{ processorConfigs: [{ processorId: exampleId('processor'), weight: 1 }] }],
})

/** The body of `POST /api/payments/v1/payment-flows/replay`. */
export const newFlowReplay = z
  .strictObject({
    paymentFlowId: referenceTo(
      'paymentFlow',
      'The flow that the draft changes; its payments are replayed. Without it, those of all flows are.',
    ).optional(),
    flow: draft,
    payments: z
      .int()
      .min(1)
      .max(REPLAYED_PAYMENTS_MAX)
      .default(REPLAYED_PAYMENTS_MAX)
      .meta({ description: 'How many payments to replay at most, the newest.', examples: [10_000] }),
    storeId: ofResource('store', 'Only payments of this store.'),
    ...createdBetween,
  })
  .meta({ id: 'NewFlowReplay', description: 'A draft of a payment flow, and the payments to run through it.' })
export type NewFlowReplay = z.output<typeof newFlowReplay>

const processorOr = (description: string) =>
  z
    .string()
    .nullable()
    .meta({ description, examples: [exampleId('processor'), null] })

const move = z
  .object({
    attempt: z.enum(['first', 'further']).meta({
      description: 'Whether the first attempt would have gone elsewhere, or one after a failure.',
      examples: ['first'],
    }),
    fromProcessorId: processorOr('Where the attempt went; null if there was no further one.'),
    toProcessorId: processorOr('Where it would have gone; null if no processor would have been asked.'),
    currency: currency.meta({ description: 'The currency of the payments.', examples: ['USD'] }),
    brand: z.string().meta({ description: 'The card network of the payments.', examples: ['visa'] }),
    payments: z.int().meta({ description: 'How many payments.', examples: [212] }),
    paymentIds: z
      .array(idOf('payment', 'One of these payments.'))
      .max(REPLAYED_EXAMPLES_MAX)
      .meta({ description: `Some of them, the newest; at most ${REPLAYED_EXAMPLES_MAX} in all moves together.` }),
  })
  .meta({ id: 'ReplayedMove', description: 'Payments that would have gone elsewhere in the same way.' })

/** Where the payments of the past would have gone by a draft of a flow. */
export const flowReplay = z
  .object({
    payments: z.int().meta({ description: 'How many payments were replayed.', examples: [10_000] }),
    moved: z.int().meta({ description: 'Those that would have gone elsewhere.', examples: [212] }),
    refused: z
      .int()
      .meta({ description: 'Of these, those whose first attempt no processor of the draft takes.', examples: [0] }),
    moves: z
      .array(move)
      .max(REPLAYED_MOVES_MAX)
      .meta({
        description: `From where to where, by currency and network, the largest first; at most ${REPLAYED_MOVES_MAX}.`,
      }),
    otherMoves: z
      .int()
      .meta({ description: 'Payments that would have gone elsewhere in ways that are not listed.', examples: [0] }),
    processors: z
      .array(
        z.object({
          processorId: idOf('processor', 'A processor.'),
          before: z.int().meta({ description: 'First attempts that went to it.', examples: [5_000] }),
          after: z.int().meta({ description: 'First attempts that would have gone to it.', examples: [5_212] }),
        }),
      )
      .meta({ description: 'The processors that took or would take first attempts, by what they would take.' }),
    createdFrom: timestamp.nullable().meta({ description: 'When the oldest payment that was replayed was created.' }),
    createdTo: timestamp.nullable().meta({ description: 'When the newest payment that was replayed was created.' }),
    complete: z.boolean().meta({
      description:
        'Whether all that you asked for were looked at. If not, time ran out: payments older than `createdFrom` are missing.',
      examples: [true],
    }),
  })
  .meta({ id: 'FlowReplay', description: 'Where payments would have gone by a draft of a payment flow.' })
export type FlowReplay = z.output<typeof flowReplay>
