import { auditEntriesTable, type Seal } from '../audit/index.ts'
import type { Services, Write } from '../request-context.ts'
import { pick, rowReader } from '../storage/index.ts'
import { emit, emitterAt, namesType } from './emit.ts'

const TYPE = 's_audit_recorded'

/**
 * Returns the writes that announce sealed entries, one event each, where an endpoint of the account asks for them by name;
 * an endpoint of all events gets none. An entry is part of an event by its id and what it is about, never by its content.
 */
export function announceAudit(services: Pick<Services, 'db' | 'clock' | 'randomness'>) {
  return async ({ accountId, sequence, hash, entries }: Seal): Promise<readonly Write[]> => {
    const [wanting] = await services.db.read(selectWanting, [accountId])
    if (wanting === undefined) return []
    const emitter = emitterAt(accountId, services)
    const rows = readEntries(await services.db.read(selectEntries, [accountId, JSON.stringify(entries)]))
    return rows.flatMap((row) => {
      const properties = {
        auditEntryId: row.id,
        operation: row.operation,
        actorKind: row.actor_kind,
        actorId: row.actor_id,
        resourceType: row.resource_type,
        resourceId: row.resource_id,
        recordedAt: new Date(row.created_at).toISOString(),
        sealSequence: sequence,
        sealHash: hash,
      }
      return emit(TYPE, { properties }, emitter)
    })
  }
}

const selectWanting = `SELECT id FROM webhook_endpoints
  WHERE account_id = ? AND enabled = 1 AND ${namesType('event_types', `'"${TYPE}"'`)} LIMIT 1`

const selectEntries = `SELECT id, operation, actor_kind, actor_id, resource_type, resource_id, created_at FROM audit_entries
  WHERE account_id = ? AND id IN (SELECT item.value ->> 0 FROM {items}) ORDER BY id`
const readEntries = rowReader(
  pick(
    auditEntriesTable,
    ...(['id', 'operation', 'actor_kind', 'actor_id', 'resource_type', 'resource_id', 'created_at'] as const),
  ),
)
