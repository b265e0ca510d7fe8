import type { AuditEntry, AuditQuery, Contract } from '@tillwright/contract'
import type { Handlers } from '../request-context.ts'
import { idsFrom } from '../runtime/index.ts'
import { readPage, type Row, rowReader, type RowOf } from '../storage/index.ts'
import { auditEntriesTable } from './tables.ts'

/** Reads the audit log, in addition to the public API. */
export const audit: Handlers<Contract['audit']> = {
  async list({ query }, { caller, services }) {
    return { body: await readPage(listOf(query, caller.accountId), query, services.db) }
  },
}

/** Sorts after every id. */
const LAST = 'aud_~'

/** Ids begin with their time: what lies between two times is a range of ids. */
function listOf(
  { resourceId, actorId, operation, createdFrom, createdBefore }: AuditQuery,
  accountId: string,
): Parameters<typeof readPage<AuditEntry>>[0] {
  const filters = [
    ['resource_id', resourceId],
    ['actor_id', actorId],
    ['operation', operation],
  ] as const
  const chosen = filters.flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }]))
  const from = createdFrom === undefined ? 'aud_' : idsFrom('aud', Date.parse(createdFrom))
  const before = createdBefore === undefined ? LAST : idsFrom('aud', Date.parse(createdBefore))
  return {
    sql: `SELECT * FROM audit_entries
      WHERE account_id = ?${chosen.map(({ column }) => ` AND ${column} = ?`).join('')} AND id >= ? AND id < ?`,
    params: [accountId, ...chosen.map(({ value }) => value), from, before],
    key: [{ name: 'id', type: 'text' }],
    order: 'descending',
    read: (rows: readonly Row[]) => readEntries(rows).map(toEntry),
  }
}

const readEntries = rowReader(auditEntriesTable)

function toEntry(row: RowOf<typeof auditEntriesTable>): AuditEntry {
  return {
    id: row.id,
    accountId: row.account_id,
    createdAt: new Date(row.created_at).toISOString(),
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    address: row.address,
    userAgent: row.user_agent,
    operation: row.operation,
    resourceType: row.resource_type,
    resourceId: row.resource_id,
    status: row.status,
    requestId: row.request_id,
    changes: row.changes,
  }
}
