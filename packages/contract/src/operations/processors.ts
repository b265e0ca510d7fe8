import { z } from 'zod'
import { archivedFilter, changeErrors, howToChange } from '../changes.ts'
import { decidedElsewhere } from '../decided-elsewhere.ts'
import { referenceTo } from '../ids.ts'
import { LIVE_PROCESSORS_MAX } from '../limits.ts'
import { createdBetween, howToList, listOf } from '../lists.ts'
import type { Operation } from '../operation.ts'
import {
  deletedProcessors,
  newProcessor,
  processor,
  processorChange,
  processorCheck,
  processorDeletion,
  processorDrivers,
  processorHealth,
} from '../resources/processors.ts'

const ofProcessor = z.object({ processorId: referenceTo('processor', 'The id of the processor.') })

/** The processors of an account. Source: reference, "POST /processors/delete"; the others are not in the reference. */
export const processors = {
  listDrivers: {
    method: 'GET',
    path: '/api/accounts/v1/processor-drivers',
    audience: 'admin',
    scope: 'processors:read',
    summary: 'List the kinds of processors',
    description: 'Returns each driver with the JSON Schema of its settings and the secrets that it needs.',
    status: 200,
    response: processorDrivers,
    errors: [],
  },
  list: {
    method: 'GET',
    path: '/api/accounts/v1/processors',
    audience: 'admin',
    scope: 'processors:read',
    summary: 'List processors',
    description: `Secrets are not shown. ${howToList}`,
    ...listOf(processor, {
      ...createdBetween,
      ...archivedFilter,
      driver: processor.shape.driver.optional().meta({
        description: 'Only processors of this driver.',
        examples: ['stripe'],
      }),
    }),
    status: 200,
    errors: [],
  },
  health: {
    method: 'GET',
    path: '/api/accounts/v1/processor-health',
    audience: 'admin',
    scope: 'processors:read',
    summary: 'Read the health of processors',
    description:
      'For each processor that is not archived: whether payments are kept from it because it failed several times in a row, and what became of the attempts of the last 15 minutes, the newest 5,000. Drafts are not counted. Each process of the platform keeps payments away by itself; what the others keep away is known to a second.',
    status: 200,
    response: processorHealth,
    errors: [],
  },
  get: {
    method: 'GET',
    path: '/api/accounts/v1/processors/{processorId}',
    audience: 'admin',
    scope: 'processors:read',
    summary: 'Read a processor',
    description: 'Returns all but the secrets. Archived processors can be read, too.',
    params: ofProcessor,
    status: 200,
    response: processor,
    errors: ['resource_missing'],
  },
  check: {
    method: 'POST',
    path: '/api/accounts/v1/processors/{processorId}/check',
    audience: 'admin',
    scope: 'processors:read',
    summary: 'Check the secret of a processor',
    description:
      'Asks the processor for something that changes nothing there, and tells whether it accepted the secret, and with it a merchant account or client id among the settings. That all rights of a key suffice, and that card numbers may be sent, only a payment shows.',
    params: ofProcessor,
    status: 200,
    response: processorCheck,
    errors: ['resource_missing', 'state_conflict'],
  },
  create: {
    method: 'POST',
    path: '/api/accounts/v1/processors/create',
    audience: 'admin',
    scope: 'processors:write',
    summary: 'Create a processor',
    description: `Payments go through it once a payment flow names it. Settings that say where the processor is can be set in the environment \`local\` alone. An account has at most ${LIVE_PROCESSORS_MAX} processors that are not archived.`,
    body: newProcessor,
    status: 201,
    response: processor,
    errors: ['state_conflict'],
    emits: ['s_processor_created'],
    idempotent: 'transaction',
  },
  update: {
    method: 'PATCH',
    path: '/api/accounts/v1/processors/{processorId}',
    audience: 'admin',
    scope: 'processors:write',
    summary: 'Update a processor',
    description: `A new secret replaces the old one in every process within a second. An archived processor can be changed as well, because refunds of its payments still go through it. The driver cannot be changed: create another processor. ${howToChange}`,
    params: ofProcessor,
    body: processorChange,
    decided: decidedElsewhere.processor,
    status: 200,
    response: processor,
    errors: changeErrors,
    emits: ['s_processor_updated'],
    idempotent: 'transaction',
  },
  delete: {
    method: 'POST',
    path: '/api/public/v1/processors/delete',
    audience: 'admin',
    scope: 'processors:write',
    summary: 'Archive processors',
    description:
      'Payment flows no longer pick archived processors; past attempts still show them. Archives all or none: an unknown id is a 404 with its position in the list.',
    body: processorDeletion,
    status: 200,
    response: deletedProcessors,
    errors: ['resource_missing'],
    emits: ['s_processor_archived'],
    idempotent: 'transaction',
  },
} as const satisfies Record<string, Operation>
