import type { IncomingMessage } from 'node:http'
import { ApiError } from '../ambient/api-error.ts'

/**
 * Reads a request's body, up to a limit.
 *
 * @throws {ApiError} `body_too_large` as soon as it is certain; the rest is not read and the connection is closed.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > maxBytes) return Promise.reject(tooLarge(maxBytes))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) {
        request.removeAllListeners('data').pause()
        reject(tooLarge(maxBytes))
      } else chunks.push(chunk)
    })
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)))
    // A caller that goes away ends the request with an error and is no fault of ours; nobody will read the answer.
    for (const end of ['error', 'close']) request.on(end, () => request.complete || reject(brokenOff()))
  })
}

/**
 * A compressed body is refused before a byte of it is read: a small one may stand for any number of bytes.
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

/** The error of a body with more bytes than are taken. */
export function tooLarge(maxBytes: number): ApiError {
  return new ApiError(
    'body_too_large',
    `The body is larger than ${maxBytes} bytes, the most that this operation takes.`,
    {
      headers: { Connection: 'close' },
    },
  )
}

function brokenOff(): ApiError {
  return new ApiError('json_invalid', 'The connection was closed before the whole body had arrived.')
}
