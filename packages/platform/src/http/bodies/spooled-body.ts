import { createCipheriv, createDecipheriv, type Decipheriv, randomBytes, randomUUID } from 'node:crypto'
import { read as readInto, readSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ApiError, makeFolder } from '../../runtime/index.ts'
import type { Room } from './body-budget.ts'
import { announcedBytes, brokenOff, tooLarge } from './read-body.ts'

/**
 * A body on disk, in a file without a name: it is gone with the process, however that ends. It is encrypted under a key
 * that is in memory only, because the body has not been checked yet.
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

/** A part of a body, in bytes from its beginning; `end` is not part of it. */
export interface Span {
  start: number
  end: number
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
const CIPHER_BLOCK_BYTES = 16

async function writeBody(
  request: IncomingMessage,
  maxBytes: number,
  { room, announced, file, key }: { room: Room; announced: number; file: FileHandle; key: Uint8Array },
): Promise<number> {
  const cipher = createCipheriv(CIPHER, key, counterAt(0))
  let size = 0
  try {
    // The connection is still needed for the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const before = size
      size += chunk.length
      if (size > maxBytes) throw tooLarge(maxBytes)
      room.takeDisk(Math.max(0, size - Math.max(before, announced)))
      const encrypted = cipher.update(chunk)
      release(chunk)
      await file.writeFile(encrypted)
      release(encrypted)
    }
  } catch (error) {
    throw request.complete || error instanceof ApiError ? error : brokenOff()
  }
  return size
}

/** A file of the process alone. A crash between the two calls leaves an empty one. */
async function openUnnamed(folder: string): Promise<FileHandle> {
  await makeFolder(folder)
  const path = join(folder, randomUUID())
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return file
}

/** Read at a time. */
const BLOCK_BYTES = 64 * 1024

/** A spooled body, or a part of it, block by block, in any thread. A block is valid until the next one is asked for. */
export function* readSpooled(
  body: SpooledBody,
  { start, end }: Span = { start: 0, end: body.size },
): Generator<Buffer> {
  const decipher = decipherAt(body, start)
  const block = Buffer.allocUnsafeSlow(Math.min(BLOCK_BYTES, end - start))
  for (let position = start; position < end;) {
    const read = readSync(body.fd, block, 0, Math.min(block.length, end - position), position)
    if (read === 0) throw tooShort()
    position += read
    const piece = decipher.update(block.subarray(0, read))
    yield piece
    release(piece)
  }
}

/** The same without keeping the thread. */
export async function* streamSpooled(body: SpooledBody, { start, end }: Span): AsyncGenerator<Buffer> {
  const decipher = decipherAt(body, start)
  const block = Buffer.allocUnsafeSlow(Math.min(BLOCK_BYTES, end - start))
  for (let position = start; position < end;) {
    const { bytesRead } = await read(body.fd, block, 0, Math.min(block.length, end - position), position)
    if (bytesRead === 0) throw tooShort()
    position += bytesRead
    const piece = decipher.update(block.subarray(0, bytesRead))
    yield piece
    release(piece)
  }
}

const read = promisify(readInto)

/**
 * Frees the memory of a buffer that has its own, and empties it. Bodies come in thousands of them, and the garbage
 * collector, which sees only the small objects in front of their memory, would let tens of megabytes gather.
 */
export function release({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length && !buffer.detached) buffer.transfer(0)
}

function tooShort(): Error {
  return new Error('A body on disk is shorter than it was.')
}

/** In counter mode any place can be read by itself. Source: NIST SP 800-38A, section 6.5. */
function decipherAt({ key }: SpooledBody, start: number): Decipheriv {
  const decipher = createDecipheriv(CIPHER, key, counterAt(Math.floor(start / CIPHER_BLOCK_BYTES)))
  decipher.update(Buffer.alloc(start % CIPHER_BLOCK_BYTES))
  return decipher
}

/** Each key encrypts one body, so that counting begins at zero. */
function counterAt(block: number): Buffer {
  const counter = Buffer.alloc(CIPHER_BLOCK_BYTES)
  counter.writeUIntBE(block, CIPHER_BLOCK_BYTES - 6, 6)
  return counter
}
