import { howToList, listOf } from '../lists.ts'
import type { Operation } from '../operation.ts'
import { auditEntry, auditFilters } from '../resources/audit.ts'

/** Not in the reference: who changed what. */
export const audit = {
  list: {
    method: 'GET',
    path: '/api/audit/v1/entries',
    audience: 'key',
    scope: 'audit:read',
    summary: 'List the audit log',
    description: `The changes of the account: who made each, from where, with which operation, and what the resource was before and after. A change is in the log from the moment that it is made. ${howToList}`,
    ...listOf(auditEntry, auditFilters),
    status: 200,
    errors: [],
  },
} as const satisfies Record<string, Operation>
