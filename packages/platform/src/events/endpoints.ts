import {
  type EventType,
  SECRET_OVERLAP_DEFAULT_H,
  WEBHOOK_ENDPOINTS_MAX,
  type WebhookEndpoint,
} from '@tillwright/contract'
import type { SealedColumn } from '../keys/index.ts'
import type { Services, Write } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { type Database, pick, rawJson, readByIds, type RowOf, rowReader } from '../storage/index.ts'
import type { Emitter } from './emit.ts'
import { HOUR_MS, live, newSecret, sealedSecretsOf } from './signing.ts'
import { webhookEndpointsTable } from './tables.ts'

/** Parameters of a new endpoint. Without a store it receives the events of all stores. */
export interface NewEndpoint {
  url: string
  eventTypes: '*' | readonly EventType[]
  drafts: boolean
  storeId?: string | null
}

/** The part of a call that changes endpoints. */
export type EndpointCall = Emitter & { services: Pick<Services, 'secrets' | 'randomness'> }

/**
 * Creates an endpoint. `secret` is shown only now. The transaction is refused if the account has no such store.
 *
 * @throws {ApiError} When the address is not an absolute `https:` or `http:` one, or carries a password.
 */
export function newEndpoint(
  wanted: NewEndpoint,
  { nowMs, newId, caller, services }: EndpointCall,
): { endpoint: WebhookEndpoint; secret: string; writes: Write[] } {
  const url = checkedUrl(wanted.url)
  const id = newId('whe')
  const { text, column } = newSecret(id, services)
  const { eventTypes, drafts, storeId = null } = wanted
  const createdAt = new Date(nowMs).toISOString()
  const state = { enabled: true, failingSince: null, createdAt, revision: 1, updatedAt: createdAt }
  const endpoint = {
    id,
    accountId: caller.accountId,
    url,
    storeId,
    eventTypes: eventTypes === '*' ? eventTypes : [...eventTypes],
    drafts,
    ...state,
  }
  const types = eventTypes === '*' ? '*' : JSON.stringify(eventTypes)
  const params = [caller.accountId, id, url, storeId, types, Number(drafts), column, nowMs, nowMs]
  const write =
    storeId === null
      ? { sql: insertEndpoint, params }
      : {
          sql: insertEndpointOfStore,
          params: [...params, caller.accountId, storeId],
          expect: 1,
          onRefused: () => missing('store', storeId, 'storeId'),
        }
  return { endpoint, secret: text, writes: [write] }
}

/** A rotation: for how long the former secrets sign as well, a day unless given. */
export type RotationCall = EndpointCall & { overlapHours?: number }

/** An account's endpoints, the oldest first. */
export async function listEndpoints(db: Database, accountId: string): Promise<WebhookEndpoint[]> {
  return readEndpoints(await db.read(selectEndpoints, [accountId])).map(fromRow)
}

/** Endpoints of an account by their ids. */
export async function findEndpoints(
  ids: readonly string[],
  accountId: string,
  db: Database,
): Promise<WebhookEndpoint[]> {
  return (await readByIds(webhookEndpointsTable, { table: 'webhook_endpoints', ids, accountId }, db)).map(fromRow)
}

/**
 * Refuses one more endpoint for an account that has very many: each event is looked at for each of them.
 *
 * @throws {ApiError} `state_conflict`.
 */
export async function requireRoomForEndpoint(accountId: string, db: Database): Promise<void> {
  const sql = `SELECT id FROM webhook_endpoints WHERE account_id = ? LIMIT ${WEBHOOK_ENDPOINTS_MAX}`
  if ((await db.read(sql, [accountId])).length < WEBHOOK_ENDPOINTS_MAX) return
  const message = `The account has ${WEBHOOK_ENDPOINTS_MAX} webhook endpoints, the most that are possible; delete one first.`
  throw new ApiError('state_conflict', message)
}

/**
 * Rotates an endpoint's secret; the previous ones continue to sign for some hours.
 *
 * @returns `null` if the account has no such endpoint.
 * @throws {ApiError} `state_conflict` while too many secrets sign.
 */
export async function rotateSecret(
  db: Database,
  id: string,
  { nowMs, caller: { accountId }, services, overlapHours = SECRET_OVERLAP_DEFAULT_H }: RotationCall,
): Promise<{ secret: string; writes: Write[] } | null> {
  const [row] = readSecrets(await db.read(selectSecrets, [accountId, id]))
  if (row === undefined) return null
  if (overlapHours > 0 && live({ sealed: row.secrets, nowMs }).length >= SECRETS_MAX) throw tooManySecrets()
  const { text, column } = newSecret(id, services, {
    sealed: row.secrets,
    nowMs,
    untilMs: nowMs + overlapHours * HOUR_MS,
  })
  const write = {
    sql: updateSecrets,
    params: [accountId, column, id, row.before],
    expect: 1,
    onRefused: rotatedMeanwhile,
  }
  return { secret: text, writes: [write] }
}

/** Stops deliveries to an endpoint but keeps it. Pending deliveries to it fail at their next try. */
export function disableEndpoint(accountId: string, id: string): Write[] {
  return [
    changeOf(
      'UPDATE webhook_endpoints SET enabled = 0, revision = revision + 1 WHERE account_id = ? AND id = ?',
      accountId,
      id,
    ),
  ]
}

/** Lets deliveries to a disabled endpoint begin again, with its failures forgiven. Failed deliveries stay failed. */
export function enableEndpoint(accountId: string, id: string): Write[] {
  const sql = `UPDATE webhook_endpoints SET enabled = 1, failing_since = NULL, revision = revision + 1
    WHERE account_id = ? AND id = ?`
  return [changeOf(sql, accountId, id)]
}

/** Deletes an endpoint. Pending deliveries to it fail at their next try. */
export function removeEndpoint(accountId: string, id: string): Write[] {
  return [changeOf('DELETE FROM webhook_endpoints WHERE account_id = ? AND id = ?', accountId, id)]
}

function changeOf(sql: string, accountId: string, id: string): Write {
  return { sql, params: [accountId, id], expect: 1, onRefused: () => missing('webhook endpoint', id) }
}

const insertInto = `INSERT INTO webhook_endpoints
  (account_id, id, url, store_id, event_types, drafts, secrets, created_at, updated_at, enabled, failing_since)`

const insertEndpoint = `${insertInto} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, NULL)`

const insertEndpointOfStore = `${insertInto}
  SELECT ?, ?, ?, ?, ?, CAST(? AS BIGINT), ?, CAST(? AS BIGINT), CAST(? AS BIGINT), 1, NULL FROM stores WHERE account_id = ? AND id = ?`

const selectEndpoints = 'SELECT * FROM webhook_endpoints WHERE account_id = ? ORDER BY created_at, id'

const readEndpoints = rowReader(webhookEndpointsTable)

const selectSecrets = 'SELECT secrets, secrets AS before FROM webhook_endpoints WHERE account_id = ? AND id = ?'

const readSecrets = rowReader({
  ...pick(webhookEndpointsTable, 'secrets'),
  before: rawJson(webhookEndpointsTable.secrets),
})

/**
 * Guarded by the previous value, so that concurrent rotations do not overwrite each other. The account comes first, for
 * the lock order.
 */
const updateSecrets = `WITH owner AS (SELECT CAST(? AS TEXT) AS account_id)
  UPDATE webhook_endpoints SET secrets = ?
  WHERE account_id = (SELECT account_id FROM owner) AND id = ? AND secrets = ?`

function fromRow(row: RowOf<typeof webhookEndpointsTable>): WebhookEndpoint {
  return {
    id: row.id,
    accountId: row.account_id,
    url: row.url,
    storeId: row.store_id,
    eventTypes: row.event_types === '*' ? '*' : row.event_types,
    drafts: row.drafts,
    enabled: row.enabled,
    failingSince: row.failing_since === null ? null : new Date(row.failing_since).toISOString(),
    createdAt: new Date(row.created_at).toISOString(),
    revision: row.revision,
    updatedAt: new Date(row.updated_at).toISOString(),
  }
}

/**
 * The address of an endpoint.
 *
 * @throws {ApiError} When it is not an absolute `https:` or `http:` one, or carries a password.
 */
export function checkedUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null
  const fits = parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.password === ''
  if (fits) return url
  throw new ApiError('parameter_invalid', 'The url must be an absolute https: address without a password.', {
    param: 'url',
  })
}

function rotatedMeanwhile(): ApiError {
  return new ApiError('state_conflict', 'The secret was rotated meanwhile; try again.')
}

/** How many secrets sign a delivery at most: each makes its header longer. */
const SECRETS_MAX = 4

function tooManySecrets(): ApiError {
  const message = `${SECRETS_MAX} secrets of this endpoint sign at the moment; wait until one of them has expired, or rotate with overlapHours 0, which ends all of them.`
  return new ApiError('state_conflict', message)
}

/** Sealed columns of `webhook_endpoints`, for key rotation. */
export const sealedWebhookSecrets: readonly SealedColumn[] = [sealedSecretsOf('webhook_endpoints')]
