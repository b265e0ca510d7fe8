import type { Operation } from '../operation.ts'
import { deletedProcessors, processorDeletion } from '../resources/processors.ts'

/** Source: reference, "POST /processors/delete". */
export const processors = {
  delete: {
    method: 'POST',
    path: '/api/public/v1/processors/delete',
    audience: 'admin',
    summary: 'Archive processors: payment flows pick them no more',
    description:
      'All of them or none: an unknown id is a 404 that names its place in the list. Past attempts keep naming them.',
    body: processorDeletion,
    status: 200,
    response: deletedProcessors,
    errors: ['resource_missing'],
    emits: ['s_processor_archived'],
    idempotent: 'unit',
  },
} as const satisfies Record<string, Operation>
