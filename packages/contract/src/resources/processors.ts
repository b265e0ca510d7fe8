import { z } from 'zod'
import { exampleId, reference } from '../ids.ts'
import { PROCESSORS_MAX } from '../limits.ts'

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
      description: `The processors to archive, 1 to ${PROCESSORS_MAX}; all of them or, if one does not exist, none.`,
      examples: [[exampleId('processor')]],
    }),
})

/** The answer of `POST /processors/delete`. */
export const deletedProcessors = z
  .object({
    processors: z.array(z.string().meta(processorId)).meta({
      description: 'The ids that were asked for, each once and in that order: all are archived now.',
      examples: [[exampleId('processor')]],
    }),
  })
  .meta({ id: 'DeletedProcessors' })
