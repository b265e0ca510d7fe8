import type { IncomingMessage } from 'node:http'
import { ApiError } from '../runtime/index.ts'

/**
 * Reads a request's body, up to a limit.
 *
 * @throws {ApiError} `body_too_large` as soon as it is certain; the rest is not read and the connection is closed.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > maxBytes) return Promise.reject(tooLarge(maxBytes))
  return new Promise((resolve, reject) => {
    const body = new Collected(announced)
    request.on('data', (chunk: Buffer) => {
      if (body.bytes + chunk.length > maxBytes) {
        request.removeAllListeners('data').pause()
        reject(tooLarge(maxBytes))
        return
      }
      body.add(chunk)
    })
    request.on('end', () => resolve(body.whole()))
    // A caller that disconnects ends the request with an error; that is not our fault, and there is no one left to
    // answer.
    for (const end of ['error', 'close']) request.on(end, () => request.complete || reject(brokenOff()))
  })
}

/** A body as it arrives. Each chunk is copied immediately, because copying a large body at the end would take long. */
class Collected {
  bytes = 0
  #block: Buffer<ArrayBuffer>

  constructor(announced: number) {
    this.#block = Buffer.allocUnsafeSlow(announced) // memory that nothing is written to costs nothing
  }

  add(chunk: Uint8Array): void {
    const bytes = this.bytes + chunk.length
    if (bytes > this.#block.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(bytes, this.#block.length * 2))
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

function brokenOff(): ApiError {
  return new ApiError('json_invalid', 'The connection was closed before the whole body had arrived.')
}
