import type { Quota } from '../accounts/rate-limiter.ts'
import type { Caller } from '../call.ts'

/** The headers that tell a caller what is left. Source: IETF httpapi draft "RateLimit header fields for HTTP". */
export function quotaHeaders(
  { plan, rateLimit }: Pick<Caller, 'plan' | 'rateLimit'>,
  quota: Quota,
): Record<string, string> {
  return {
    'RateLimit-Policy': `"${plan}";q=${rateLimit.perMinute};w=60`,
    RateLimit: `"${plan}";r=${quota.left};t=${quota.nextTokenS}`,
  }
}
