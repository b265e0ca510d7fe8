import { plans, type Environment, type Plan, type Role } from '@tillwright/contract'
import { newId } from '../ambient/ids.ts'
import type { Caller, Parts, Write } from '../call.ts'
import type { Database, Row } from '../storage/database.ts'
import { hashKeyText, newKeyText, type KeyKind } from './key-text.ts'

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
  text?: string
}

/** Makes a key: its text, which is shown once and never stored, and the statement that records it. */
export function newApiKey(
  key: NewApiKey,
  parts: Pick<Parts, 'clock' | 'randomness' | 'environment'>,
): { id: string; text: string; write: Write } {
  const nowMs = parts.clock.now()
  const id = newId('key', nowMs, parts.randomness)
  const text = key.text ?? newKeyText(key.kind, parts.environment, parts.randomness)
  const write = {
    sql: `INSERT INTO api_keys (account_id, id, kind, hash, last4, roles, scopes, store_id, allowed_origins, created_at, expires_at, name)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    params: [
      key.accountId,
      id,
      key.kind,
      hashKeyText(text),
      text.slice(-4),
      JSON.stringify(key.roles ?? []),
      JSON.stringify(key.scopes ?? []),
      key.storeId ?? null,
      JSON.stringify(key.allowedOrigins ?? []),
      nowMs,
      key.expiresAtMs ?? null,
      key.name ?? null,
    ],
  }
  return { id, text, write }
}

/** Revokes a key, for good. One that was revoked before keeps its time. */
export function revokeApiKey(accountId: string, id: string, nowMs: number): Write {
  return {
    sql: 'UPDATE api_keys SET revoked_at = COALESCE(revoked_at, ?) WHERE account_id = ? AND id = ?',
    params: [nowMs, accountId, id],
  }
}

/** A stored key with its account: who calls, and until when the key is good. */
export interface KnownKey {
  caller: Caller
  expiresAtMs: number | null
  revokedAtMs: number | null
}

/**
 * Looks a key up by its text's SHA-256. How long that takes may tell how far a hash agrees with a stored one, and tells
 * nothing of use: who sends a key cannot choose its hash, and a part of the hash does not narrow down a text of 178
 * random bits. The text itself is compared with nothing. See decision 8.
 */
export async function findApiKey(hash: string, db: Database): Promise<KnownKey | null> {
  const [row] = await db.read(selectKey, [hash])
  return row === undefined ? null : knownKey(row)
}

const selectKey = `SELECT k.account_id, k.id, k.kind, k.roles, k.scopes, k.store_id, k.allowed_origins, k.expires_at,
    k.revoked_at, a.plan, a.rate_per_minute, a.rate_burst
  FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.hash = ?`

function knownKey(row: Row): KnownKey {
  const plan = String(row['plan']) as Plan // written from this type alone
  const { perMinute, burst } = plans[plan]
  return {
    caller: {
      accountId: String(row['account_id']),
      keyId: String(row['id']),
      kind: row['kind'] === 'secret' ? 'secret' : 'publishable',
      roles: JSON.parse(String(row['roles'])),
      scopes: JSON.parse(String(row['scopes'])),
      plan,
      rateLimit: {
        perMinute: row['rate_per_minute'] === null ? perMinute : Number(row['rate_per_minute']),
        burst: row['rate_burst'] === null ? burst : Number(row['rate_burst']),
      },
      storeId: row['store_id'] === null ? null : String(row['store_id']),
      allowedOrigins: JSON.parse(String(row['allowed_origins'])),
    },
    expiresAtMs: row['expires_at'] === null ? null : Number(row['expires_at']),
    revokedAtMs: row['revoked_at'] === null ? null : Number(row['revoked_at']),
  }
}

/** Whether a live key meets production and a test key anything else. */
export function keyFitsEnvironment(live: boolean, environment: Environment): boolean {
  return live === (environment === 'production')
}
