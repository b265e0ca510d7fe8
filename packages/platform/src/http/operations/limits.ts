import {
  ADDRESS_BLOCK_SHARES,
  FRAME_SESSION_SOFT_TRIES,
  frameAddressLimit,
  frameAddressSoftLimit,
  framePageLimit,
  frameSessionLimit,
  newSessionLimit,
  ODD_CARD_ACCOUNT_TRIES,
  ODD_CARD_TRIES,
  type RateLimit,
  sessionAddressLimit,
  sessionLimit,
} from '@tillwright/contract'
import type { Quota, RateLimiter } from '../../accounts/index.ts'
import type { Caller } from '../../request-context.ts'
import { addressBlock, ApiError, BLOCK_BITS } from '../../runtime/index.ts'
import type { CardTries } from '../../vault/index.ts'

/** Limits for buyers' browsers, in buckets that all processes share: against the testing of stolen cards. */
export interface FrameLimits extends CardTries {
  /** For a card form that is loaded. */
  takePage(address: string): Promise<Quota>
  /**
   * Takes a token of the sender's address for a submitted card. Cards from other buyers of the shop never cause a
   * refusal.
   */
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
  return new ApiError('rate_limit_exceeded', `This card form has sent too many cards; try again in ${retryAfterS} s.`, {
    headers: { 'Retry-After': String(retryAfterS) },
  })
}

/** Limits for buyers' pages, in buckets that all processes share. They are separate from the account's own. */
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

/** The remaining quota of an address, and its limit: that of the block with the least left. */
export interface AddressQuota {
  limit: RateLimit
  quota: Quota
}

/**
 * Takes a token for a client: of its address, and for IPv6 of its /64 and the wider blocks around it. The smallest block
 * comes first, so that one that is refused spends nothing of its neighbours'.
 *
 * @param name The kind of request that is counted; each has its own buckets.
 * @param limit Of a single address; `ADDRESS_BLOCK_SHARES` says what the blocks have of it.
 */
export async function takeOfAddress(
  limiter: RateLimiter,
  { name, address, limit }: { name: string; address: string; limit: RateLimit },
): Promise<AddressQuota> {
  let tightest: AddressQuota | null = null
  for (const bits of BLOCK_BITS) {
    const block = addressBlock(address, bits)
    const share = ADDRESS_BLOCK_SHARES[bits]
    const own = { perMinute: limit.perMinute * share, burst: Math.floor(limit.burst * share) }
    const taken = { limit: own, quota: await limiter.take(`${name}:${block}`, own) }
    if (!taken.quota.allowed || !block.includes('/')) return taken
    if (tightest === null || taken.quota.left < tightest.quota.left) tightest = taken
  }
  if (tightest === null) throw new Error('An address has a block of each size.')
  return tightest
}

/** A bucket that a request took from, by the name its headers give it: the account's plan, or `anonymous`. */
export interface Bucket {
  policy: string
  limit: RateLimit
  quota: Quota
}

/** The headers that tell a caller what is left. Source: IETF httpapi draft "RateLimit header fields for HTTP". */
export function quotaHeaders({ policy, limit, quota }: Bucket): Record<string, string> {
  return {
    'RateLimit-Policy': `"${policy}";q=${limit.perMinute};w=60`,
    RateLimit: `"${policy}";r=${quota.left};t=${quota.nextTokenS}`,
  }
}
