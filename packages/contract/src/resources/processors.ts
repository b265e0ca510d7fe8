import { z } from 'zod'
import { archived, changeOf, revised } from '../changes.ts'
import { freeForm } from '../free-form.ts'
import { exampleId, idOf, reference } from '../ids.ts'
import { PROCESSORS_MAX } from '../limits.ts'
import { name, timestamp } from '../text.ts'

const driverName = z
  .string()
  .min(1)
  .max(40)
  .meta({ description: 'The name of the driver that speaks to the processor.', examples: ['stripe'] })

const settings = freeForm.meta({
  description:
    'The settings, by the JSON Schema of the driver. Those that are absent have their defaults: every currency, every network, no 3-D Secure.',
  examples: [{ currencies: ['USD'], brands: ['visa', 'mastercard'] }],
})

const secret = z
  .string()
  .min(1)
  .max(1_000)
  .meta({
    description: 'The API secret of your account at the processor. It is kept encrypted and never returned.',
    examples: ['sk_test_…'],
  })

const webhookSecret = secret.meta({
  description:
    'The secret that the processor signs its events with. It is kept encrypted and never returned. The one that was set before is taken for a day more.',
  examples: ['whsec_…'],
})

const processorName = name.meta({ description: 'The name of the processor.', examples: ['Stripe, US'] })

/** A processor of an account. Its secrets are not among the fields. */
export const processor = z
  .object({
    id: idOf('processor', 'The id of the processor.'),
    accountId: idOf('account', 'The account that the processor belongs to.'),
    name: processorName,
    driver: driverName,
    settings,
    hasSecret: z.boolean().meta({ description: 'Whether it has an API secret.', examples: [true] }),
    hasWebhookSecret: z
      .boolean()
      .meta({ description: 'Whether it has a secret to verify its events with.', examples: [false] }),
    stopped: z
      .string()
      .nullable()
      .meta({
        description: 'Why no payment goes through it whatever flows say, such as a missing driver; null if they do.',
        examples: [null],
      }),
    archived,
    archivedAt: timestamp
      .nullable()
      .meta({ description: 'When the processor was archived; null if it was not.', examples: [null] }),
    createdAt: timestamp.meta({ description: 'When the processor was created.' }),
    ...revised,
  })
  .meta({ id: 'Processor', description: 'A processor, without its secrets.' })
export type Processor = z.infer<typeof processor>

/** The body of a new processor. */
export const newProcessor = z
  .strictObject({
    name: processorName,
    driver: driverName,
    settings: settings.default({}),
    secret: secret.optional(),
    webhookSecret: webhookSecret.optional(),
  })
  .meta({ id: 'NewProcessor', description: 'A processor to create.' })

/** The body of a change of a processor. */
export const processorChange = changeOf({
  name: processorName,
  settings: settings.meta({
    description:
      'The settings to change, by the JSON Schema of the driver: those left out stay, null gives one its default.',
    examples: [{ currencies: ['USD', 'EUR'] }],
  }),
  secret,
  webhookSecret,
}).meta({ id: 'ProcessorChange', description: 'A change of a processor.' })

/** A kind of processor. */
export const processorDriver = z
  .object({
    driver: driverName,
    title: z
      .string()
      .meta({ description: 'Name of the processor or service that the driver speaks to.', examples: ['Stripe'] }),
    settings: freeForm.meta({
      description: 'The JSON Schema of the settings of its processors.',
      examples: [{ type: 'object', properties: {} }],
    }),
    secret: z
      .string()
      .nullable()
      .meta({
        description: 'Form of a processor’s `secret`; null if it must have none.',
        examples: ["Stripe's secret key"],
      }),
    webhookSecret: z
      .string()
      .nullable()
      .meta({
        description: 'Form of a processor’s `webhookSecret`; null if it must have none.',
        examples: ["Stripe's signing secret"],
      }),
    movesMoney: z.boolean().meta({ description: 'Whether its processors move money.', examples: [true] }),
  })
  .meta({ id: 'ProcessorDriver', description: 'A kind of processor.' })

/** All kinds of processors. */
export const processorDrivers = z
  .object({ data: z.array(processorDriver).meta({ description: 'The drivers of this platform.' }) })
  .meta({ id: 'ProcessorDrivers', description: 'The kinds of processors that can be created.' })

/** What a processor says to the secret that it is spoken to with. */
export const processorCheck = z
  .object({
    processorId: idOf('processor', 'The processor.'),
    outcome: z.enum(['accepted', 'refused', 'no_answer']).meta({
      description:
        '`accepted`: the secret is good. `refused`: the processor takes none of its requests. `no_answer`: the processor cannot be reached, or answers with an error of its own; check again later.',
      examples: ['accepted'],
    }),
    reason: z
      .string()
      .nullable()
      .meta({
        description: 'The HTTP status and the codes of the processor’s answer, for people; null if accepted.',
        examples: [null],
      }),
  })
  .meta({ id: 'ProcessorCheck', description: 'Whether a processor accepts its secret.' })
export type ProcessorCheck = z.infer<typeof processorCheck>

/** How processors do. */
export const processorHealth = z
  .object({
    since: timestamp.meta({ description: 'Attempts since this time are counted.' }),
    data: z
      .array(
        z
          .object({
            processorId: idOf('processor', 'The processor.'),
            circuit: z.enum(['closed', 'open', 'half_open']).meta({
              description:
                '`closed`: payments go to it. `open`: it failed several times in a row, and payments are kept from it. `half_open`: that time is over, and the next payment tries it.',
              examples: ['closed'],
            }),
            circuitOpenUntil: timestamp
              .nullable()
              .meta({ description: 'Until when payments are kept from it; null unless open.', examples: [null] }),
            circuitOpenIn: z
              .int()
              .meta({ description: 'How many processes of the platform keep payments from it.', examples: [0] }),
            attempts: z.int().meta({ description: 'Attempts at it.', examples: [120] }),
            approved: z.int().meta({ description: 'Those that it has approved.', examples: [112] }),
            declined: z.int().meta({ description: 'Those that an issuer has declined.', examples: [7] }),
            failed: z
              .int()
              .meta({ description: 'Those without a clear answer, or that never started.', examples: [1] }),
            latency: z
              .object({
                medianMs: z.int().meta({ description: 'Half of the answers took no longer.', examples: [420] }),
                p95Ms: z.int().meta({ description: '95 of 100 answers took no longer.', examples: [1_310] }),
              })
              .nullable()
              .meta({ description: 'How long its answers took, in milliseconds; null without one.' }),
          })
          .meta({ description: 'How a processor does.' }),
      )
      .meta({ description: 'The processors, by id.' }),
  })
  .meta({ id: 'ProcessorHealth', description: 'Circuits and latest attempts of the processors of an account.' })
export type ProcessorHealth = z.infer<typeof processorHealth>

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
