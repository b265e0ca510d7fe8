import {
  FRAME_SESSION_SOFT_TRIES,
  frameAddressLimit,
  frameAddressSoftLimit,
  framePageLimit,
  frameSessionLimit,
  ODD_CARD_TRIES,
} from '@tillwright/contract'
import type { Quota, RateLimiter } from '../accounts/rate-limiter.ts'
import { ApiError } from '../ambient/api-error.ts'
import type { Caller } from '../call.ts'
import type { CardTries } from '../vault/card-tries.ts'
import { addressBlock } from '../ambient/address-block.ts'
import type { Bucket } from './quota-headers.ts'

/** What buyers' browsers may do, in buckets that all processes share: against the testing of stolen cards. */
export interface FrameLimits extends CardTries {
  /** For a card form that is loaded. */
  takePage(address: string): Promise<Quota>
  /** For a card that is sent: of the sender's address, and if that has one left, of the publishable key. */
  takeRequest(caller: Caller, address: string): Promise<Bucket>
}

/** Nothing a shop does spends these buckets, and no buyer spends the shop's own. */
export function frameLimits(limiter: RateLimiter): FrameLimits {
  const ofAddress = (address: string) => limiter.take(`frame-address:${addressBlock(address)}`, frameAddressLimit)
  const ofSession = (session: string) => limiter.take(`frame-session:${session}`, frameSessionLimit)
  const softlyOfAddress = (address: string) =>
    limiter.take(`frame-soft:${addressBlock(address)}`, frameAddressSoftLimit)
  return {
    takePage: (address) => limiter.take(`frame-page:${addressBlock(address)}`, framePageLimit),
    async takeRequest({ keyId, plan, rateLimit }, address) {
      const quota = await ofAddress(address)
      const bucket = { policy: 'frame', limit: frameAddressLimit, quota }
      if (!quota.allowed) return bucket
      const ofKey = await limiter.take(`frame-key:${keyId}`, rateLimit)
      return ofKey.allowed ? bucket : { policy: plan, limit: rateLimit, quota: ofKey }
    },
    async count(session) {
      const { allowed, left, retryAfterS } = await ofSession(session)
      if (!allowed) throw tooManyCards(retryAfterS)
      return { many: left < frameSessionLimit.burst - FRAME_SESSION_SOFT_TRIES }
    },
    countSoft: async (address) => !(await softlyOfAddress(address)).allowed,
    async countOdd(session, address) {
      for (let tries = 1; tries < ODD_CARD_TRIES; tries++) {
        await Promise.all([ofSession(session), ofAddress(address), softlyOfAddress(address)])
      }
    },
  }
}

function tooManyCards(retryAfterS: number): ApiError {
  return new ApiError(
    'rate_limit_exceeded',
    `This card form has sent too many cards; the next one is welcome in ${retryAfterS} s.`,
    { headers: { 'Retry-After': String(retryAfterS) } },
  )
}
