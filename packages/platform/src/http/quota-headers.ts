import type { RateLimit } from '@tillwright/contract'
import type { Quota } from '../accounts/rate-limiter.ts'

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
