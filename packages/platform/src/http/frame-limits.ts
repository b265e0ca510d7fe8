import {
  FRAME_SESSION_SOFT_TRIES,
  frameAddressLimit,
  frameAddressSoftLimit,
  framePageLimit,
  frameSessionLimit,
  ODD_CARD_ACCOUNT_TRIES,
  ODD_CARD_TRIES,
} from '@tillwright/contract'
import type { Quota, RateLimiter } from '../accounts/rate-limiter.ts'
import { ApiError } from '../ambient/api-error.ts'
import type { CardTries } from '../vault/card-tries.ts'
import { takeOfAddress } from './address-limits.ts'
import type { Bucket } from './quota-headers.ts'

/** What buyers' browsers may do, in buckets that all processes share: against the testing of stolen cards. */
export interface FrameLimits extends CardTries {
  /** For a card form that is loaded. */
  takePage(address: string): Promise<Quota>
  /** For a card that is sent, of the sender's address. What other buyers of the shop send refuses nobody. */
  takeRequest(address: string): Promise<Bucket>
}

/** Nothing a shop does spends these buckets, and no buyer spends the shop's own. */
export function frameLimits(limiter: RateLimiter): FrameLimits {
  const ofAddress = (address: string) =>
    takeOfAddress(limiter, { name: 'frame-address', address, limit: frameAddressLimit })
  const softlyOfAddress = (address: string) =>
    takeOfAddress(limiter, { name: 'frame-soft', address, limit: frameAddressSoftLimit })
  const ofSession = (session: string) => limiter.take(`frame-session:${session}`, frameSessionLimit)
  const ofAccount = ({ accountId, rateLimit }: Parameters<CardTries['count']>[0]['account']) =>
    limiter.take(`frame-account:${accountId}`, rateLimit)
  return {
    async takePage(address) {
      const { quota } = await takeOfAddress(limiter, { name: 'frame-page', address, limit: framePageLimit })
      return quota
    },
    takeRequest: async (address) => ({ policy: 'frame', ...(await ofAddress(address)) }),
    async count({ session, address, account }) {
      const ofForm = await ofSession(session)
      if (!ofForm.allowed) throw tooManyCards(ofForm.retryAfterS)
      const [softly, whole] = await Promise.all([softlyOfAddress(address), ofAccount(account)])
      const many = ofForm.left < frameSessionLimit.burst - FRAME_SESSION_SOFT_TRIES || !softly.quota.allowed
      return { many, pressed: !whole.allowed, retryAfterS: softly.quota.retryAfterS || ofForm.nextTokenS }
    },
    async countOdd({ session, address, account }) {
      for (let tries = 1; tries < ODD_CARD_TRIES; tries++) {
        await Promise.all([ofSession(session), ofAddress(address), softlyOfAddress(address)])
      }
      for (let tries = 1; tries < ODD_CARD_ACCOUNT_TRIES; tries++) await ofAccount(account)
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
