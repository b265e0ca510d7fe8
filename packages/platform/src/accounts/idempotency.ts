import { IDEMPOTENCY_RETENTION_MS } from '@tillwright/contract'
import { holderIsGone } from '../cluster/index.ts'
import type { SecretBox } from '../runtime/index.ts'
import { type Database, deleteSome, int, pick, rowReader, type Statement } from '../storage/index.ts'
import { idempotencyKeysTable } from './tables.ts'

/** A key within its account, and the request that it was sent with: SHA-256 over method, path and body. */
export interface IdempotencyKey {
  accountId: string
  /** SHA-256 of the key that was sent: callers put all kinds of things into it. */
  key: string
  fingerprint: string
}

/** An answer as it is stored and replayed, byte for byte. */
export interface Answer {
  status: number
  body: string
}

/** Stores the finished response in the same transaction as its effects. Refused (expect) if the key is taken. */
export function storeAnswer(key: IdempotencyKey, answer: Answer, nowMs: number): Statement {
  return insertKey(key, { ...answer, holder: null, leaseUntilMs: 0 }, nowMs)
}

/**
 * Claims a key before the work begins, for operations that call external services. Refused (expect) if the key is
 * taken.
 *
 * @param claim `leaseUntilMs`: after this time an identical request may take over the claim. `holder`: the process that
 *   claims; an identical request may also take over when it no longer lives. `null` where the work must not be repeated,
 *   but is brought to its end by recovery.
 */
export function claimKey(
  key: IdempotencyKey,
  claim: Pick<KeyState, 'leaseUntilMs' | 'holder'>,
  nowMs: number,
): Statement {
  return insertKey(key, { status: null, body: null, ...claim }, nowMs)
}

/**
 * Releases a claimed key after work that produced no response worth keeping, so that the next request may try again.
 */
export function releaseClaim({ accountId, key }: Omit<IdempotencyKey, 'fingerprint'>): Statement {
  return {
    sql: 'DELETE FROM idempotency_keys WHERE account_id = ? AND idempotency_key = ? AND status IS NULL',
    params: [accountId, key],
  }
}

/** Frees a claim that `holder` has on work that may be done again, and returns its row. */
export function giveUpClaim({ accountId, key }: Omit<IdempotencyKey, 'fingerprint'>, holder: string): Statement {
  return {
    sql: `DELETE FROM idempotency_keys WHERE account_id = ? AND idempotency_key = ? AND status IS NULL AND holder = ?
      RETURNING account_id`,
    params: [accountId, key, holder],
  }
}

/** Stores the response of a claimed key. */
export function finishClaim({ accountId, key }: Omit<IdempotencyKey, 'fingerprint'>, answer: Answer): Statement {
  return {
    sql: `UPDATE idempotency_keys SET status = ?, body = ?, lease_until = 0
      WHERE account_id = ? AND idempotency_key = ? AND status IS NULL`,
    params: [answer.status, answer.body, accountId, key],
    expect: 1,
  }
}

/** The state of a taken key: used by a different request, in progress, or finished. */
export type TakenKey = { state: 'reused' } | { state: 'under way' } | { state: 'finished'; answer: Answer }

/** @returns `null` if the key is free: never used, expired, or claimed for work that this request may do again. */
export async function findKey(
  { accountId, key, fingerprint }: IdempotencyKey,
  nowMs: number,
  db: Database,
): Promise<TakenKey | null> {
  const [row] = readTaken(await db.read(selectTaken, [nowMs, accountId, key, nowMs]))
  if (row === undefined) return null
  if (row.fingerprint !== fingerprint) return { state: 'reused' }
  const { status, body, abandoned } = row
  if (abandoned === 1) return null
  return status === null || body === null ? { state: 'under way' } : { state: 'finished', answer: { status, body } }
}

/** A claim whose lease has ended, or whose process is gone: no process is at work on it. */
const isAbandoned = `(idempotency_keys.status IS NULL AND (idempotency_keys.lease_until <= ?
    OR (idempotency_keys.holder IS NOT NULL AND ${holderIsGone('idempotency_keys.holder')})))`

const selectTaken = `SELECT fingerprint, status, body, CASE WHEN ${isAbandoned} THEN 1 ELSE 0 END AS abandoned
  FROM idempotency_keys WHERE account_id = ? AND idempotency_key = ? AND expires_at > ?`
const readTaken = rowReader({ ...pick(idempotencyKeysTable, 'fingerprint', 'status', 'body'), abandoned: int })

/** Deletes expired keys. */
export function forgetExpiredKeys(nowMs: number): Statement {
  const expired = { table: 'idempotency_keys', key: 'account_id, idempotency_key', where: 'expires_at <= ?' }
  return deleteSome(expired, [nowMs])
}

interface KeyState {
  status: number | null
  body: string | null
  holder: string | null
  leaseUntilMs: number
}

/**
 * Takes over an expired row, or a claim by the same request whose lease has expired or whose holder is gone. Any other row
 * stays unchanged, which the guard refuses.
 */
function insertKey({ accountId, key, fingerprint }: IdempotencyKey, state: KeyState, nowMs: number): Statement {
  return {
    sql: `INSERT INTO idempotency_keys (account_id, idempotency_key, fingerprint, status, body, holder, lease_until, expires_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (account_id, idempotency_key) DO UPDATE SET fingerprint = excluded.fingerprint, status = excluded.status,
        body = excluded.body, holder = excluded.holder, lease_until = excluded.lease_until, expires_at = excluded.expires_at
      WHERE idempotency_keys.expires_at <= ?
        OR (${isAbandoned} AND idempotency_keys.fingerprint = excluded.fingerprint)`,
    params: [
      accountId,
      key,
      fingerprint,
      state.status,
      state.body,
      state.holder,
      state.leaseUntilMs,
      nowMs + IDEMPOTENCY_RETENTION_MS,
      nowMs,
      nowMs,
    ],
    expect: 1,
  }
}

/** Never the beginning of JSON, so that sealed bodies can be distinguished from plain ones. */
const MARK = 'sealed:'
const PURPOSE = 'idempotent answer'

/** Encrypts the stored copy of a response that contains a secret, so that the database alone does not reveal it. */
export function sealAnswer({ status, body }: Answer, key: IdempotencyKey, secrets: SecretBox): Answer {
  return { status, body: MARK + secrets.seal(PURPOSE, Buffer.from(body), place(key)) }
}

/** Whether a stored body is encrypted. */
export function isSealed(body: unknown): body is string {
  return typeof body === 'string' && body.startsWith(MARK)
}

/** Decrypts a stored response. One that was not sealed is returned unchanged. */
export function openAnswer(kept: Answer, key: IdempotencyKey, secrets: SecretBox): Answer {
  if (!isSealed(kept.body)) return kept
  const opened = secrets.open(PURPOSE, kept.body.slice(MARK.length), place(key))
  return { status: kept.status, body: Buffer.from(opened).toString() }
}

function place({ accountId, key }: IdempotencyKey): string {
  return `${accountId} ${key}`
}
