import { ADDRESS_BLOCK_SHARES, type RateLimit } from '@tillwright/contract'
import type { Quota, RateLimiter } from '../accounts/rate-limiter.ts'
import { addressBlock, BLOCK_BITS } from '../ambient/address-block.ts'

/** What is left to an address, and by which limit: that of the block with the least left. */
export interface AddressQuota {
  limit: RateLimit
  quota: Quota
}

/**
 * Takes a token for a client: of its address, and for IPv6 of its /64 and the wider blocks around it. The smallest block
 * comes first, so that one that is refused spends nothing of its neighbours'.
 *
 * @param name What is counted; buckets of other names are apart.
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
