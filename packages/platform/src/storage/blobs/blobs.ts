import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

/** Thrown when a store of blobs cannot be asked, or has damaged bytes. Worth trying again later. */
export class BlobsUnavailable extends Error {
  override readonly name = 'BlobsUnavailable'
}

/** Result of receiving an upload. */
export type Received = { outcome: 'stored'; size: number } | { outcome: 'other_hash' | 'too_many' }

/**
 * Where the bytes of files are kept, each under the SHA-256 of its content: one that is there never changes. Who may
 * use which, and which may be deleted, is for the database to say.
 *
 * A driver runs the suite `blobs.conformance.ts`. Every method takes the hash as 64 lower-case hexadecimal digits, and
 * throws a `RangeError` for anything else. Bytes are read whole or not at all, and have the hash that they are asked for by:
 * what cannot be read so is a `BlobsUnavailable`.
 */
export interface Blobs {
  /**
   * Keeps bytes whose hash the caller has computed. Resolves when they are on disk; a crash before leaves nothing under
   * the hash. Putting the same again is harmless.
   */
  put(sha256: string, bytes: Uint8Array): Promise<void>
  /**
   * The same for bytes that are on their way, which are checked while they arrive. Nothing is kept of those that are
   * other than announced, too many, or broken off: then it throws what their source threw.
   */
  receive(sha256: string, bytes: AsyncIterable<Uint8Array>, limitBytes: number): Promise<Received>
  has(sha256: string): Promise<boolean>
  /** Deletes the bytes and what was made of them; where there are none, nothing. */
  remove(sha256: string): Promise<void>
  /** The bytes, or `null` when there are none. */
  get(sha256: string): Promise<Uint8Array | null>
  /** The same bytes in Brotli (RFC 7932), or `null` when there are none. Made when first asked for, and kept. */
  compressed(sha256: string): Promise<Uint8Array | null>
}

/** How much is hashed before others may have their turn. */
const TURN_BYTES = 1024 * 1024

/** The SHA-256 of bytes in hexadecimal, giving way to other requests between: the largest blob takes long in one go. */
export async function hashInTurns(bytes: Uint8Array): Promise<string> {
  const digest = createHash('sha256')
  for (let from = 0; from < bytes.length; from += TURN_BYTES) {
    if (from > 0) await setImmediate()
    digest.update(bytes.subarray(from, from + TURN_BYTES))
  }
  return digest.digest('hex')
}

/**
 * Where a blob stands in its store: `ab/cdef...`.
 *
 * @throws {RangeError} For what is no hash: it becomes a path.
 */
export function blobPath(sha256: string): string {
  if (/^[0-9a-f]{64}$/.test(sha256)) return `${sha256.slice(0, 2)}/${sha256.slice(2)}`
  throw new RangeError('A blob is named by 64 lower-case hexadecimal digits.')
}

const compress = promisify(brotliCompress)
/** Up to this size the best compression is worth its time, which is about a second a MiB; beyond it, a quick one. */
const BEST_UP_TO_BYTES = 2 * 1024 * 1024
const BEST_QUALITY = 11
const QUICK_QUALITY = 5

/** Compresses bytes with Brotli, as stored next to each blob. */
export async function compressBlob(bytes: Uint8Array): Promise<Uint8Array> {
  const quality = bytes.length <= BEST_UP_TO_BYTES ? BEST_QUALITY : QUICK_QUALITY
  return compress(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
}
