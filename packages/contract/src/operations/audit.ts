import type { Operation } from '../operation.ts'
import { auditPage, auditQuery } from '../resources/audit.ts'

/** Not in the reference: who changed what. */
export const audit = {
  list: {
    method: 'GET',
    path: '/api/audit/v1/entries',
    audience: 'key',
    scope: 'audit:read',
    summary: 'List the audit log',
    description:
      'Returns the changes of the account, newest first: who made each, from where, with which operation, and what the resource was before and after. Filters are combined. A change is in the log from the moment that it is made.',
    query: auditQuery,
    status: 200,
    response: auditPage,
    errors: [],
  },
} as const satisfies Record<string, Operation>
