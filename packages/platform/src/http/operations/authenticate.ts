import { type Operation, rolesWith } from '@tillwright/contract'
import {
  endedKey,
  findApiKey,
  hashKeyText,
  keyFitsEnvironment,
  type KnownKey,
  readKeyText,
} from '../../accounts/index.ts'
import { findTokenHolder, isReplacedToken, readSessionToken, renewToken, tokenReplaced } from '../../funnels/index.ts'
import { type ConsolePlace, findSignedIn, readCookie } from '../../members/index.ts'
import type { Caller, Services } from '../../request-context.ts'
import { allowsOrigin, ApiError } from '../../runtime/index.ts'
import { decodedAddress } from '../bodies/index.ts'

/** The parts of a request that tell who sends it. */
export interface Credentials {
  authorization: string | undefined
  /** A browser's `Origin`. */
  origin: string | undefined
  /** The address with its query, to catch keys that were put there. */
  url: string
  /** Absent where no member can be the caller. */
  page?: PageEvidence
}

/** The cookie of a console page, and the headers that show that such a page sent the request. */
export interface PageEvidence {
  method: string
  cookie: string | undefined
  fetchSite: string | undefined
  consoleHeader: string | undefined
}

/** How long a key that was looked up is trusted: a revocation acts on every process within this time. */
const KEY_TRUST_MS = 1_000
/** Keys remembered at a time. */
const KEYS_MAX = 10_000

/** Tells who calls an operation, by a key or by a session's token, or refuses with 401. */
export type Authenticate = (operation: Operation, credentials: Credentials) => Promise<Caller>

/** Settings of an authenticator. */
export interface AuthenticatorOptions {
  /** Called with each valid key and the time of its use. */
  noteUse: (caller: Caller, atMs: number) => void
  /** The origin of the reference page, if requests with a secret key can be sent from it: in `local`. */
  referenceOrigin: string | null
  consolePlace: ConsolePlace
}

/**
 * Authentication by API key, or by session token. Keys are found by their hash and remembered for a second.
 */
export function authenticator(
  services: Pick<Services, 'db' | 'clock' | 'environment'>,
  { noteUse, referenceOrigin, consolePlace }: AuthenticatorOptions,
): Authenticate {
  const remembered = new Map<string, { key: KnownKey; untilMs: number }>()

  async function known(text: string): Promise<KnownKey | null> {
    const hash = hashKeyText(text)
    const nowMs = services.clock.now()
    const hit = remembered.get(hash)
    if (hit !== undefined && nowMs < hit.untilMs) return hit.key
    const key = await findApiKey(hash, services.db)
    if (remembered.size >= KEYS_MAX) remembered.clear()
    if (key === null) remembered.delete(hash)
    else remembered.set(hash, { key, untilMs: nowMs + KEY_TRUST_MS })
    return key
  }

  return async (operation, credentials) => {
    if (operation.audience === 'session') return authenticateSession(credentials.authorization, services)
    const member = await authenticateMember(operation, credentials, { ...services, consolePlace })
    if (member !== null) return member
    const text = presentedKey(operation, { ...credentials, referenceOrigin })
    checkEnvironment(text, services)
    const key = await known(text)
    if (key === null)
      throw invalid('This API key is unknown; check that it was copied whole and belongs to this deployment.')
    const nowMs = services.clock.now()
    const refusal = endedKey(key, nowMs)
    if (refusal !== null) throw refusal
    if (operation.audience === 'page') requireOrigin(key.caller, credentials)
    noteUse(key.caller, nowMs)
    return key.caller
  }
}

/** Audiences whose operations members may call. */
const ofMembers: readonly Operation['audience'][] = ['key', 'admin', 'console']

/**
 * Authenticates a member by the cookie of the console. A request with a key is the key's, whatever cookie comes with it.
 *
 * @returns `null` for a request that a key has to be shown for.
 * @throws {ApiError} `sign_in_required` or `cross_site_refused`.
 */
async function authenticateMember(
  operation: Operation,
  credentials: Credentials,
  services: Pick<Services, 'db' | 'clock'> & { consolePlace: ConsolePlace },
): Promise<Caller | null> {
  const isConsoles = operation.audience === 'console'
  if (!isConsoles && (credentials.authorization !== undefined || !ofMembers.includes(operation.audience))) return null
  if (credentials.page === undefined) return null
  const token = readCookie('session', credentials.page.cookie, services.consolePlace)
  if (token === null && !isConsoles) return null
  if (token === null && credentials.authorization !== undefined) throw forMembers(operation)
  // A key is not what opens the console; one in the address is refused by what reads keys.
  if (secretKey.test(decodedAddress(credentials.url))) return null
  if (operation.scope === undefined && !isConsoles) return null
  const member = token && (await findSignedIn(token, services, { ...services.consolePlace, isUse: isUse(operation) }))
  if (!member) throw signInRequired()
  requireOwnPage({ ...credentials.page, origin: credentials.origin }, services.consolePlace)
  return member
}

/** Whether a request keeps the session from ending idle: what pages poll does not. */
function isUse({ eventStream, operator }: Operation): boolean {
  return eventStream !== true && operator !== true
}

/** The refusal of a request that only a signed-in member may make. */
export function signInRequired(): ApiError {
  return new ApiError('sign_in_required', 'You are not signed in, or your session has ended; sign in again.', {
    headers: { 'WWW-Authenticate': 'Cookie' },
  })
}

/** The refusal of a key where a person decides. */
function forMembers({ scope }: Operation): ApiError {
  const people = scope === undefined ? 'a member' : `of members, ${rolesWith(scope)}`
  return new ApiError('sign_in_required', `No key may do this; ${people} may, signed in to the console.`, {
    headers: { 'WWW-Authenticate': 'Cookie' },
  })
}

/**
 * Refuses what a browser sends with the cookie on behalf of another page. Three things have to agree: the site that the
 * browser names, the origin, and a header that no other origin's page may send without being asked for permission.
 *
 * @throws {ApiError} `cross_site_refused`.
 */
export function requireOwnPage(
  { method, origin, fetchSite, consoleHeader }: Omit<PageEvidence, 'cookie'> & Pick<Credentials, 'origin'>,
  { origin: own }: ConsolePlace,
): void {
  const isRead = method === 'GET' || method === 'HEAD'
  const isOwn = origin === own || (isRead && origin === undefined)
  if (isOwn && (fetchSite === undefined || fetchSite === 'same-origin') && consoleHeader === '1') return
  throw new ApiError(
    'cross_site_refused',
    `This request did not come from a page of ${own}; use the console there, or an API key on your server.`,
  )
}

/** A member may do what the scopes of the role are for. */
function requireRole({ audience, scope }: Operation, caller: Caller): void {
  if (audience === 'console' && scope === undefined) return
  if (scope !== undefined && caller.scopes.includes(scope)) return
  throw new ApiError(
    'scope_missing',
    scope === undefined ? 'Members cannot call this operation; a server does, with an API key.' : needed(scope),
  )
}

function needed(scope: NonNullable<Operation['scope']>): string {
  const roles = rolesWith(scope)
  return `Needs the scope ${scope}, which ${roles} ${roles.includes(' and ') ? 'have' : 'has'}; ask one of them to do it.`
}

/**
 * Refuses a caller whose key may not do what it asks. org:admin may do everything, org:member everything but
 * administration, org:read what only reads; scopes add what they name. A key that was given neither roles nor scopes is
 * a plain server's key: it may do what org:member may.
 *
 * @param isOperator Whether an account is that of the platform's operator.
 * @throws {ApiError} `operator_required`, `role_required` or `scope_missing`.
 */
export function requirePermission(
  operation: Operation,
  caller: Caller,
  { isOperator }: { isOperator: (accountId: string) => boolean },
): void {
  if (operation.operator === true && !isOperator(caller.accountId)) {
    throw new ApiError(
      'operator_required',
      "This is for the account of the platform's operator alone, which yours is not; ask whoever runs the platform.",
    )
  }
  if (caller.kind === 'member') return requireRole(operation, caller)
  if (caller.kind !== 'secret' || caller.roles.includes('org:admin')) return
  if (operation.operator === true && caller.scopes.includes(operation.scope ?? '')) return
  if (operation.audience === 'admin') {
    const members = operation.scope === undefined ? '' : ` Of members, ${rolesWith(operation.scope)} may do this.`
    throw new ApiError('role_required', `This operation needs the role org:admin; use a key that has it.${members}`)
  }
  const { scope } = operation
  if (scope === undefined || (caller.scopes.length === 0 && caller.roles.length === 0)) return
  const reading = scope.endsWith(':read')
  if (
    caller.scopes.includes(scope) ||
    caller.roles.includes('org:member') ||
    (reading && caller.roles.includes('org:read'))
  )
    return
  throw new ApiError(
    'scope_missing',
    `This key lacks the scope ${scope}; use a key that has it. Of members, ${rolesWith(scope)} may do this.`,
  )
}

/** A secret key, wherever it stands in an address. */
const secretKey = /(test|live)_sk_[0-9A-Za-z]{36}/

/** The key's text, once it is certain that it was sent where it may be. */
function presentedKey(
  { audience }: Operation,
  { authorization, origin, url, referenceOrigin }: Credentials & Pick<AuthenticatorOptions, 'referenceOrigin'>,
): string {
  if (secretKey.test(decodedAddress(url))) {
    throw invalid(
      'The address contains a secret API key, where it is logged: revoke it, and send keys as "Authorization: Bearer <key>".',
    )
  }
  if (authorization === undefined)
    throw refused('api_key_missing', 'Send your API key in the header "Authorization: Bearer <key>".')
  const text = /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? ''
  const kind = readKeyText(text)?.kind
  const inBrowser = audience === 'frame' || audience === 'page'
  if (kind === undefined) {
    const wanted = inBrowser ? 'pk' : 'sk'
    throw invalid(
      `This is not a whole API key of Tillwright: expected "Bearer test_${wanted}_..." or "Bearer live_${wanted}_...", to its last character and without quotes.`,
    )
  }
  if (inBrowser && kind === 'secret') {
    throw invalid(
      'A secret key was sent from a page: revoke it, and give the page a publishable key ("test_pk_..." or "live_pk_...").',
    )
  }
  if (!inBrowser && kind === 'publishable') {
    throw invalid(
      'A publishable key cannot be used here; use a secret key ("test_sk_..." or "live_sk_...") on your server.',
    )
  }
  if (!inBrowser && origin !== undefined && origin !== referenceOrigin) {
    throw invalid(
      'A secret key was sent by a browser, where anyone can read it: revoke it, and call the API from your server.',
    )
  }
  return text
}

/**
 * Only a browser's origin can be trusted, since other clients can claim any; checking it keeps a page from using
 * another page's buyer sessions.
 */
function requireOrigin({ allowedOrigins }: Caller, { origin }: Credentials): void {
  if (origin !== undefined && allowsOrigin(allowedOrigins, origin)) return
  throw invalid(
    'This publishable key is not for pages of this origin; add the origin to the key, and call from the page itself.',
  )
}

function checkEnvironment(text: string, { environment }: Pick<Services, 'environment'>): void {
  if (keyFitsEnvironment(text.startsWith('live_'), environment)) return
  const wanted = environment === 'production' ? 'live' : 'test'
  throw refused('api_key_wrong_environment', `This deployment is "${environment}", where only ${wanted} keys work.`)
}

function invalid(message: string): ApiError {
  return refused('api_key_invalid', message)
}

function refused(
  code: `api_key_${'missing' | 'invalid' | 'wrong_environment'}` | `session_token_${'missing' | 'invalid' | 'expired'}`,
  message: string,
): ApiError {
  return new ApiError(code, message, { headers: { 'WWW-Authenticate': 'Bearer' } })
}

/**
 * Authenticates by a session's token. Each use keeps it alive for another hour, up to a day from the session's start.
 *
 * @param authorization The header of that name.
 * @throws {ApiError} `session_token_missing`, `session_token_invalid`, `session_token_expired`, and
 *   `session_token_replaced` when the session was handed over to another page.
 */
async function authenticateSession(
  authorization: string | undefined,
  { db, clock }: Pick<Services, 'db' | 'clock'>,
): Promise<Caller> {
  if (authorization === undefined) {
    throw refused('session_token_missing', 'Send the session’s token in the header "Authorization: Bearer <token>".')
  }
  const text = /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? ''
  const hash = readSessionToken(text)
  const holder = hash === null ? null : await findTokenHolder(hash, db)
  if (hash !== null && holder === null && (await isReplacedToken(hash, db))) throw tokenReplaced()
  if (holder === null) {
    const who = readKeyText(text) === null ? 'This is not the token of a session' : 'No API key may do this'
    const message = `${who}; the page of a buyer may, with the token that came with its session: "Bearer fstok_...".`
    throw refused('session_token_invalid', message)
  }
  const nowMs = clock.now()
  if (holder.tokenExpiresAtMs <= nowMs) {
    throw refused('session_token_expired', 'The session’s token has expired; start a new session.')
  }
  const renewal = renewToken(holder, nowMs)
  if (renewal !== null) await db.write([renewal])
  return holder.caller
}
