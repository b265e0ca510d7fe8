import type { EventType } from '@tillwright/contract'
import { ApiError } from '../ambient/api-error.ts'
import type { Parts, Write } from '../call.ts'
import type { Database } from '../storage/database.ts'
import { newSecret } from './endpoint-secrets.ts'
import type { Emitter } from './emit.ts'

/** Where an account wants its events sent. */
export interface WebhookEndpoint {
  id: string
  url: string
  eventTypes: '*' | readonly EventType[]
  /** Whether previews' events are wanted beside the others. */
  drafts: boolean
  enabled: boolean
  /** ISO 8601: the first failure since the last acknowledgement. */
  failingSince: string | null
  createdAt: string
}

/** What an account says of a new endpoint. */
export type NewEndpoint = Pick<WebhookEndpoint, 'url' | 'eventTypes' | 'drafts'>

/** The part of a call that changes endpoints. */
export type EndpointCall = Emitter & { parts: Pick<Parts, 'secrets' | 'randomness'> }

/**
 * Makes an endpoint. `secret` is shown this once.
 *
 * @throws {ApiError} When the address is not an absolute `https:` or `http:` one, or carries a password.
 */
export function newEndpoint(
  wanted: NewEndpoint,
  { nowMs, newId, caller, parts }: EndpointCall,
): { endpoint: WebhookEndpoint; secret: string; writes: Write[] } {
  const url = checkedUrl(wanted.url)
  const id = newId('whe')
  const { text, column } = newSecret(id, parts)
  const { eventTypes, drafts } = wanted
  const types = eventTypes === '*' ? '*' : JSON.stringify(eventTypes)
  const params = [caller.accountId, id, url, types, Number(drafts), column, nowMs]
  const createdAt = new Date(nowMs).toISOString()
  return {
    endpoint: { id, url, eventTypes, drafts, enabled: true, failingSince: null, createdAt },
    secret: text,
    writes: [{ sql: insertEndpoint, params }],
  }
}

/** An account's endpoints, the oldest first. */
export async function listEndpoints(db: Database, accountId: string): Promise<WebhookEndpoint[]> {
  const rows = await db.read(selectEndpoints, [accountId])
  return rows.map((row) => fromRow(row as EndpointRow)) // the columns of `selectEndpoints`
}

/**
 * Gives an endpoint a new secret; the former signs beside it for 24 hours.
 *
 * @returns `null` when the account has no such endpoint.
 */
export async function rotateSecret(
  db: Database,
  id: string,
  { nowMs, caller: { accountId }, parts }: EndpointCall,
): Promise<{ secret: string; writes: Write[] } | null> {
  const [row] = await db.read(selectSecrets, [accountId, id])
  if (row === undefined) return null
  const before = String(row['secrets'])
  const { text, column } = newSecret(id, parts, { column: before, nowMs })
  const write = { sql: updateSecrets, params: [column, accountId, id, before], expect: 1, otherwise: rotatedMeanwhile }
  return { secret: text, writes: [write] }
}

/** Stops deliveries to an endpoint but keeps it. What was still to be sent there fails at its next try. */
export function disableEndpoint(accountId: string, id: string): Write[] {
  return [{ sql: 'UPDATE webhook_endpoints SET enabled = 0 WHERE account_id = ? AND id = ?', params: [accountId, id] }]
}

/** Deletes an endpoint. What was still to be sent there fails at its next try. */
export function removeEndpoint(accountId: string, id: string): Write[] {
  return [{ sql: 'DELETE FROM webhook_endpoints WHERE account_id = ? AND id = ?', params: [accountId, id] }]
}

const insertEndpoint = `INSERT INTO webhook_endpoints
  (account_id, id, url, event_types, drafts, secrets, enabled, failing_since, created_at)
  VALUES (?, ?, ?, ?, ?, ?, 1, NULL, ?)`

const selectEndpoints = `SELECT id, url, event_types, drafts, enabled, failing_since, created_at
  FROM webhook_endpoints WHERE account_id = ? ORDER BY created_at, id`

const selectSecrets = 'SELECT secrets FROM webhook_endpoints WHERE account_id = ? AND id = ?'

/** Guarded by what was read, so that of two rotations at once none is lost. */
const updateSecrets = 'UPDATE webhook_endpoints SET secrets = ? WHERE account_id = ? AND id = ? AND secrets = ?'

type EndpointRow = {
  id: string
  url: string
  event_types: string
  drafts: number
  enabled: number
  failing_since: number | null
  created_at: number
}

function fromRow(row: EndpointRow): WebhookEndpoint {
  return {
    id: row.id,
    url: row.url,
    eventTypes: row.event_types === '*' ? '*' : JSON.parse(row.event_types),
    drafts: row.drafts === 1,
    enabled: row.enabled === 1,
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
