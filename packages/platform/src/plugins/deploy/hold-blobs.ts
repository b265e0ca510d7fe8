import { ApiError } from '../../ambient/api-error.ts'
import { base62 } from '../../ambient/ids.ts'
import type { Call, Parts, Write } from '../../call.ts'

/** Who stores bytes, and when. */
export interface Storer {
  accountId: string
  nowMs: number
  parts: Pick<Parts, 'db' | 'randomness'>
}

/** Blobs that nobody clears away for now: which making of its row each has. */
export type HeldBlobs = ReadonlyMap<string, string>

const MADE_CHARS = 16

/** The part of a call that storing needs. */
export function storerOf({ caller, nowMs, parts }: Pick<Call, 'caller' | 'nowMs' | 'parts'>): Storer {
  return { accountId: caller.accountId, nowMs, parts }
}

/**
 * Says that bytes are about to be stored, before anybody looks whether they are there. Whoever clears blobs away leaves
 * these for a day.
 *
 * @throws {ApiError} 503 for bytes that are being cleared away at this moment.
 */
export async function holdBlobs(hashes: readonly string[], { accountId, nowMs, parts }: Storer): Promise<HeldBlobs> {
  if (hashes.length === 0) return new Map()
  const unit = hashes.toSorted().map((sha256) => ({
    sql: insertBlob,
    params: [accountId, sha256, base62(parts.randomness, MADE_CHARS), nowMs],
  }))
  const written = await parts.db.write(unit)
  if (written.outcome === 'refused') throw new Error('A blob could not be held, which nothing refuses.')
  const held = new Map(written.returned.flat().map((row) => [String(row['sha256']), String(row['made'])]))
  if (held.size === hashes.length) return held
  throw new ApiError('unavailable', 'Former files with these bytes are just being cleared away; send them again.', {
    headers: { 'Retry-After': '1' },
  })
}

/**
 * The statement that belongs to the unit which names a stored blob. Guarded: where the blob was cleared away since it was
 * held, as when the clock has jumped a day, all of it is done again.
 */
export function keepBlob(sha256: string, held: HeldBlobs, { accountId, nowMs }: Omit<Storer, 'parts'>): Write {
  return {
    sql: `UPDATE plugin_blobs SET account_id = ?, touched_at = ?
      WHERE sha256 = ? AND made = ? AND doomed_at IS NULL`,
    params: [accountId, nowMs, sha256, held.get(sha256) ?? ''],
    expect: 1,
  }
}

const insertBlob = `INSERT INTO plugin_blobs (account_id, sha256, made, touched_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (sha256) DO UPDATE SET touched_at = excluded.touched_at WHERE plugin_blobs.doomed_at IS NULL
  RETURNING sha256, made`
