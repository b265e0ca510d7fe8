import type { Actor, RequestContext, Services, Write } from '../request-context.ts'
import { newId } from '../runtime/index.ts'
import type { RowOf } from '../storage/index.ts'
import { redacted, withoutSecrets } from './redact.ts'
import type { auditEntriesTable, Changes } from './tables.ts'

/** A change, as its room tells it. Its values are stripped of secrets here, and need not be before. */
export interface AuditedChange extends Changes {
  accountId: string
  actor: Actor
  /** `group.operation` of the contract, or a dotted name of the same kind, such as `renewals.charge`. */
  operation: string
  /** The changed resource; an `id` of `null` for several at once. */
  resource: { type: string; id: string | null } | null
  /** Where a request came from. */
  address?: string | null
  userAgent?: string | undefined
  requestId?: string
  /** The status of the answer; absent where there is none, or not yet. */
  status?: number
}

/** The entry's time and id, and the key of its MAC. */
export type Recorder = Pick<RequestContext, 'nowMs' | 'newId'> & { services: Pick<Services, 'secrets'> }

/** Changes that belong to no account are kept under this name. */
export const PLATFORM = 'platform'

const USER_AGENT_MAX = 256

/**
 * Returns the statements that record a change. They belong to the transaction of the change itself, so that neither is
 * committed without the other. Both are shared: each runs once, however many changes are committed together.
 */
export function record(change: AuditedChange, { nowMs, newId: makeId, services }: Recorder): Write[] {
  const { accountId, actor, resource } = change
  const id = makeId('aud')
  const erasable = {
    actor_kind: actor.kind,
    changes: redacted(resource?.type ?? null, change),
    address: plain(change.address),
    user_agent: plain(change.userAgent?.slice(0, USER_AGENT_MAX)),
  }
  const changesMac = macOfChanges(erasable, services)
  const entry = [
    accountId,
    id,
    actor.kind,
    plain(actor.id),
    plain(actor.name),
    erasable.address,
    erasable.user_agent,
    change.operation,
    resource?.type ?? null,
    plain(resource?.id),
    change.status ?? null,
    change.requestId ?? null,
    changesMac,
    nowMs,
  ]
  const mac = macOfEntry(lasting(entry, actor.kind), services)
  return [
    { sql: insertEntries, params: [...entry, erasable.changes, mac], shared: true },
    { sql: insertUnsealed, params: [accountId, id, mac], shared: true },
  ]
}

/** Records a change of a worker or an operator, who has no request: its time is now. */
export function recordNow(
  change: AuditedChange,
  services: Pick<Services, 'clock' | 'randomness' | 'secrets'>,
): Write[] {
  const nowMs = services.clock.now()
  return record(change, { nowMs, newId: (prefix) => newId(prefix, nowMs, services.randomness), services })
}

/** The platform itself, by the name of the worker. */
export function worker(id: string): Actor {
  return { kind: 'worker', id, name: null }
}

/** Text that both engines take, without anything that looks like a secret. */
function plain(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : withoutSecrets(text.toWellFormed().replaceAll('\0', ''))
}

const insertEntries = `INSERT INTO audit_entries
  (account_id, id, actor_kind, actor_id, actor_name, address, user_agent, operation, resource_type, resource_id, status,
    request_id, changes_mac, created_at, changes, mac)
  SELECT item.value ->> 0, item.value ->> 1, item.value ->> 2, item.value ->> 3, item.value ->> 4, item.value ->> 5,
    item.value ->> 6, item.value ->> 7, item.value ->> 8, item.value ->> 9, CAST(item.value ->> 10 AS BIGINT),
    item.value ->> 11, item.value ->> 12, CAST(item.value ->> 13 AS BIGINT), item.value ->> 14, item.value ->> 15
  FROM {each}`

/** One row for all entries of an account that are committed together, as far as the engine shares the statement. */
const insertUnsealed = `INSERT INTO audit_unsealed (account_id, id, total, entries)
  SELECT item.value ->> 0, min(item.value ->> 1), count(*),
    '[' || string_agg('["' || (item.value ->> 1) || '","' || (item.value ->> 2) || '"]', ',') || ']'
  FROM {each} GROUP BY item.value ->> 0`

/** MAC under a key that is in no database: write access to rows is not enough to forge one. Base64url. */
function macOfEntry(entry: readonly (string | number | null)[], { secrets }: Pick<Services, 'secrets'>): string {
  return secrets.mac('audit entry', JSON.stringify(entry))
}

/** The part of an entry that can be erased. */
type Erasable = Pick<RowOf<typeof auditEntriesTable>, 'actor_kind' | 'address' | 'user_agent'> & { changes: string }

/**
 * The MAC of what can be erased while the entry is still proved: the changes, and where a buyer's request came from.
 */
export function macOfChanges(
  { actor_kind, changes, address, user_agent }: Erasable,
  { secrets }: Pick<Services, 'secrets'>,
): string {
  const covered = actor_kind === 'session' ? JSON.stringify([changes, address, user_agent]) : changes
  return secrets.mac('audit changes', covered)
}

/** Where a buyer's request came from is personal, and covered by the MAC of what can be erased. */
function lasting<Cell>(entry: readonly Cell[], kind: Actor['kind']): (Cell | null)[] {
  return entry.map((cell, at) => (kind === 'session' && (at === ADDRESS_AT || at === ADDRESS_AT + 1) ? null : cell))
}

/** The place of the address in an entry; the user agent follows. */
const ADDRESS_AT = 5

/** The MAC that a stored entry must have. */
export function macOfRow(
  row: Omit<RowOf<typeof auditEntriesTable>, 'changes' | 'mac' | 'erased_by'>,
  services: Pick<Services, 'secrets'>,
): string {
  const { account_id, id, actor_kind, actor_id, actor_name, address, user_agent, operation } = row
  const { resource_type, resource_id, status, request_id, changes_mac, created_at } = row
  const who = [account_id, id, actor_kind, actor_id, actor_name, address, user_agent, operation]
  const entry = [...who, resource_type, resource_id, status, request_id, changes_mac, created_at]
  return macOfEntry(lasting(entry, actor_kind), services)
}
