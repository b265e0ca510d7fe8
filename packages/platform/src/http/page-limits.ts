import { newSessionLimit, sessionAddressLimit, sessionLimit } from '@tillwright/contract'
import type { RateLimiter } from '../accounts/rate-limiter.ts'
import type { Caller } from '../call.ts'
import { takeOfAddress } from './address-limits.ts'
import type { Bucket } from './quota-headers.ts'

/** What buyers' pages may do, in buckets that all processes share. None of it spends the account's own. */
export interface PageLimits {
  /** For a session that is begun. */
  takeBeginning(address: string): Promise<Bucket>
  /** For a request of a session: of the sender's address, and if that has one left, of the session. */
  takeRequest(caller: Pick<Caller, 'sessionId'>, address: string): Promise<Bucket>
}

/** The limits of the session API. */
export function pageLimits(limiter: RateLimiter): PageLimits {
  return {
    async takeBeginning(address) {
      return {
        policy: 'session',
        ...(await takeOfAddress(limiter, { name: 'session-begin', address, limit: newSessionLimit })),
      }
    },
    async takeRequest({ sessionId }, address) {
      const ofAddress = await takeOfAddress(limiter, { name: 'session-address', address, limit: sessionAddressLimit })
      if (!ofAddress.quota.allowed) return { policy: 'session', ...ofAddress }
      const quota = await limiter.take(`session:${sessionId}`, sessionLimit)
      return { policy: 'session', limit: sessionLimit, quota }
    },
  }
}
