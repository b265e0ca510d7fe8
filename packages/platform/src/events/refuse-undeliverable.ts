import type { Environment } from '@tillwright/contract'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '../ambient/api-error.ts'
import { NOT_PUBLIC, refusalOf, resolveAll, type Resolve } from './egress.ts'
import { isPublicAddress } from './public-address.ts'

/** How long a look-up may take: who adds an endpoint waits for it. */
const LOOKUP_MS = 2_000

/**
 * Refuses an endpoint's address that nothing would ever be delivered to: outside `local` one that is not `https:`, or
 * whose host is, or has, an address that is not public. A name that nobody knows yet passes, and each delivery checks
 * anew.
 *
 * @param resolve The machine's own unless given.
 * @throws {ApiError} `parameter_invalid`, with the param `url`.
 */
export async function refuseUndeliverable(
  url: URL,
  { environment, resolve = resolveAll }: { environment: Environment; resolve?: Resolve },
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
