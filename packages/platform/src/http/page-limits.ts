import { newSessionLimit, sessionAddressLimit, sessionLimit } from '@tillwright/contract'
import type { RateLimiter } from '../accounts/rate-limiter.ts'
import { addressBlock } from '../ambient/address-block.ts'
import type { Caller } from '../call.ts'
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
      const quota = await limiter.take(`session-begin:${addressBlock(address)}`, newSessionLimit)
      return { policy: 'session', limit: newSessionLimit, quota }
    },
    async takeRequest({ sessionId }, address) {
      const ofAddress = await limiter.take(`session-address:${addressBlock(address)}`, sessionAddressLimit)
      if (!ofAddress.allowed) return { policy: 'session', limit: sessionAddressLimit, quota: ofAddress }
      const quota = await limiter.take(`session:${sessionId}`, sessionLimit)
      return { policy: 'session', limit: sessionLimit, quota }
    },
  }
}
