/** A rate limit: a token bucket that holds `burst` requests and regains `perMinute` a minute. */
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

/** What an account may keep of its plugins. */
export interface PluginRoom {
  /** Files of all deployments, each counted once; uploaded ones that no deployment names yet are among them. */
  files: number
  /** The size of those files together. */
  bytes: number
  /** Deployments of all stores that are not removed, archived ones among them. */
  deployments: number
}

/** The plans and what they let an account keep. */
export const pluginRooms = {
  standard: { files: 20_000, bytes: 2 * 1024 ** 3, deployments: 500 },
  premium: { files: 50_000, bytes: 20 * 1024 ** 3, deployments: 2_500 },
} as const satisfies Record<Plan, PluginRoom>

/**
 * Limits per address count the /64 of an IPv6 address, and also the /56 and the /48 around it: providers assign whole
 * blocks, and the holder of one can send each request from another /64. A /56 is one household, so it gets no more than
 * an address. A /48 is a company's or part of a provider's, so it gets half as much again.
 */
export const ADDRESS_BLOCK_SHARES = { 64: 1, 56: 1, 48: 1.5 } as const

/** Limit per address for requests without a valid key. */
export const anonymousLimit: RateLimit = { perMinute: 100, burst: 150 }

/**
 * Limits against card testing, for cards sent by buyers' browsers: per address across all shops, and ten an hour per
 * loaded form. Accounts also have a bucket sized by their plan. It refuses nothing itself: while it is empty, the
 * softer limits below apply to forms and addresses of the account's shops.
 */
export const frameAddressLimit: RateLimit = { perMinute: 20, burst: 30 }
export const frameSessionLimit: RateLimit = { perMinute: 10 / 60, burst: 10 }
/** Card forms loaded per address: many buyers may share it, and each has one form per page. */
export const framePageLimit: RateLimit = { perMinute: 60, burst: 120 }
/** The number of attempts that a card number with a wrong check digit or of an unknown range counts as. */
export const ODD_CARD_TRIES = 3
/** The same for the account's bucket: 25 such cards at once suggest card testing from many addresses. */
export const ODD_CARD_ACCOUNT_TRIES = 6
/**
 * If the operator has set up a challenge, it is required before the limits above refuse: from a form that has used half
 * of its hourly cards, from an address whose softer bucket is empty, and from every form while the account's bucket is
 * empty. A solved challenge exempts the form for a while. Without a challenge, these limits refuse while the account's
 * bucket is empty.
 */
export const FRAME_SESSION_SOFT_TRIES = 5
export const frameAddressSoftLimit: RateLimit = { perMinute: 5, burst: 15 }
export const CHALLENGE_PASS_MS = 15 * 60 * 1_000
/**
 * The maximum length of a challenge response: those of today's services have up to about 2,000 characters, some a few
 * more.
 */
export const CHALLENGE_RESPONSE_MAX_CHARS = 8_192
/** How long a decline counts against a card's form and address: the time a form's bucket takes to refill. */
export const DECLINE_COUNTS_MS = 60 * 60 * 1_000

/**
 * Requests of a buyer's page to its session, and sessions created per address, which many buyers may share. They do not
 * count against the account's bucket.
 */
export const sessionLimit: RateLimit = { perMinute: 120, burst: 120 }
export const sessionAddressLimit: RateLimit = { perMinute: 600, burst: 1_200 }
export const newSessionLimit: RateLimit = { perMinute: 60, burst: 120 }

/**
 * The maximum size of a JSON body, and the maximum number of values in it: objects, arrays and their members, without
 * names. Bodies from buyers' browsers, in pages and frames, must be smaller; a plugin deployment may be larger.
 */
export const BODY_MAX_BYTES = 1024 * 1024
export const BODY_MAX_VALUES = 10_000
export const PAGE_BODY_MAX_BYTES = 64 * 1024
export const PAGE_BODY_MAX_VALUES = 2_000
export const DEPLOY_BODY_MAX_BYTES = 25 * 1024 * 1024
export const DEPLOY_BODY_MAX_VALUES = 20_000
/** The maximum nesting depth of arrays and objects in a body. */
export const BODY_MAX_DEPTH = 64
/** The maximum length of a field name in a body, unless its schema sets a lower one. */
export const BODY_NAME_MAX_CHARS = 1_024
/** The maximum number of problems reported per body. */
export const ISSUES_MAX = 50

/** Single files of deployments uploaded by an account: a whole deployment in one burst. */
export const uploadLimit: RateLimit = { perMinute: 1_200, burst: 2_000 }

/**
 * Pages and files of plugins requested per address: hundreds of buyers may share it, and a page may have a hundred
 * files.
 */
export const pluginPageLimit: RateLimit = { perMinute: 6_000, burst: 6_000 }

/**
 * Requests of a signed-in member, which do not count against the account's bucket; steps of sign-ins per address; and
 * recovery codes that are tried, per address and per e-mail address.
 */
export const memberLimit: RateLimit = { perMinute: 300, burst: 600 }
export const signInLimit: RateLimit = { perMinute: 30, burst: 60 }
export const recoveryCodeLimit: RateLimit = { perMinute: 1, burst: 10 }

/** Requests to the reference page per address: its script is a megabyte, and four requests load the page. */
export const docsLimit: RateLimit = { perMinute: 120, burst: 120 }

/** Limits of a plugin deployment: size of one file, number of files, total size. */
export const ASSET_MAX_BYTES = 25 * 1024 * 1024
/** The maximum size of an HTML document, which is read anew for each visit, to write the page's data into it. */
export const DOCUMENT_MAX_BYTES = 2 * 1024 * 1024
export const DEPLOYMENT_MAX_FILES = 2_000
export const DEPLOYMENT_MAX_BYTES = 100 * 1024 * 1024
/** The maximum size of a body with assets: base64 makes a 25 MiB file a third longer. */
export const ASSETS_BODY_MAX_BYTES = 36 * 1024 * 1024
export const ASSET_PATH_MAX_CHARS = 512
/** Limits of a plugin's manifest, and of other deployment data except files, as JSON. */
export const MANIFEST_MAX_BYTES = 1024 * 1024
export const MANIFEST_MAX_VALUES = 5_000
export const MANIFEST_PAGES_MAX = 200
export const FEATURES_MAX = 50
export const TAGS_MAX = 50
/** The maximum number of third-party origins per kind. */
export const PAGE_ORIGINS_MAX = 20
export const PREVIEWS_MAX = 50
/** The maximum number of presets, and of templates, per deployment. */
export const PRESETS_MAX = 100
/** The characters left in a host name label (63, RFC 1035) next to the store's part. */
export const ALIAS_MAX_CHARS = 35
/** The maximum number of aliases per store. */
export const ALIASES_MAX = 200
/** How long a removed deployment can be restored. */
export const DEPLOYMENT_RESTORE_MS = 24 * 60 * 60 * 1_000
/** Limits of a deployment's settings in total, as JSON: schema, uiSchema, presets and templates. */
export const SETTINGS_MAX_BYTES = 1024 * 1024
export const SETTINGS_MAX_VALUES = 10_000
/** What a deployment keeps of its former settings: the newest revisions, as far as they fit. */
export const SETTINGS_HISTORY_MAX_BYTES = 4 * 1024 * 1024
export const SETTINGS_REVISIONS_MAX = 500
/** As many conflicts between an author's and a merchant's settings are told at a time. */
export const SETTINGS_CONFLICTS_MAX = 50
/** The longest JSON pointer in a request. */
export const POINTER_MAX_CHARS = 2_048
/** Time and memory limits for validating presets against their schema; a schema that exceeds them is refused. */
export const SCHEMA_CHECK_MS = 2_000
export const SCHEMA_CHECK_HEAP_MB = 64
/** The maximum number of names at the top level of a free-form object. */
export const FREE_FORM_MAX_KEYS = 1_000

/** How long the response to an `Idempotency-Key` is kept. */
export const IDEMPOTENCY_RETENTION_MS = 24 * 60 * 60 * 1_000

/** How long a request that failed is kept in the log of requests. */
export const FAILED_REQUESTS_KEPT_DAYS = 7

export const NAME_MAX_CHARS = 255
/** Stores that a member can be limited to. */
export const MEMBER_STORES_MAX = 100
/** Enough for all existing currencies, separated by commas and spaces. */
export const CURRENCY_LIST_MAX_CHARS = 1_000
export const TEXT_MAX_CHARS = 5_000
export const VARIANTS_MAX = 250
export const PRICES_MAX = 50
export const PROCESSORS_MAX = 50
/** The most processors of an account that are not archived: each payment looks at all of them. */
export const LIVE_PROCESSORS_MAX = 100
export const THREEDS_SESSION_DATA_MAX_CHARS = 16_384
/** The maximum length of the token that opens a 3-D Secure session to the frame in the buyer's browser. */
export const ACTION_TOKEN_MAX_CHARS = 512
/** Limits of browser data, before it is brought within those of EMV 3DS. */
export const BROWSER_LANGUAGE_MAX_CHARS = 255
export const BROWSER_NUMBER_MAX = 1_000_000_000
export const ORDER_LINES_MAX = 100
/** The largest quantity of one line of an order. */
export const LINE_QUANTITY_MAX = 10_000
/** The maximum number of shipping options per store, and of countries per option. */
export const SHIPPING_OPTIONS_MAX = 50
/**
 * How long a hook may take. A payment asks three times at most, one after the other (rates; tax; stock and risk
 * together), and has to be answered within eight seconds.
 */
export const HOOK_TIMEOUT_MIN_MS = 100
export const HOOK_TIMEOUT_DEFAULT_MS = 2_000
export const HOOK_TIMEOUT_MAX_MS = 2_500
/** The most that is read of a hook's answer. */
export const HOOK_ANSWER_MAX_BYTES = 64 * 1024
export const SHIPPING_COUNTRIES_MAX = 250
export const METADATA_MAX_KEYS = 50
export const METADATA_KEY_MAX_CHARS = 64
/** Limits of a small free-form object: names at the top level, length of a name, total length as JSON. */
export const SMALL_FORM_MAX_KEYS = 100
export const SMALL_FORM_MAX_CHARS = 20_000
export const FUNNEL_STEPS_MAX = 50
export const FUNNEL_VARIANTS_MAX = 20
export const PAGE_MAX = 100
export const PAGE_DEFAULT = 20

/** How long a request may wait for the next event, in seconds: less than the usual time-out of proxies. */
export const EVENT_LOG_WAIT_MAX_S = 25

/** How many event streams of an account one process keeps open, and how many of all accounts. */
export const EVENT_STREAMS_PER_ACCOUNT = 50
export const EVENT_STREAMS_MAX = 1_000
/** How often an event stream shows that it is alive, in seconds: more often than proxies close what is silent. */
export const EVENT_STREAM_HEARTBEAT_S = 15

/** How many hours or days statistics have at most: a month of hours, two years of days. */
export const STATISTICS_POINTS_MAX = 800

/** Limits of a replay of a flow: payments, ways in which they move, and examples of them. */
export const REPLAYED_PAYMENTS_MAX = 10_000
export const REPLAYED_MOVES_MAX = 50
export const REPLAYED_EXAMPLES_MAX = 50

/** The maximum number of refunds per payment, including failed ones. */
export const REFUNDS_MAX = 100

/** Limits of a promotion: rules, actions, and products or variants per rule. */
export const PROMOTION_RULES_MAX = 20
export const PROMOTION_ACTIONS_MAX = 20
export const PROMOTION_RULE_IDS_MAX = 100
/** The maximum quantity of a gift, and the maximum length of a free trial. */
export const GIFT_UNITS_MAX = 100
export const TRIAL_DAYS_MAX = 730
/** The maximum number of promotion codes per order. */
export const PROMOTION_CODES_MAX = 10
/** The number of automatic promotions of a store that an order considers, oldest first. */
export const AUTOMATIC_PROMOTIONS_MAX = 25

/** The maximum number of characters that a payment adds to a statement: 22 including the merchant's own name. */
export const STATEMENT_DESCRIPTOR_MAX_CHARS = 20

/** The most origins of pages that a publishable key is for. */
export const KEY_ORIGINS_MAX = 50
/** How long a rolled key works next to its replacement, in hours. */
export const KEY_OVERLAP_DEFAULT_H = 24
export const KEY_OVERLAP_MAX_H = 168

/** How long the former secret of a webhook endpoint signs as well, in hours. */
export const SECRET_OVERLAP_DEFAULT_H = 24
export const SECRET_OVERLAP_MAX_H = 168
/** The most webhook endpoints of an account: each event is looked at for each of them. */
export const WEBHOOK_ENDPOINTS_MAX = 100
