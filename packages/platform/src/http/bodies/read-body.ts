import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../runtime/index.ts'
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

/** The `Content-Length` of a request in bytes; 0 if it has none. */
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

/** The error for a body whose sender has disconnected. */
export function brokenOff(): ApiError {
  return new ApiError('json_invalid', 'The connection was closed before the whole body had arrived.')
}
