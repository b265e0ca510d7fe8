import { type AuditEntry, type Contract, idsFrom, timeOfId } from '@tillwright/contract'
import { isObject } from '@tillwright/contract/json'
import { type Condition, equalTo, type ListTable, readList } from '../lists/index.ts'
import { actorFor, type Caller, type Handlers, readsMembers } from '../request-context.ts'
import { readByIds, type RowOf } from '../storage/index.ts'
import { auditEntriesTable } from './tables.ts'

/** Reads the audit log, in addition to the public API. */
export const audit: Handlers<Contract['audit']> = {
  async list({ query }, { caller, services: { db } }) {
    const { accountId } = caller
    const { resourceId, actorId, operation, requestId } = query
    const filters = [
      ...equalTo('resource_id', resourceId),
      ...equalTo('actor_id', actorId),
      ...equalTo('operation', operation),
      ...ofRequest(requestId),
    ]
    return { body: await readList(entryList(caller), { accountId, query, filters, anyOf: null }, db) }
  },
}

/** An entry has the time of its request, which the ids of both begin with: few entries are looked at. */
function ofRequest(requestId: string | undefined): Condition[] {
  if (requestId === undefined) return []
  const atMs = timeOfId(requestId)
  // Without a time it is no id of a request, and `aud` has no entries.
  const [from, before] = atMs === null ? ['aud', 'aud'] : [idsFrom('aud', atMs), idsFrom('aud', atMs + 1)]
  return [
    { column: 'id', is: '>=', value: from },
    { column: 'id', is: '<', value: before },
    ...equalTo('request_id', requestId),
  ]
}

/** Generated ids of keys begin like this; an actor of another kind who is called so is found as well, row by row. */
function isOfKey(actorId: unknown): boolean {
  return typeof actorId === 'string' && actorId.startsWith('key_')
}

const entryList = (reader: Caller): ListTable<AuditEntry> => ({
  table: 'audit_entries',
  orderedBy: { id: 'aud' },
  indexed: ['resource_id', 'actor_id'],
  // A few keys make nearly all entries, so that theirs are found by looking.
  unindexed: { actor_id: { has: isOfKey, others: "actor_kind <> 'key'" } },
  read: async (ids, accountId, db) =>
    (await readByIds(auditEntriesTable, { table: 'audit_entries', ids, accountId }, db)).map((row) =>
      toEntry(row, reader),
    ),
})

/** Members are named, and what was changed of them is shown, to readers alone who may read members. */
function toEntry(row: RowOf<typeof auditEntriesTable>, reader: Caller): AuditEntry {
  return {
    id: row.id,
    accountId: row.account_id,
    createdAt: new Date(row.created_at).toISOString(),
    actor: actorFor({ kind: row.actor_kind, id: row.actor_id, name: row.actor_name }, reader),
    address: row.address,
    userAgent: row.user_agent,
    operation: row.operation,
    resourceType: row.resource_type,
    resourceId: row.resource_id,
    status: row.status,
    requestId: row.request_id,
    changes: changesFor(row, reader),
  }
}

/** Entries about members are theirs alone; others may name a member as who did something. */
function changesFor(
  { resource_type: type, changes }: Pick<RowOf<typeof auditEntriesTable>, 'resource_type' | 'changes'>,
  reader: Caller,
): AuditEntry['changes'] {
  if (readsMembers(reader)) return changes
  return type === 'member' ? {} : JSON.parse(JSON.stringify(changes), withoutName)
}

/** A value of JSON; of a member, without the name. */
function withoutName(_: string, value: unknown): unknown {
  return isObject(value) && value['kind'] === 'member' && 'name' in value ? { ...value, name: null } : value
}
