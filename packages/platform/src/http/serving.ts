import { rateLimiter, type Quota, type RateLimiter } from '../accounts/rate-limiter.ts'
import type { Caller, Parts } from '../call.ts'
import { authenticator, type Authenticate } from './authenticate.ts'
import type { TrustedProxies } from './client-address.ts'
import { onceRunner } from './once.ts'

/** What all operations of a process share on a request's way. */
export interface Serving {
  parts: Parts
  /** One line for each request. Its fields are fixed and hold no secrets, so that it is spared the search for them. */
  requestLog: Parts['log']
  authenticate: Authenticate
  once: ReturnType<typeof onceRunner>
  /** `null` where limits are off. */
  limiter: RateLimiter | null
  takeToken: (caller: Caller, address: string) => Promise<Quota>
  trustedProxies: TrustedProxies
  /** The reference page: error bodies point at its anchors. */
  docsUrl: string
  /** Tells the workers that there may be something to do. Costs next to nothing. */
  wake: () => void
}

/** What differs between deployments. */
export interface ServingOptions {
  rateLimits: boolean
  trustedProxies: TrustedProxies
  docsUrl: string
  wake: () => void
  /** Is told of each use of a key. Costs next to nothing. */
  noteKeyUse: (caller: Caller, atMs: number) => void
}

/** Puts together what a request meets on its way. */
export function serving(parts: Parts, options: ServingOptions): Serving {
  const limiter = options.rateLimits ? rateLimiter(parts) : null
  return {
    ...options,
    parts,
    requestLog: parts.log.child({}, { redact: [] }),
    limiter,
    authenticate: authenticator(parts, options.noteKeyUse),
    once: onceRunner(parts),
    takeToken: async (caller, address) => {
      if (limiter === null) return { allowed: true, left: caller.rateLimit.burst, nextTokenS: 0, retryAfterS: 0 }
      // A buyer's browser spends its own bucket, so that one of them cannot use up the shop's.
      const subject = caller.kind === 'publishable' ? `frame:${caller.keyId}:${address}` : `account:${caller.accountId}`
      return limiter.take(subject, caller.rateLimit)
    },
  }
}
