/** How many requests an account may send: a token bucket that holds `burst` and regains `perMinute` a minute. */
export interface RateLimit {
  perMinute: number
  burst: number
}

/** The plans and their rate limits. */
export const plans = {
  standard: { perMinute: 100, burst: 150 },
  premium: { perMinute: 500, burst: 750 },
} as const satisfies Record<string, RateLimit>

export type Plan = keyof typeof plans

/** Calls without a valid key have a bucket per address; buyers' browsers have one per address and session. */
export const anonymousLimit: RateLimit = { perMinute: 100, burst: 150 }

/** The largest JSON body, but for a plugin's deployment. */
export const BODY_MAX_BYTES = 1024 * 1024
export const DEPLOY_BODY_MAX_BYTES = 25 * 1024 * 1024
/** How deep arrays and objects of a body may stand in each other. */
export const BODY_MAX_DEPTH = 64
/** How many problems of one body are reported together. */
export const ISSUES_MAX = 50

/** A plugin's deployment: the largest file, the most files, all of them together. */
export const ASSET_MAX_BYTES = 25 * 1024 * 1024
export const DEPLOYMENT_MAX_FILES = 2_000
export const DEPLOYMENT_MAX_BYTES = 100 * 1024 * 1024

/** How long the answer to an `Idempotency-Key` is kept. */
export const IDEMPOTENCY_RETENTION_MS = 24 * 60 * 60 * 1_000

export const NAME_MAX_CHARS = 255
/** Room for every currency there is, with blanks between. */
export const CURRENCY_LIST_MAX_CHARS = 1_000
export const TEXT_MAX_CHARS = 5_000
export const VARIANTS_MAX = 250
export const PRICES_MAX = 50
export const PROCESSORS_MAX = 50
export const ORDER_LINES_MAX = 100
export const METADATA_MAX_KEYS = 50
export const PAGE_MAX = 100
export const PAGE_DEFAULT = 20
