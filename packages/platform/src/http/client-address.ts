import type { IncomingMessage } from 'node:http'
import { ApiError } from '../ambient/api-error.ts'

/** The addresses of the reverse proxies in front of the platform; `null` where it is reached directly, in `local`. */
export type TrustedProxies = ReadonlySet<string> | null

/**
 * The client's address: the connection's own, or what a trusted proxy says of the one in front of it.
 *
 * @throws {ApiError} Behind proxies: when the request did not come through one of them over HTTPS.
 */
export function clientAddress({ socket, headers }: IncomingMessage, trusted: TrustedProxies): string {
  const peer = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  if (trusted === null) return peer
  if (!trusted.has(peer) || lastOf(headers['x-forwarded-proto']) !== 'https') {
    throw new ApiError('parameter_invalid', 'This deployment answers HTTPS requests only; use an https:// address.')
  }
  return lastOf(headers['x-forwarded-for']) ?? peer
}

/** Only the last entry was written by the proxy that we trust; those before it are the client's word. */
function lastOf(header: string | string[] | undefined): string | undefined {
  return (
    String(header ?? '')
      .split(',')
      .at(-1)
      ?.trim() || undefined
  )
}
