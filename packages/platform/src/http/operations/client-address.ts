import type { IncomingMessage } from 'node:http'
import { type AddressSet, ApiError, readAddress } from '../../runtime/index.ts'

/** The addresses of the reverse proxies in front of the platform; `null` where it is reached directly, in `local`. */
export type TrustedProxies = AddressSet | null

/**
 * The client's address: the connection's own, or the one that a trusted proxy names, without its port and in one form
 * however it was written. The proxy's own address stands in where the proxy names none.
 *
 * @throws {ApiError} Behind proxies: when the request did not come through one of them over HTTPS, or when what the proxy
 *   names is no IP address. Limits count by address, so each made-up text would be a fresh bucket.
 */
export function clientAddress({ socket, headers }: IncomingMessage, trusted: TrustedProxies): string {
  const peer = peers.get(socket) ?? readAddress(socket.remoteAddress ?? '') ?? ''
  peers.set(socket, peer)
  if (trusted === null) return peer
  if (!trusted.has(peer) || lastOf(headers['x-forwarded-proto']) !== 'https') {
    throw new ApiError('parameter_invalid', 'This deployment answers HTTPS requests only; use an https:// address.')
  }
  const forwarded = lastOf(headers['x-forwarded-for'])
  if (forwarded === undefined) return peer
  const address = readAddress(forwarded)
  if (address !== null) return address
  throw new ApiError(
    'parameter_invalid',
    'X-Forwarded-For does not end with an IP address; have the proxy write the address of its client there.',
  )
}

/** The addresses of connections, which stay the same for all of their requests. */
const peers = new WeakMap<IncomingMessage['socket'], string>()

/** Only the last entry was written by the proxy that we trust; those before it are the client's word. */
function lastOf(header: string | string[] | undefined): string | undefined {
  return (
    String(header ?? '')
      .split(',')
      .at(-1)
      ?.trim() || undefined
  )
}
