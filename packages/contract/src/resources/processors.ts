import { z } from 'zod'
import { reference } from '../ids.ts'
import { PROCESSORS_MAX } from '../limits.ts'

const processorId = {
  description: 'The id of a processor of the account.',
  examples: ['processor_0Tz3hG9b7Ks2MdWy6Hc4Rf'],
}

/** The body of `POST /processors/delete`. Source: reference, "POST /processors/delete". */
export const processorDeletion = z.object({
  processorIds: z
    .array(reference.meta(processorId))
    .min(1)
    .max(PROCESSORS_MAX)
    .meta({
      description: `The processors to archive, 1 to ${PROCESSORS_MAX}; all of them or, if one does not exist, none.`,
      examples: [['processor_0Tz3hG9b7Ks2MdWy6Hc4Rf']],
    }),
})

/** The answer of `POST /processors/delete`. */
export const deletedProcessors = z
  .object({
    processors: z.array(z.string().meta(processorId)).meta({
      description: 'The ids that were asked for, each once and in that order: all are archived now.',
      examples: [['processor_0Tz3hG9b7Ks2MdWy6Hc4Rf']],
    }),
  })
  .meta({ id: 'DeletedProcessors' })
