import { randomUUID } from 'node:crypto'
import type { ReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import {
  type Announced,
  blobPath,
  type Blobs,
  BlobsUnavailable,
  compressBlob,
  hashInTurns,
  type Received,
  receiveInto,
} from './blobs.ts'
import type { S3Place } from './blobs-url.ts'

/** Connect and response timeouts, in milliseconds. */
const CONNECT_MS = 3_000
const ANSWER_MS = 15_000
/** The same for what a visitor waits for: with all tries under ten seconds, as elsewhere. */
const READ_MS = 3_000
const TRIES = 3

/**
 * Stores blobs as objects `ab/cdef...` in a bucket of Amazon S3 or a compatible store. The hash is sent with each
 * upload, so that the store rejects corrupted ones, and checked again on each download. Credentials come from the usual
 * AWS sources: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, a profile, the machine's role.
 */
export function s3Blobs(place: S3Place): Blobs {
  const store = objectStore(place)
  /** Compressions in progress, shared by concurrent callers. */
  const compressing = new Map<string, Promise<Uint8Array | null>>()

  async function get(sha256: string): Promise<Uint8Array | null> {
    const bytes = await store.get(blobPath(sha256))
    if (bytes === null || (await hashInTurns(bytes)) === sha256) return bytes
    throw new BlobsUnavailable(`The bytes of ${sha256} are damaged.`)
  }

  async function compressedObject(sha256: string): Promise<Uint8Array | null> {
    const brotliKey = `${blobPath(sha256)}.br`
    const known = await store.get(brotliKey)
    if (known !== null) return known
    const bytes = await get(sha256)
    if (bytes === null) return null
    const compressed = await compressBlob(bytes)
    await store.put(brotliKey, {
      bytes: () => compressed,
      size: compressed.length,
      sha256: await hashInTurns(compressed),
    })
    return compressed
  }

  return {
    async put(sha256, bytes) {
      const name = blobPath(sha256)
      if (!(await store.has(name))) await store.put(name, { bytes: () => bytes, size: bytes.length, sha256 })
    },
    async receive(sha256, bytes, limitBytes) {
      const name = blobPath(sha256)
      return throughFile(bytes, { sha256, limitBytes }, (file, size) =>
        store.put(name, { bytes: () => file.createReadStream({ start: 0, autoClose: false }), size, sha256 }),
      )
    },
    async remove(sha256) {
      const name = blobPath(sha256)
      await store.remove(`${name}.br`)
      await store.remove(name)
    },
    has: async (sha256) => store.has(blobPath(sha256)),
    get,
    async compressed(sha256) {
      blobPath(sha256)
      const begun = compressing.get(sha256) ?? compressedObject(sha256).finally(() => compressing.delete(sha256))
      compressing.set(sha256, begun)
      return begun
    },
  }
}

/** An object to upload; `bytes` is called again for each retry. */
interface NewObject {
  bytes: () => Uint8Array | ReadStream
  size: number
  /** In hexadecimal. */
  sha256: string
}

/** Accesses the objects under a prefix. Every method throws `BlobsUnavailable` if the store cannot be reached. */
function objectStore({ bucket: Bucket, prefix, endpoint, region }: S3Place) {
  const client = new S3Client({
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(region !== undefined && { region }),
    maxAttempts: TRIES,
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
    // Compatible stores do not support trailing checksums; each object's checksum is sent in a header instead.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const reading = { requestTimeout: READ_MS }
  const keyOf = (name: string) => (prefix === '' ? name : `${prefix}/${name}`)
  return {
    has: (name: string) =>
      asked(false, async () => {
        await client.send(new HeadObjectCommand({ Bucket, Key: keyOf(name) }), reading)
        return true
      }),
    get: (name: string) =>
      asked(null, async () => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: keyOf(name) }), reading)
        return Body === undefined ? null : Body.transformToByteArray()
      }),
    put: (name: string, { bytes, size, sha256 }: NewObject) =>
      asked(undefined, async () => {
        const ChecksumSHA256 = Buffer.from(sha256, 'hex').toString('base64')
        const object = { Bucket, Key: keyOf(name), ContentLength: size, ChecksumSHA256 }
        await client.send(new PutObjectCommand({ ...object, Body: bytes() }))
      }),
    remove: (name: string) =>
      asked(undefined, async () => {
        await client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(name) }))
      }),
  }
}

/** Sends a request and returns the answer, or `absent` if the object does not exist. A missing bucket is an error. */
async function asked<Answer, Absent>(absent: Absent, ask: () => Promise<Answer>): Promise<Answer | Absent> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound')) return absent
    throw new BlobsUnavailable(`The store of files (TILLWRIGHT_BLOBS) cannot be asked: ${reasonOf(error)}.`, {
      cause: error,
    })
  }
}

/** For operators. An answer to HEAD has nothing but its status, and then the library's own words say nothing either. */
function reasonOf(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
  if (!(error instanceof S3ServiceException)) return message
  const { name, $metadata } = error
  const status = $metadata.httpStatusCode ?? 0
  const said = name === 'Unknown' ? '' : ` ${name} (${message})`
  const needed =
    status === 403
      ? '; its credentials need s3:GetObject, s3:PutObject and s3:DeleteObject, and s3:ListBucket to be told of what is not there'
      : ''
  return `it answers ${status}${said}${needed}`
}

/**
 * Buffers a stream in a temporary file, because uploads must announce size and hash in advance. Nothing is uploaded if
 * the content differs from what was announced. The file has no name from the start, so that it is gone with the process.
 */
async function throughFile(
  bytes: AsyncIterable<Uint8Array>,
  announced: Announced,
  store: (file: FileHandle, size: number) => Promise<void>,
): Promise<Received> {
  const path = join(tmpdir(), `tillwright-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await rm(path)
    const received = await receiveInto(file, bytes, announced)
    if (received.outcome === 'stored') await store(file, received.size)
    return received
  } finally {
    await file.close()
  }
}
