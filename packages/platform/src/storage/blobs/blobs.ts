import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

/** Thrown when the blob store cannot be reached or holds damaged bytes. Safe to retry later. */
export class BlobsUnavailable extends Error {
  override readonly name = 'BlobsUnavailable'
  /** Commands print its message alone, as that of an `OperatorError`. */
  readonly isForOperator = true
}

/** The outcome of receiving a blob. */
export type Received = { outcome: 'stored'; size: number } | { outcome: 'other_hash' | 'too_many' }

/**
 * Stores the bytes of files, each under the SHA-256 of its content; a stored blob never changes. Who may use or delete
 * which blob is up to the database.
 *
 * Every driver runs the suite `blobs.conformance.ts`. All methods take the hash as 64 lower-case hexadecimal digits and
 * throw a `RangeError` for anything else. Blobs are read completely and checked against their hash; a blob that fails
 * the check throws `BlobsUnavailable`.
 */
export interface Blobs {
  /**
   * Stores bytes whose hash the caller has computed. Resolves once they are on disk; a crash before that leaves nothing
   * under the hash. Storing the same bytes again is harmless.
   */
  put(sha256: string, bytes: Uint8Array): Promise<void>
  /**
   * Stores bytes from a stream, checking them as they arrive. If the hash differs, the limit is exceeded or the stream
   * breaks off, nothing is stored; in the last case it throws the stream's error.
   */
  receive(sha256: string, bytes: AsyncIterable<Uint8Array>, limitBytes: number): Promise<Received>
  has(sha256: string): Promise<boolean>
  /** Deletes a blob and its compressed copy, if they exist. */
  remove(sha256: string): Promise<void>
  /** Returns the bytes, or `null` if there is no such blob. */
  get(sha256: string): Promise<Uint8Array | null>
  /**
   * Returns the bytes compressed with Brotli (RFC 7932), or `null` if there is no such blob. The result is computed on
   * the first call and kept.
   */
  compressed(sha256: string): Promise<Uint8Array | null>
}

/** Bytes hashed before yielding to other work. */
const TURN_BYTES = 1024 * 1024

/**
 * Computes a SHA-256 in hexadecimal, yielding to other requests in between: the largest blobs would block the thread.
 */
export async function hashInTurns(bytes: Uint8Array): Promise<string> {
  const digest = createHash('sha256')
  for (let from = 0; from < bytes.length; from += TURN_BYTES) {
    if (from > 0) await setImmediate()
    digest.update(bytes.subarray(from, from + TURN_BYTES))
  }
  return digest.digest('hex')
}

/** The expected hash of a stream, and its limit in bytes. */
export interface Announced {
  sha256: string
  limitBytes: number
}

/** Writes a stream to a file, and checks its hash and length. */
export async function receiveInto(
  handle: FileHandle,
  bytes: AsyncIterable<Uint8Array>,
  { sha256, limitBytes }: Announced,
): Promise<Received> {
  const digest = createHash('sha256')
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > limitBytes) return { outcome: 'too_many' }
    digest.update(chunk)
    await handle.writeFile(chunk)
  }
  return digest.digest('hex') === sha256 ? { outcome: 'stored', size } : { outcome: 'other_hash' }
}

/**
 * Returns the path of a blob within its store: `ab/cdef...`.
 *
 * @throws {RangeError} If the argument is not a hash, because it becomes part of a path.
 */
export function blobPath(sha256: string): string {
  if (/^[0-9a-f]{64}$/.test(sha256)) return `${sha256.slice(0, 2)}/${sha256.slice(2)}`
  throw new RangeError('A blob is named by 64 lower-case hexadecimal digits.')
}

const compress = promisify(brotliCompress)
/** Up to this size blobs get the best compression, at about one second per MiB; larger ones get a fast one. */
const BEST_UP_TO_BYTES = 2 * 1024 * 1024
const BEST_QUALITY = 11
const QUICK_QUALITY = 5

/** Compresses a blob with Brotli. */
export async function compressBlob(bytes: Uint8Array): Promise<Uint8Array> {
  const quality = bytes.length <= BEST_UP_TO_BYTES ? BEST_QUALITY : QUICK_QUALITY
  return compress(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
}
