import { setTimeout as delay } from 'node:timers/promises'
import type { Environment } from '@tillwright/contract'
import { ApiError } from '../runtime/index.ts'
import { askNameServers, NOT_PUBLIC, refusalOf, type Resolve } from './egress.ts'
import { isPublicAddress } from './public-address.ts'

/** Maximum duration of a look-up, in milliseconds: the request that adds an endpoint waits for it. */
const LOOKUP_MS = 2_000

/**
 * Refuses an endpoint URL that could never be delivered to: outside `local`, one that is not `https:`, or whose host is
 * or resolves to a non-public address. Names that do not resolve yet are accepted; each delivery checks again.
 *
 * @param resolve Asks name servers by default.
 * @throws {ApiError} `parameter_invalid`, with the param `url`.
 */
export async function refuseUndeliverable(
  url: URL,
  { environment, resolve = askNameServers() }: { environment: Environment; resolve?: Resolve },
): Promise<void> {
  if (environment === 'local') return
  const refusal = refusalOf(url) ?? ((await hasPrivateAddress(url.hostname, resolve)) ? NOT_PUBLIC : null)
  if (refusal === null) return
  throw new ApiError('parameter_invalid', `${refusal} Name the https: address that the receiver has on the internet.`, {
    param: 'url',
  })
}

async function hasPrivateAddress(hostname: string, resolve: Resolve): Promise<boolean> {
  const waiting = new AbortController()
  const tooLong = delay(LOOKUP_MS, [], { signal: waiting.signal, ref: false }).catch(() => [])
  const addresses = await Promise.race([resolve(hostname).catch(() => []), tooLong])
  waiting.abort()
  return addresses.some(({ address }) => !isPublicAddress(address))
}
