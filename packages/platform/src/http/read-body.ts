import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import { readSync } from 'node:fs'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { ApiError } from '../runtime/index.ts'
import type { Room } from './body-budget.ts'

/**
 * Reads a request's body into memory, up to a limit.
 *
 * @param room Of the budget for bodies: what was announced is taken before anything is read, what was not as it comes.
 * @throws {ApiError} `body_too_large`, or that of the budget, as soon as it is certain; the rest is not read and the
 *   connection is closed.
 */
export function readBody(request: IncomingMessage, maxBytes: number, room: Room): Promise<Buffer<ArrayBuffer>> {
  const announced = announcedBytes(request)
  if (announced > maxBytes) return Promise.reject(tooLarge(maxBytes))
  return new Promise((resolve, reject) => {
    room.takeMemory(announced)
    const body = new Collected(announced)
    const refuse = (error: unknown) => {
      request.removeAllListeners('data').pause()
      reject(error)
    }
    request.on('data', (chunk: Buffer) => {
      const bytes = body.bytes + chunk.length
      if (bytes > maxBytes) return refuse(tooLarge(maxBytes))
      try {
        body.add(chunk, (more) => room.takeMemory(more))
      } catch (error) {
        refuse(error)
      }
    })
    request.on('end', () => resolve(body.whole()))
    // A caller that disconnects ends the request with an error; that is not our fault, and there is no one left to
    // answer.
    for (const end of ['error', 'close']) request.on(end, () => request.complete || reject(brokenOff()))
  })
}

/** What the request says of its length; 0 when it does not. */
export function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0)
}

/** A body as it arrives. Each chunk is copied immediately, because copying a large body at the end would take long. */
class Collected {
  bytes = 0
  #block: Buffer<ArrayBuffer>

  constructor(announced: number) {
    this.#block = Buffer.allocUnsafeSlow(announced) // memory that nothing is written to costs nothing
  }

  /** @param take Is asked for what the block has to grow by, and may throw. */
  add(chunk: Uint8Array, take: (bytes: number) => void): void {
    const bytes = this.bytes + chunk.length
    if (bytes > this.#block.length) {
      const length = Math.max(bytes, this.#block.length * 2)
      take(length - this.#block.length)
      const larger = Buffer.allocUnsafeSlow(length)
      larger.set(this.#block.subarray(0, this.bytes))
      this.#block = larger
    }
    this.#block.set(chunk, this.bytes)
    this.bytes = bytes
  }

  whole(): Buffer<ArrayBuffer> {
    return this.#block.subarray(0, this.bytes)
  }
}

/**
 * A body on disk, in a file without a name: it is gone with the process, however that ends. It is encrypted under a key
 * that is in memory only, because nobody has looked yet at what was sent.
 */
export interface SpooledBody {
  fd: number
  size: number
  key: Uint8Array
}

/** A spooled body, and what removes it. */
export interface OpenSpool {
  body: SpooledBody
  close: () => Promise<void>
}

/**
 * Streams a request's body to disk, up to a limit; otherwise as `readBody`.
 *
 * @param options.folder Is made if it is not there.
 */
export async function spoolBody(
  request: IncomingMessage,
  maxBytes: number,
  { room, folder }: { room: Room; folder: string },
): Promise<OpenSpool> {
  const announced = announcedBytes(request)
  if (announced > maxBytes) throw tooLarge(maxBytes)
  room.takeDisk(announced)
  const file = await openUnnamed(folder)
  try {
    const key = randomBytes(KEY_BYTES)
    const size = await writeBody(request, maxBytes, { room, announced, file, key })
    return { body: { fd: file.fd, size, key }, close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

const KEY_BYTES = 32
const CIPHER = 'aes-256-ctr'
/** Each key encrypts one body. */
const COUNTER = Buffer.alloc(16)

async function writeBody(
  request: IncomingMessage,
  maxBytes: number,
  { room, announced, file, key }: { room: Room; announced: number; file: FileHandle; key: Uint8Array },
): Promise<number> {
  const cipher = createCipheriv(CIPHER, key, COUNTER)
  let size = 0
  try {
    // The connection is still needed for the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const before = size
      size += chunk.length
      if (size > maxBytes) throw tooLarge(maxBytes)
      room.takeDisk(Math.max(0, size - Math.max(before, announced)))
      await file.writeFile(cipher.update(chunk))
    }
  } catch (error) {
    throw request.complete || error instanceof ApiError ? error : brokenOff()
  }
  return size
}

/** A file of the process alone. A crash between the two calls leaves an empty one. */
async function openUnnamed(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return file
}

/** Reads a spooled body, in any thread. */
export function readSpooled({ fd, size, key }: SpooledBody): Uint8Array<ArrayBuffer> {
  const decipher = createDecipheriv(CIPHER, key, COUNTER)
  const body = new Uint8Array(size)
  const block = Buffer.allocUnsafe(BLOCK_BYTES)
  for (let position = 0; position < size;) {
    const read = readSync(fd, block, 0, block.length, position)
    if (read === 0) throw new Error('A body on disk is shorter than it was.')
    body.set(decipher.update(block.subarray(0, read)), position)
    position += read
  }
  return body
}

const BLOCK_BYTES = 64 * 1024

/**
 * Refuses a compressed body before it is read: a small one could expand to any size.
 *
 * @throws {ApiError} `content_type_unsupported`.
 */
export function refuseEncoded({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.trim().toLowerCase() === 'identity') return
  throw new ApiError('content_type_unsupported', 'Send the body as it is, without a Content-Encoding.', {
    headers: { Connection: 'close' },
  })
}

/** The error for a body over the limit. */
export function tooLarge(maxBytes: number): ApiError {
  return new ApiError('body_too_large', `The body is larger than ${maxBytes} bytes, the maximum of this operation.`, {
    headers: { Connection: 'close' },
  })
}

function brokenOff(): ApiError {
  return new ApiError('json_invalid', 'The connection was closed before the whole body had arrived.')
}
