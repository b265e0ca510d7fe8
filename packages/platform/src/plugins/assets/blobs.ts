import type { RequestContext, Services, Write } from '../../request-context.ts'
import { ApiError, base62 } from '../../runtime/index.ts'
import { type Blobs, pick, rowReader, type Statement } from '../../storage/index.ts'
import { pluginAssetsTable, pluginBlobsTable } from '../tables.ts'

/** The account that stores bytes, and the time. */
export interface Storer {
  accountId: string
  nowMs: number
  services: Pick<Services, 'db' | 'randomness'>
}

/** Blobs that are protected from the sweeper for now, with the version of each one's row. */
export type HeldBlobs = ReadonlyMap<string, string>

const MADE_CHARS = 16

/** The part of a call that storing needs. */
export function storerOf({ caller, nowMs, services }: Pick<RequestContext, 'caller' | 'nowMs' | 'services'>): Storer {
  return { accountId: caller.accountId, nowMs, services }
}

/**
 * Announces that bytes are about to be stored, before checking whether they exist. The sweeper leaves them alone for a
 * day.
 *
 * @throws {ApiError} 503 for bytes that are being cleared away at this moment.
 */
export async function holdBlobs(hashes: readonly string[], { accountId, nowMs, services }: Storer): Promise<HeldBlobs> {
  if (hashes.length === 0) return new Map()
  const transaction = hashes.toSorted().map((sha256) => ({
    sql: insertBlob,
    params: [accountId, sha256, base62(services.randomness, MADE_CHARS), nowMs],
  }))
  const written = await services.db.write(transaction)
  if (written.outcome === 'refused') throw new Error('A blob could not be held, which nothing refuses.')
  const held = new Map(readHeld(written.returned.flat()).map((row) => [row.sha256, row.made]))
  if (held.size === hashes.length) return held
  throw new ApiError('unavailable', 'Files with these bytes are being deleted right now; send them again.', {
    headers: { 'Retry-After': '1' },
  })
}

/**
 * The statement that belongs to the transaction which names a stored blob. Guarded: where the blob was cleared away
 * since it was held, as when the clock has jumped a day, all of it is done again.
 */
export function keepBlob(sha256: string, held: HeldBlobs, { accountId, nowMs }: Omit<Storer, 'services'>): Write {
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
const readHeld = rowReader(pick(pluginBlobsTable, 'sha256', 'made'))

/** How long unreferenced bytes stay: an interrupted upload may be resumed the next day. */
const GRACE_MS = 24 * 60 * 60 * 1_000
/** How many rows one pass looks at; the next one goes on behind them. */
const LOOK_AT = 500
/** After this time a sweeper that was deleting bytes is presumed dead. */
const CLAIM_MS = 10 * 60 * 1_000
const CLAIM_CHARS = 16

/** Where a pass has stopped: the key of the last row, or before all of them. */
interface Cursors {
  asset: readonly [accountId: string, sha256: string]
  blob: string
}

const BEFORE_ALL: Cursors = { asset: ['', ''], blob: '' }

/**
 * Deletes what no deployment references: first the assets of accounts, then bytes that belong to no asset. Both stay
 * for a day after they were last stored or referenced. Bytes are marked for deletion before they are deleted, in a
 * transaction that is ordered with those that store or reference them (`holdBlobs`): one of the two comes first, and
 * the other sees it.
 *
 * @returns Does one pass: a few rows, from where the last one has stopped.
 */
export function blobSweeper(
  services: Pick<Services, 'db' | 'clock' | 'randomness'>,
  blobs: Blobs,
): () => Promise<void> {
  let at = BEFORE_ALL
  return async () => {
    const { db, clock, randomness } = services
    const nowMs = clock.now()
    const claim = base62(randomness, CLAIM_CHARS)
    const assets = readAssetKeys(await db.read(selectAssets, [...at.asset, LOOK_AT]))
    const hashes = readHashes(await db.read(selectBlobs, [at.blob, LOOK_AT]))
    const asset = assets.at(-1)
    const blob = hashes.at(-1)
    const assetKey = asset === undefined ? null : ([asset.account_id, asset.sha256] as const)
    const written = await db.write([
      ...(assetKey === null ? [] : [forgetAssets(nowMs, at.asset, assetKey)]),
      ...(blob === undefined ? [] : [markForDeletion({ nowMs, claim }, at.blob, blob.sha256)]),
    ])
    at = {
      asset: assets.length < LOOK_AT || assetKey === null ? BEFORE_ALL.asset : assetKey,
      blob: hashes.length < LOOK_AT || blob === undefined ? BEFORE_ALL.blob : blob.sha256,
    }
    if (written.outcome === 'refused') return
    for (const { sha256 } of readHashes(written.returned.flat())) await clear(sha256, claim)
  }

  async function clear(sha256: string, claim: string): Promise<void> {
    await blobs.remove(sha256)
    await services.db.write([
      { sql: 'DELETE FROM plugin_blobs WHERE sha256 = ? AND doomed_by = ?', params: [sha256, claim] },
    ])
  }
}

const selectAssets = `SELECT account_id, sha256 FROM plugin_assets WHERE (account_id, sha256) > (?, ?)
  ORDER BY account_id, sha256 LIMIT ?`
const readAssetKeys = rowReader(pick(pluginAssetsTable, 'account_id', 'sha256'))

const selectBlobs = 'SELECT sha256 FROM plugin_blobs WHERE sha256 > ? ORDER BY sha256 LIMIT ?'
const readHashes = rowReader(pick(pluginBlobsTable, 'sha256'))

/** An asset that was touched meanwhile is looked at again with its new time, on PostgreSQL too. */
function forgetAssets(nowMs: number, from: readonly string[], to: readonly string[]): Statement {
  return {
    sql: `DELETE FROM plugin_assets WHERE created_at <= ? AND (account_id, sha256) > (?, ?)
      AND (account_id, sha256) <= (?, ?) AND NOT EXISTS (SELECT 1 FROM plugin_files f
        WHERE f.account_id = plugin_assets.account_id AND f.sha256 = plugin_assets.sha256)
      AND NOT EXISTS (SELECT 1 FROM plugin_pictures p
        WHERE p.account_id = plugin_assets.account_id AND p.sha256 = plugin_assets.sha256)`,
    params: [nowMs - GRACE_MS, ...from, ...to],
  }
}

function markForDeletion({ nowMs, claim }: { nowMs: number; claim: string }, from: string, to: string): Statement {
  return {
    sql: `UPDATE plugin_blobs SET doomed_at = ?, doomed_by = ?
      WHERE touched_at <= ? AND (doomed_at IS NULL OR doomed_at <= ?) AND sha256 > ? AND sha256 <= ?
        AND NOT EXISTS (SELECT 1 FROM plugin_assets a WHERE a.sha256 = plugin_blobs.sha256)
        AND NOT EXISTS (SELECT 1 FROM plugin_files f WHERE f.sha256 = plugin_blobs.sha256)
        AND NOT EXISTS (SELECT 1 FROM plugin_pictures p WHERE p.sha256 = plugin_blobs.sha256)
      RETURNING sha256`,
    params: [nowMs, claim, nowMs - GRACE_MS, nowMs - CLAIM_MS, from, to],
  }
}
