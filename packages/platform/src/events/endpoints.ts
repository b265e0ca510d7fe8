import type { EventType } from '@tillwright/contract'
import type { SealedColumn } from '../keys/index.ts'
import type { Services, Write } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { type Database, pick, rawJson, type RowOf, rowReader } from '../storage/index.ts'
import type { Emitter } from './emit.ts'
import { type SealedSecret, webhookEndpointsTable } from './tables.ts'

/** Where an account wants its events sent. */
export interface WebhookEndpoint {
  id: string
  url: string
  /** The store whose events are wanted; `null` for those of all stores and of the account itself. */
  storeId: string | null
  eventTypes: '*' | readonly EventType[]
  /** Whether the endpoint also receives the events of previews. */
  drafts: boolean
  enabled: boolean
  /** ISO 8601: the first failure since the last acknowledgement. */
  failingSince: string | null
  createdAt: string
}

/** Parameters of a new endpoint. Without a store it receives the events of all stores. */
export type NewEndpoint = Pick<WebhookEndpoint, 'url' | 'eventTypes' | 'drafts'> &
  Partial<Pick<WebhookEndpoint, 'storeId'>>

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
  const endpoint = { id, url, storeId, eventTypes, drafts, enabled: true, failingSince: null, createdAt }
  const types = eventTypes === '*' ? '*' : JSON.stringify(eventTypes)
  const params = [caller.accountId, id, url, storeId, types, Number(drafts), column, nowMs]
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

/** An account's endpoints, the oldest first. */
export async function listEndpoints(db: Database, accountId: string): Promise<WebhookEndpoint[]> {
  return readEndpoints(await db.read(selectEndpoints, [accountId])).map(fromRow)
}

/**
 * Rotates an endpoint's secret; the previous one continues to sign for 24 hours.
 *
 * @returns `null` if the account has no such endpoint.
 */
export async function rotateSecret(
  db: Database,
  id: string,
  { nowMs, caller: { accountId }, services }: EndpointCall,
): Promise<{ secret: string; writes: Write[] } | null> {
  const [row] = readSecrets(await db.read(selectSecrets, [accountId, id]))
  if (row === undefined) return null
  const { text, column } = newSecret(id, services, { sealed: row.secrets, nowMs })
  const write = {
    sql: updateSecrets,
    params: [accountId, column, id, row.before],
    expect: 1,
    onRefused: rotatedMeanwhile,
  }
  return { secret: text, writes: [write] }
}

/** Stops deliveries to an endpoint but keeps it. What was still to be sent there fails at its next try. */
export function disableEndpoint(accountId: string, id: string): Write[] {
  return [changeOf('UPDATE webhook_endpoints SET enabled = 0 WHERE account_id = ? AND id = ?', accountId, id)]
}

/** Lets deliveries to a disabled endpoint begin again, with its failures forgiven. What has failed stays failed. */
export function enableEndpoint(accountId: string, id: string): Write[] {
  const sql = 'UPDATE webhook_endpoints SET enabled = 1, failing_since = NULL WHERE account_id = ? AND id = ?'
  return [changeOf(sql, accountId, id)]
}

/** Deletes an endpoint. What was still to be sent there fails at its next try. */
export function removeEndpoint(accountId: string, id: string): Write[] {
  return [changeOf('DELETE FROM webhook_endpoints WHERE account_id = ? AND id = ?', accountId, id)]
}

function changeOf(sql: string, accountId: string, id: string): Write {
  return { sql, params: [accountId, id], expect: 1, onRefused: () => missing('webhook endpoint', id) }
}

const insertInto = `INSERT INTO webhook_endpoints
  (account_id, id, url, store_id, event_types, drafts, secrets, created_at, enabled, failing_since)`
const insertEndpoint = `${insertInto} VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, NULL)`
const insertEndpointOfStore = `${insertInto}
  SELECT ?, ?, ?, ?, ?, CAST(? AS BIGINT), ?, CAST(? AS BIGINT), 1, NULL FROM stores WHERE account_id = ? AND id = ?`

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
    url: row.url,
    storeId: row.store_id,
    eventTypes: row.event_types === '*' ? '*' : row.event_types,
    drafts: row.drafts,
    enabled: row.enabled,
    failingSince: row.failing_since === null ? null : new Date(row.failing_since).toISOString(),
    createdAt: new Date(row.created_at).toISOString(),
  }
}

function checkedUrl(url: string): string {
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

/** After a rotation the former secret signs for this long, so that receivers can change over. */
const ROTATION_OVERLAP_MS = 24 * 60 * 60 * 1_000

const PURPOSE = 'webhook secret'
const SECRET_BYTES = 32

/** A secret just made: `text` is shown once, `column` goes into the endpoint's row. */
export interface NewSecret {
  /** `whsec_` and the base64 of 32 random bytes. Source: Standard Webhooks 1.0.0, "Signature scheme". */
  text: string
  column: string
}

/**
 * Creates an endpoint's secret.
 *
 * @param rotation The endpoint's secrets and the time, when it has some already: both sign for 24 hours.
 */
function newSecret(
  endpointId: string,
  { secrets, randomness }: Pick<Services, 'secrets' | 'randomness'>,
  rotation?: Rotation,
): NewSecret {
  const text = `whsec_${Buffer.from(randomness.bytes(SECRET_BYTES)).toString('base64')}`
  const newest: SealedSecret = { sealed: secrets.seal(PURPOSE, Buffer.from(text), endpointId), expiresAt: null }
  const former = rotation === undefined ? [] : live(rotation).map((secret) => expiring(secret, rotation.nowMs))
  return { text, column: JSON.stringify([newest, ...former]) }
}

/**
 * The secrets that sign at this time, the newest first.
 *
 * @throws {Error} When they were sealed under another master key.
 */
export function openSecrets(endpointId: string, box: Services['secrets'], at: Rotation): string[] {
  return live(at).map(({ sealed }) => Buffer.from(box.open(PURPOSE, sealed, endpointId)).toString())
}

/** What this room seals, for rotation: all secrets of an endpoint, in one column. */
export const sealedWebhookSecrets: readonly SealedColumn[] = [
  {
    ring: 'secrets',
    table: 'webhook_endpoints',
    column: 'secrets',
    keyedBy: 'account and id',
    reseal(value, { id }, box) {
      const secrets: SealedSecret[] = JSON.parse(value)
      return JSON.stringify(secrets.map((each) => ({ ...each, sealed: box.reseal(PURPOSE, each.sealed, id) })))
    },
  },
]

/** An endpoint's secrets at a time. */
interface Rotation {
  sealed: readonly SealedSecret[]
  nowMs: number
}

function live({ sealed, nowMs }: Rotation): SealedSecret[] {
  return sealed.filter(({ expiresAt }) => expiresAt === null || expiresAt > nowMs)
}

function expiring({ sealed, expiresAt }: SealedSecret, nowMs: number): SealedSecret {
  return { sealed, expiresAt: expiresAt ?? nowMs + ROTATION_OVERLAP_MS }
}
