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

/**
 * Limits per address count the /64 of an IPv6 address, and beside it the /56 and the /48 that it lies in: providers give
 * customers whole blocks, and whoever holds one can send each request from another /64. A /56 is one household, so it has
 * no more than an address has. A /48 is a company's, or a part of a provider's: it has half as much again.
 */
export const ADDRESS_BLOCK_SHARES = { 64: 1, 56: 1, 48: 1.5 } as const

/** Calls without a valid key have a bucket per address. */
export const anonymousLimit: RateLimit = { perMinute: 100, burst: 150 }

/**
 * Cards that buyers' browsers send, against the testing of stolen numbers: per address whatever the shop, and per loaded
 * form, ten an hour. An account has a bucket of its plan besides, which refuses nobody: while it is empty, forms and
 * addresses of the account's shops are held to the softer limits below.
 */
export const frameAddressLimit: RateLimit = { perMinute: 20, burst: 30 }
export const frameSessionLimit: RateLimit = { perMinute: 10 / 60, burst: 10 }
/** Card forms that one address loads: many buyers may share it, and each has one form a page. */
export const framePageLimit: RateLimit = { perMinute: 60, burst: 120 }
/** As how many tries a card number counts that has a wrong digit or lies in no known range. */
export const ODD_CARD_TRIES = 3
/** The same for its account's bucket: 25 such cards at once are the mark of somebody who tests them from many addresses. */
export const ODD_CARD_ACCOUNT_TRIES = 6
/**
 * Where an operator has set up a challenge, it is asked for before the limits above refuse: of a form that has used half
 * of its hour's cards, of an address whose softer bucket is empty, and of every form while the account's bucket is. Once
 * solved, the form is spared for a while. Without a challenge these limits refuse, while the account's bucket is empty.
 */
export const FRAME_SESSION_SOFT_TRIES = 5
export const frameAddressSoftLimit: RateLimit = { perMinute: 5, burst: 15 }
export const CHALLENGE_PASS_MS = 15 * 60 * 1_000
/** The longest answer of a challenge: those of today have up to about 2,000 characters, some a few more. */
export const CHALLENGE_RESPONSE_MAX_CHARS = 8_192
/**
 * How long after a card was sent its decline still tells of that form and address: as long as a form's bucket takes to
 * fill up.
 */
export const DECLINE_COUNTS_MS = 60 * 60 * 1_000

/**
 * What a buyer's page asks of its session, and the sessions that one address begins: many buyers may share it. Nothing
 * they do spends the account's own bucket.
 */
export const sessionLimit: RateLimit = { perMinute: 120, burst: 120 }
export const sessionAddressLimit: RateLimit = { perMinute: 600, burst: 1_200 }
export const newSessionLimit: RateLimit = { perMinute: 60, burst: 120 }

/**
 * The largest JSON body, and how many values it may have: objects, arrays and what stands in them, names not counted. What
 * buyers' browsers send, in pages and in frames, is smaller, and a plugin's deployment may be larger.
 */
export const BODY_MAX_BYTES = 1024 * 1024
export const BODY_MAX_VALUES = 10_000
export const PAGE_BODY_MAX_BYTES = 64 * 1024
export const PAGE_BODY_MAX_VALUES = 2_000
export const DEPLOY_BODY_MAX_BYTES = 25 * 1024 * 1024
export const DEPLOY_BODY_MAX_VALUES = 20_000
/** How deep arrays and objects of a body may stand in each other. */
export const BODY_MAX_DEPTH = 64
/** How many problems of one body are reported together. */
export const ISSUES_MAX = 50

/** Files of deployments that an account sends one by one: as many at once as a deployment has. */
export const uploadLimit: RateLimit = { perMinute: 1_200, burst: 2_000 }

/**
 * Pages and files that one address asks plugins' hosts for: hundreds of buyers may share it, and a page may have a hundred
 * files.
 */
export const pluginPageLimit: RateLimit = { perMinute: 6_000, burst: 6_000 }

/** What an address reads of the reference page, whose script is a megabyte: four requests show it. */
export const docsLimit: RateLimit = { perMinute: 120, burst: 120 }

/** A plugin's deployment: the largest file, the most files, all of them together. */
export const ASSET_MAX_BYTES = 25 * 1024 * 1024
export const DEPLOYMENT_MAX_FILES = 2_000
export const DEPLOYMENT_MAX_BYTES = 100 * 1024 * 1024
/** The largest body that stores assets: base64 makes a file of 25 MiB a third longer. */
export const ASSETS_BODY_MAX_BYTES = 36 * 1024 * 1024
export const ASSET_PATH_MAX_CHARS = 512
/** A plugin's manifest, and what else a deployment carries beside its files, as JSON. */
export const MANIFEST_MAX_BYTES = 1024 * 1024
export const MANIFEST_MAX_VALUES = 5_000
export const MANIFEST_PAGES_MAX = 200
export const FEATURES_MAX = 50
export const TAGS_MAX = 50
/** How many origins of others a page works with, of each kind. */
export const PAGE_ORIGINS_MAX = 20
export const PREVIEWS_MAX = 50
/** How many presets a deployment has, and how many templates. */
export const PRESETS_MAX = 100
/** As many characters as a label of a host name has left beside the store's part of it (RFC 1035: 63). */
export const ALIAS_MAX_CHARS = 35
/** How many aliases a store has. */
export const ALIASES_MAX = 200
/** For how long a deployment that was removed can be restored. */
export const DEPLOYMENT_RESTORE_MS = 24 * 60 * 60 * 1_000
/** All settings of a deployment together, as JSON: schema, uiSchema, presets and templates. */
export const SETTINGS_MAX_BYTES = 1024 * 1024
export const SETTINGS_MAX_VALUES = 10_000
/** How long one check of presets by their schema may take, and how much memory; a schema that takes more is refused. */
export const SCHEMA_CHECK_MS = 2_000
export const SCHEMA_CHECK_HEAP_MB = 64
/** How many names a free-form object has at its first level. */
export const FREE_FORM_MAX_KEYS = 1_000

/** How long the answer to an `Idempotency-Key` is kept. */
export const IDEMPOTENCY_RETENTION_MS = 24 * 60 * 60 * 1_000

export const NAME_MAX_CHARS = 255
/** Room for every currency there is, with blanks between. */
export const CURRENCY_LIST_MAX_CHARS = 1_000
export const TEXT_MAX_CHARS = 5_000
export const VARIANTS_MAX = 250
export const PRICES_MAX = 50
export const PROCESSORS_MAX = 50
export const THREEDS_SESSION_DATA_MAX_CHARS = 16_384
/** The token that opens a 3-D Secure session to the frame in the buyer's browser. */
export const ACTION_TOKEN_MAX_CHARS = 512
/** What a browser says of itself, before it is brought within the limits of EMV 3DS. */
export const BROWSER_LANGUAGE_MAX_CHARS = 255
export const BROWSER_NUMBER_MAX = 1_000_000_000
export const ORDER_LINES_MAX = 100
/** The ways in which a store ships, and the countries that one of them may be limited to. */
export const SHIPPING_OPTIONS_MAX = 50
export const SHIPPING_COUNTRIES_MAX = 250
export const METADATA_MAX_KEYS = 50
/** A free-form object: its keys at the top, a key's length, and all of it as JSON. */
export const SMALL_FORM_MAX_KEYS = 100
export const SMALL_FORM_MAX_CHARS = 20_000
export const FUNNEL_STEPS_MAX = 50
export const FUNNEL_VARIANTS_MAX = 20
export const PAGE_MAX = 100
export const PAGE_DEFAULT = 20

/** For how long a request may wait for the next event: less than proxies commonly allow an answer to take. */
export const EVENT_LOG_WAIT_MAX_S = 25

/** How often a refund of one payment may be tried. */
export const REFUNDS_MAX = 100

/** A promotion: its rules, its actions, and the products or variants that one rule may name. */
export const PROMOTION_RULES_MAX = 20
export const PROMOTION_ACTIONS_MAX = 20
export const PROMOTION_RULE_IDS_MAX = 100
/** The largest number of units that one action gives away, and the longest free trial. */
export const GIFT_UNITS_MAX = 100
export const TRIAL_DAYS_MAX = 730
/** How many codes a buyer may send with one order. */
export const PROMOTION_CODES_MAX = 10
/** How many automatic promotions of a store an order considers, the oldest first. */
export const AUTOMATIC_PROMOTIONS_MAX = 25

/** The most characters that a payment adds to a statement: with the merchant's own name there are 22. */
export const STATEMENT_DESCRIPTOR_MAX_CHARS = 20
