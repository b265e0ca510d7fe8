import type { Contract } from '@tillwright/contract'
import { pluginUse } from '../../accounts/index.ts'
import type { RequestContext, Handler, Services, Write } from '../../request-context.ts'
import { ApiError } from '../../runtime/index.ts'
import { type Blobs, type Database, pick, rowReader } from '../../storage/index.ts'
import { pluginAssetsTable } from '../tables.ts'
import { type HeldBlobs, holdBlobs, keepBlob, type Storer, storerOf } from './blobs.ts'
import { type Bytes, contentReader } from './files.ts'

/** Bytes by their hash. */
export interface Asset {
  sha256: string
  size: number
  bytes: Bytes
}

/** How many blobs are written at a time: each waits for the disk. */
const WRITERS = 16
/** How many hashes are looked up with one query; its text is the same for fewer. */
const LOOKUP_CHUNK = 100

/**
 * Stores assets that deployments can reference by hash. Identical bytes are stored once for all accounts, but an
 * account may reference only those it has uploaded itself.
 */
export function uploadAssets(blobs: Blobs): Handler<Contract['plugins']['uploadAssets']> {
  return async ({ body }, context) => {
    const assets: Asset[] = []
    const read = contentReader(context.files)
    for (const [index, sent] of body.assets.entries())
      assets.push(await read({ ...sent, encoding: 'base64' }, `assets[${index}]`))
    await requireRoomForFiles(assets, context)
    const writes = await storeAssets(assets, context, blobs)
    const stored = assets.map(({ sha256, size }) => ({ sha256, size }))
    const id = stored.length === 1 ? (stored[0]?.sha256 ?? null) : null
    return { body: { stored }, writes, change: { resource: { type: 'asset', id } } }
  }
}

/**
 * Writes assets to the blobs, and returns the writes that make them the account's. If that transaction is refused, the
 * blobs stay without an owner and do no harm.
 *
 * @throws {ApiError} 503 when the blobs cannot be written: a full disk, or a folder that is not there.
 */
export async function storeAssets(assets: readonly Asset[], context: RequestContext, blobs: Blobs): Promise<Write[]> {
  const each = [...new Map(assets.map((asset) => [asset.sha256, asset])).values()]
  const storer = storerOf(context)
  const held = await holdBlobs(
    each.map(({ sha256 }) => sha256),
    storer,
  )
  await putAll(each, blobs)
  return each.flatMap((asset) => ownAsset(asset, held, storer))
}

/** The statements that make a stored blob one that the account may name, for a day at least. */
export function ownAsset(
  { sha256, size }: Pick<Asset, 'sha256' | 'size'>,
  held: HeldBlobs,
  storer: Omit<Storer, 'services'>,
): Write[] {
  const insert = {
    sql: `INSERT INTO plugin_assets (account_id, sha256, size, created_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (account_id, sha256) DO UPDATE SET created_at = excluded.created_at`,
    params: [storer.accountId, sha256, size, storer.nowMs],
  }
  return [insert, keepBlob(sha256, held, storer)]
}

/**
 * The statements that keep stored assets from being cleared away before a deployment names them. Guarded: where one is gone
 * since it was looked up, the deployment is done again, and finds that it is missing.
 */
export function nameAssets(hashes: readonly string[], { accountId, nowMs }: Omit<Storer, 'services'>): Write[] {
  return inChunks(hashes).map(({ some, padded }) => ({
    sql: nameStored,
    params: [nowMs, accountId, ...padded],
    expect: some.length,
  }))
}

async function putAll(assets: readonly Asset[], blobs: Blobs): Promise<void> {
  const waiting = assets.values()
  const writers = Array.from({ length: WRITERS }, async () => {
    for (const { sha256, size, bytes } of waiting) {
      if (bytes instanceof Uint8Array) await blobs.put(sha256, bytes)
      else if ((await blobs.receive(sha256, bytes(), size)).outcome !== 'stored')
        throw new Error('A file was not the same when it was read again.')
    }
  })
  // All of them: what is on disk must not be read on when the request is over.
  const failed = (await Promise.allSettled(writers)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw cannotStore(failed.reason)
}

/**
 * Refuses files for which the account has no room. Requests at the same time may exceed it together, by what they bring.
 *
 * @throws {ApiError} `state_conflict`.
 */
export async function requireRoomForFiles(
  wanted: readonly Pick<Asset, 'sha256' | 'size'>[],
  { caller, services: { db } }: Pick<RequestContext, 'caller'> & { services: Pick<Services, 'db'> },
): Promise<void> {
  const { accountId, plan } = caller
  const sizes = new Map(wanted.map(({ sha256, size }) => [sha256, size]))
  for (const sha256 of (await sizesOfStored([...sizes.keys()], accountId, db)).keys()) sizes.delete(sha256)
  if (sizes.size === 0) return
  const { pluginFiles: files, pluginBytes: bytes } = await pluginUse({ accountId, plan }, db)
  const added = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  if (files.used + sizes.size <= files.max && bytes.used + added <= bytes.max) return
  const message = `The account keeps ${files.used} files of plugins with ${bytes.used} bytes, ${sizes.size} with ${added} are to be added, and its plan '${plan}' allows ${files.max} with ${bytes.max}; remove deployments that are no longer needed, archived ones too, or ask the operator for another plan. Files are deleted a day after the last deployment that has them was removed.`
  throw new ApiError('state_conflict', message)
}

/** The error of a full disk, or a folder that is not there. */
export function cannotStore(cause: unknown): ApiError {
  return new ApiError('unavailable', 'The service cannot store files at the moment; try again later.', {
    headers: { 'Retry-After': '1' },
    cause,
  })
}

/** The sizes of those of the named assets that the account has stored. */
export async function sizesOfStored(
  hashes: readonly string[],
  accountId: string,
  db: Database,
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (const { padded } of inChunks(hashes)) {
    const rows = await db.read(selectStored, [accountId, ...padded])
    for (const row of readSizes(rows)) found.set(row.sha256, row.size)
  }
  return found
}

const readSizes = rowReader(pick(pluginAssetsTable, 'sha256', 'size'))

/** A hundred hashes each, with empty ones for those that are lacking: no asset has that. */
function inChunks(hashes: readonly string[]): { some: readonly string[]; padded: readonly string[] }[] {
  const chunks = Math.ceil(hashes.length / LOOKUP_CHUNK)
  return Array.from({ length: chunks }, (_, chunk) => {
    const some = hashes.slice(chunk * LOOKUP_CHUNK, (chunk + 1) * LOOKUP_CHUNK)
    return { some, padded: [...some, ...Array.from({ length: LOOKUP_CHUNK - some.length }, () => '')] }
  })
}

const anyOf = `sha256 IN (${Array.from({ length: LOOKUP_CHUNK }, () => '?').join(', ')})`
const selectStored = `SELECT sha256, size FROM plugin_assets WHERE account_id = ? AND ${anyOf}`
const nameStored = `UPDATE plugin_assets SET created_at = ? WHERE account_id = ? AND ${anyOf}`
