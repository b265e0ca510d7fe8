import { z } from 'zod'
import { referenceTo } from '../ids.ts'
import { FAILED_REQUESTS_KEPT_DAYS } from '../limits.ts'
import { howToList, listOf } from '../lists.ts'
import type { Operation } from '../operation.ts'
import { failedRequest, failedRequestFilters } from '../resources/requests.ts'

const where = `Requests that succeeded are not kept; what they changed is in the audit log, which can be filtered by \`requestId\`. Requests without a valid key belong to no account and are in no log.`

/** Not in the reference: failed requests, by the id that every answer carries. */
export const requests = {
  list: {
    method: 'GET',
    path: '/api/accounts/v1/failed-requests',
    audience: 'key',
    scope: 'requests:read',
    summary: 'List failed requests',
    description: `The requests of the last ${FAILED_REQUESTS_KEPT_DAYS} days that were answered with an error. They are written down within a second, in the background; a process that is killed loses those of its last second. ${where} ${howToList}`,
    ...listOf(failedRequest, failedRequestFilters),
    status: 200,
    errors: [],
  },
  get: {
    method: 'GET',
    path: '/api/accounts/v1/failed-requests/{failedRequestId}',
    audience: 'key',
    scope: 'requests:read',
    summary: 'Get a failed request',
    description: `Looks up the \`requestId\` of an error. ${where}`,
    params: z.object({ failedRequestId: referenceTo('request', 'The request.') }),
    status: 200,
    response: failedRequest,
    errors: ['resource_missing'],
  },
} as const satisfies Record<string, Operation>
