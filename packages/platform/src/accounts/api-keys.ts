import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type ApiKey, type Environment, plans, type Role } from '@tillwright/contract'
import type { Caller, Services, Write } from '../request-context.ts'
import { ApiError, base62, newId, type Randomness } from '../runtime/index.ts'
import { type Database, pick, readByIds, type RowOf, rowReader } from '../storage/index.ts'
import { accountsTable, apiKeysTable } from './tables.ts'

/**
 * A key to be made. `name` is what its owner calls it; `text` is given only for one that was made elsewhere;
 * `expiresAtMs` is Unix time.
 */
export interface NewApiKey {
  accountId: string
  kind: KeyKind
  name?: string | null
  roles?: readonly Role[]
  scopes?: readonly string[]
  storeId?: string | null
  allowedOrigins?: readonly string[]
  expiresAtMs?: number | null
  /** The member or key that makes it; absent for an operator. */
  createdBy?: string
  text?: string
}

/**
 * Creates a key: its text, which is shown once and never stored, the key as lists show it, and the statement that stores
 * its hash.
 */
export function newApiKey(
  key: NewApiKey,
  { clock, randomness, environment }: Pick<Services, 'clock' | 'randomness' | 'environment'>,
): { id: string; text: string; key: ListedKey; write: Write } {
  const nowMs = clock.now()
  const id = newId('key', nowMs, randomness)
  const text = key.text ?? newKeyText(key.kind, environment, randomness)
  const row: KeyRow = {
    account_id: key.accountId,
    id,
    name: key.name ?? null,
    kind: key.kind,
    hash: hashKeyText(text),
    last4: text.slice(-4),
    roles: [...(key.roles ?? [])],
    scopes: [...(key.scopes ?? [])],
    store_id: key.storeId ?? null,
    allowed_origins: [...(key.allowedOrigins ?? [])],
    created_at: nowMs,
    expires_at: key.expiresAtMs ?? null,
    revoked_at: null,
    replaced_by: null,
    created_by: key.createdBy ?? null,
    last_used_at: null,
  }
  const write = {
    sql: `INSERT INTO api_keys (account_id, id, kind, hash, last4, roles, scopes, store_id, allowed_origins, created_at, expires_at, name, created_by)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    params: [
      row.account_id,
      id,
      row.kind,
      row.hash,
      row.last4,
      JSON.stringify(row.roles),
      JSON.stringify(row.scopes),
      row.store_id,
      JSON.stringify(row.allowed_origins),
      nowMs,
      row.expires_at,
      row.name,
      row.created_by,
    ],
  }
  return { id, text, key: listed(row, { environment, nowMs }), write }
}

/** Revokes a key, for good. One that was revoked before keeps its time. */
export function revokeApiKey(accountId: string, id: string, nowMs: number): Write {
  return {
    sql: 'UPDATE api_keys SET revoked_at = COALESCE(revoked_at, ?) WHERE account_id = ? AND id = ?',
    params: [nowMs, accountId, id],
  }
}

/** A stored key with its account: who calls, until when the key is good, and which one it was rolled to. */
export interface KnownKey {
  caller: Caller
  expiresAtMs: number | null
  revokedAtMs: number | null
  replacedBy: string | null
}

/**
 * Looks a key up by the SHA-256 of its text. The duration may reveal how much of a hash matches a stored one, which is
 * useless to an attacker: the sender cannot choose the hash, and a partial hash does not narrow down a text of 178
 * random bits. The text itself is never compared. See decision 8.
 */
export async function findApiKey(keyHash: string, db: Database): Promise<KnownKey | null> {
  const [row] = readKnownKeys(await db.read(selectKey, [keyHash]))
  return row === undefined ? null : knownKey(row)
}

const selectKey = `SELECT k.account_id, k.id, k.name, k.kind, k.roles, k.scopes, k.store_id, k.allowed_origins, k.expires_at,
    k.revoked_at, k.replaced_by, a.plan, a.rate_per_minute, a.rate_burst
  FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.hash = ?`

const knownColumns = {
  ...pick(apiKeysTable, 'account_id', 'id', 'name', 'kind', 'roles', 'scopes', 'store_id', 'allowed_origins'),
  ...pick(apiKeysTable, 'expires_at', 'revoked_at', 'replaced_by'),
  ...pick(accountsTable, 'plan', 'rate_per_minute', 'rate_burst'),
}
const readKnownKeys = rowReader(knownColumns)

function knownKey(row: RowOf<typeof knownColumns>): KnownKey {
  const { plan } = row
  const { perMinute, burst } = plans[plan]
  return {
    caller: {
      accountId: row.account_id,
      actor: { kind: 'key', id: row.id, name: row.name },
      keyId: row.id,
      kind: row.kind,
      roles: row.roles,
      scopes: row.scopes,
      plan,
      rateLimit: {
        perMinute: row.rate_per_minute ?? perMinute,
        burst: row.rate_burst ?? burst,
      },
      storeId: row.store_id,
      allowedOrigins: row.allowed_origins,
    },
    expiresAtMs: row.expires_at,
    revokedAtMs: row.revoked_at,
    replacedBy: row.replaced_by,
  }
}

/**
 * The refusal of a key that is good no more; `null` for one that is. Whoever sends its text may be told which key it is, how
 * it ended and what it was rolled to: an id opens nothing.
 */
export function endedKey({ caller, revokedAtMs, expiresAtMs, replacedBy }: KnownKey, nowMs: number): ApiError | null {
  const key = `This API key, ${caller.keyId},`
  if (revokedAtMs !== null) {
    const next = replacedBy === null ? 'another one' : `its replacement, ${replacedBy}`
    return keyEnded(`${key} was revoked at ${new Date(revokedAtMs).toISOString()}; use ${next}.`)
  }
  if (expiresAtMs === null || expiresAtMs > nowMs) return null
  const at = new Date(expiresAtMs).toISOString()
  if (replacedBy === null) return keyEnded(`${key} expired at ${at}; use another one.`)
  return keyEnded(`${key} was rolled, and ended at ${at}; use its replacement, ${replacedBy}.`)
}

function keyEnded(message: string): ApiError {
  return new ApiError('api_key_revoked', message, { headers: { 'WWW-Authenticate': 'Bearer' } })
}

/** Whether a live key meets production and a test key anything else. */
export function keyFitsEnvironment(live: boolean, environment: Environment): boolean {
  return live === (environment === 'production')
}

/** `sk`: a secret key, for servers; `pk`: a publishable key, for the checkout widget in a page. */
type KeyKind = 'secret' | 'publishable'

const RANDOM_CHARS = 30
const CHECKSUM_CHARS = 6
const form = /^(test|live)_(sk|pk)_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

/**
 * A new key: `test_sk_`, `test_pk_`, `live_sk_` or `live_pk_`, 30 random base62 characters (178 bits) and their CRC-32
 * in 6 more, so that scanners and we reject garbage without a look-up.
 */
export function newKeyText(kind: KeyKind, environment: Environment, randomness: Randomness): string {
  const random = prefixOf(kind, environment) + base62(randomness, RANDOM_CHARS)
  return random + checksum(random)
}

/** How a key is shown once its text is gone: `test_sk_…w3Qz`. */
function shownKeyText(kind: KeyKind, environment: Environment, last4: string): string {
  return `${prefixOf(kind, environment)}…${last4}`
}

function prefixOf(kind: KeyKind, environment: Environment): string {
  return `${environment === 'production' ? 'live' : 'test'}_${kind === 'secret' ? 'sk' : 'pk'}_`
}

/** Parses a key's text; `null` if the format or checksum is invalid. */
export function readKeyText(text: string): { kind: KeyKind; live: boolean } | null {
  const [, prefix, kind, , sum] = form.exec(text) ?? []
  if (sum === undefined || sum !== checksum(text.slice(0, -CHECKSUM_CHARS))) return null
  return { kind: kind === 'sk' ? 'secret' : 'publishable', live: prefix === 'live' }
}

/** Returns the hash stored instead of a key: SHA-256 as hex. Keys have 178 random bits, so no slower hash is needed. */
export function hashKeyText(text: string): string {
  return hash('sha256', text)
}

function checksum(text: string): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let sum = ''
  for (let rest = crc32(text); sum.length < CHECKSUM_CHARS; rest = Math.floor(rest / 62))
    sum = digits.charAt(rest % 62) + sum
  return sum
}

/** A key as its owner may see it: all but its text. Times are ISO 8601; that of the last use is up to a minute old. */
export type ListedKey = ApiKey

/** Determines how keys are listed: their prefix depends on the environment, their state on the time. */
export interface Listing {
  environment: Environment
  nowMs: number
}

/** Finds keys of an account by their ids. */
export async function findKeys(
  db: Database,
  { accountId, ids, ...listing }: Listing & { accountId: string; ids: readonly string[] },
): Promise<ListedKey[]> {
  const rows = await readByIds(apiKeysTable, { table: 'api_keys', ids, accountId }, db)
  return rows.map((row) => listed(row, listing))
}

/** Finds a key of any account, or `null`. Scans all keys: for operator commands, never for requests. */
export async function findListedKey(
  db: Database,
  { id, ...listing }: Listing & { id: string },
): Promise<ListedKey | null> {
  const [row] = readKeys(await db.read('SELECT * FROM api_keys WHERE id = ?', [id]))
  return row === undefined ? null : listed(row, listing)
}

const readKeys = rowReader(apiKeysTable)
type KeyRow = RowOf<typeof apiKeysTable>

function listed(row: KeyRow, { environment, nowMs }: Listing): ListedKey {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    kind: row.kind,
    shown: shownKeyText(row.kind, environment, row.last4),
    roles: row.roles,
    scopes: row.scopes,
    storeId: row.store_id,
    allowedOrigins: row.allowed_origins,
    createdAt: new Date(row.created_at).toISOString(),
    createdBy: row.created_by,
    expiresAt: timeOf(row.expires_at),
    revokedAt: timeOf(row.revoked_at),
    replacedBy: row.replaced_by,
    state: stateOf(row, nowMs),
    lastUsedAt: timeOf(row.last_used_at),
  }
}

function stateOf(row: KeyRow, nowMs: number): ListedKey['state'] {
  if (row.revoked_at !== null) return 'revoked'
  return row.expires_at !== null && row.expires_at <= nowMs ? 'expired' : 'good'
}

function timeOf(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString()
}
