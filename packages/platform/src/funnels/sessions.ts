import type { Contract, EventProperties, FunnelSession, FunnelStep } from '@tillwright/contract'
import { auditEntriesTable, eraseChanges, worker } from '../audit/index.ts'
import type { Handlers, Services, Write } from '../request-context.ts'
import { missing } from '../runtime/index.ts'
import { among, pick, rawJson, rowReader, type Statement } from '../storage/index.ts'
import { SESSION_TOKEN_LIFETIME_MS } from './session-tokens.ts'
import { funnelSessionsTable } from './tables.ts'

/** Source: reference, "GET /funnel-sessions/{sessionId}": one row by its key. */
export const funnelSessions: Handlers<Contract['funnelSessions']> = {
  async get({ params: { sessionId } }, { caller, services }) {
    const sql = 'SELECT resource FROM funnel_sessions WHERE account_id = ? AND id = ?'
    const [row] = readRawSessions(await services.db.read(sql, [caller.accountId, sessionId]))
    if (row === undefined) throw missing('funnel session', sessionId, 'sessionId')
    return { rawJson: row.resource }
  },
}

const readRawSessions = rowReader({ resource: rawJson(funnelSessionsTable.resource) })

/** Records a session of a funnel as it was at a revision: guarded, so that no session begins at a step that is gone. */
export function insertSession(session: FunnelSession, tokenHash: string, funnelRevision: number): Write {
  const from = 'store_id FROM funnels WHERE account_id = ? AND id = ? AND revision = ?'
  return { ...insertFrom(from, [session.funnelId, funnelRevision], { session, tokenHash }), expect: 1 }
}

/** Records a session of a store that goes through no funnel. Guarded: the store is one of the account's. */
export function insertStoreSession(session: FunnelSession, tokenHash: string): Write {
  return {
    ...insertFrom('id FROM stores WHERE account_id = ? AND id = ?', [session.storeId], { session, tokenHash }),
    expect: 1,
    onRefused: () => missing('store', session.storeId, 'storeId'),
  }
}

/** The statement that records a session of the store that is read there, if there is one. */
function insertFrom(
  from: string,
  keys: readonly (string | number)[],
  { session, tokenHash }: { session: FunnelSession; tokenHash: string },
): Statement {
  const { accountId, isPreview } = session.metadata
  return {
    sql: `INSERT INTO funnel_sessions (account_id, id, resource, token_hash, token_expires_at, last_activity_at, started_at,
        is_preview, customer_id, store_id)
      SELECT ?, ?, ?, ?, CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT), ?, ${from}`,
    params: [
      accountId,
      session.sessionId,
      JSON.stringify(session),
      tokenHash,
      session.lastActivityAt + SESSION_TOKEN_LIFETIME_MS,
      session.lastActivityAt,
      session.startedAt,
      Number(isPreview),
      session.customerId === '' ? null : session.customerId,
      accountId,
      ...keys,
    ],
  }
}

/**
 * Forgets the sessions in which nothing has happened since a time, some of them at once, and what the audit log says that
 * their buyers have typed. Their tokens have expired long before.
 */
export async function forgetIdleSessions(
  before: number,
  services: Pick<Services, 'db' | 'clock' | 'randomness' | 'secrets'>,
): Promise<Write[]> {
  const idle = readIdle(await services.db.read(selectIdle, [before, IDLE_AT_ONCE]))
  const accounts = Map.groupBy(idle, (row) => row.account_id)
  const writes: Write[] = []
  for (const [accountId, own] of accounts) {
    const { sql, params } = among(own.map(({ id }) => id))
    const selectEntries = `SELECT id FROM audit_entries WHERE account_id = ? AND resource_id ${sql} AND erased_by IS NULL`
    const entries = readEntryIds(await services.db.read(selectEntries, [accountId, ...params])).map(({ id }) => id)
    writes.push(
      {
        sql: `DELETE FROM funnel_sessions WHERE account_id = ? AND last_activity_at <= ?
          AND id IN (SELECT item.value ->> 0 FROM {items})`,
        params: [accountId, before, JSON.stringify(own.map(({ id }) => [id]))],
      },
      ...eraseChanges(
        {
          accountId,
          actor: worker('retention'),
          operation: 'sessions.erase',
          resource: { type: 'funnelSession', id: own.length === 1 ? (own[0]?.id ?? null) : null },
          after: { deleted: own.length },
          entries,
        },
        services,
      ),
    )
  }
  return writes
}

const readEntryIds = rowReader(pick(auditEntriesTable, 'id'))
const IDLE_AT_ONCE = 100
const selectIdle = `SELECT account_id, id FROM funnel_sessions WHERE last_activity_at <= ?
  ORDER BY last_activity_at LIMIT ?`
const readIdle = rowReader(pick(funnelSessionsTable, 'account_id', 'id'))

/** The properties of a step in a funnel session's events. */
export function stepProperties(
  { sessionId, funnelId, funnelVariantId }: Pick<FunnelSession, 'sessionId' | 'funnelId' | 'funnelVariantId'>,
  { id: stepId, type: stepType }: Pick<FunnelStep, 'id' | 'type'>,
): EventProperties<'s_funnel_session_step_viewed'> {
  return { sessionId, funnelId, funnelVariantId, stepId, stepType }
}
