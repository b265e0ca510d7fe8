import { createHmac } from 'node:crypto'
import { createRemoteJWKSet, jwtVerify, type JWTVerifyGetKey } from 'jose'
import type { Configuration } from 'openid-client'
import { z } from 'zod'
import type { Services } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import { signInFailed } from './ceremonies.ts'
import type { ConsolePlace } from './console-place.ts'
import type { OpenIdConfig } from './settings.ts'

/** A person, as the provider knows it. Only `issuer` and `subject` together identify; the e-mail address is for display. */
export interface OpenIdPerson {
  issuer: string
  subject: string
  email: string | null
}

/** Says in a token that it is about a sign-out. Source: OpenID Connect Back-Channel Logout 1.0, section 2.4. */
const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout'
const logoutClaims = z.object({
  sub: z.string(),
  events: z.object({ [LOGOUT]: z.looseObject({}) }),
  // That of an ID token has one, which must not pass for this.
  nonce: z.undefined().optional(),
})
/** How old a logout token may be. */
const LOGOUT_MAX_AGE_S = 5 * 60

/** Loaded at the first sign-in with it. */
const openIdClient = () => import('openid-client')

/** For each request to the provider. */
const TIMEOUT_S = 5
/** How long the metadata of the provider is used. Its keys are cached by the library, and read again for an unknown one. */
const METADATA_MS = 60 * 60 * 1_000
/** How far the provider's clock may be from ours. */
const CLOCK_TOLERANCE_S = 30
/** How long ago the person may have signed in at the provider: as long as a sign-in here counts as fresh. */
const MAX_AGE_S = 15 * 60

/** The OpenID Connect provider of the platform, of which this is a client: the authorization code flow with PKCE. */
export class OpenIdProvider {
  readonly #settings: OpenIdConfig
  readonly #place: ConsolePlace
  readonly #services: Pick<Services, 'clock' | 'log' | 'environment'>
  #metadata: { reading: Promise<Configuration>; untilMs: number } | null = null
  /** Keys for logout tokens: the other library keeps its own to itself. */
  #keys: { url: string; get: JWTVerifyGetKey } | null = null

  constructor(
    settings: OpenIdConfig,
    { place, services }: { place: ConsolePlace; services: Pick<Services, 'clock' | 'log' | 'environment'> },
  ) {
    this.#settings = settings
    this.#place = place
    this.#services = services
  }

  get name(): string {
    return this.#settings.name
  }

  /** The provider, as identities name it. */
  get issuer(): string {
    return new URL(this.#settings.issuer).href
  }

  get #redirectUri(): string {
    return `${this.#place.origin}/console/openid`
  }

  /**
   * The address at which a person signs in.
   *
   * @param ceremony The secret of the browser's cookie, from which state, nonce and verifier are made: what the provider
   *   returns is good in this browser alone.
   * @throws {ApiError} `upstream_failed` when the provider cannot be reached.
   */
  async authorizationUrl(ceremony: string): Promise<string> {
    const config = await this.#discovered()
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await openIdClient()
    const { state, nonce, verifier } = secretsOf(ceremony)
    const url = buildAuthorizationUrl(config, {
      redirect_uri: this.#redirectUri,
      scope: 'openid email',
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      max_age: String(MAX_AGE_S),
    })
    return url.href
  }

  /**
   * Redeems the code of a response, and verifies the ID token with the provider's keys.
   *
   * @param response The query that the provider has sent the browser back with.
   * @throws {ApiError} `sign_in_failed`, or `upstream_failed` when the provider cannot be reached.
   */
  async person(response: string, ceremony: string): Promise<OpenIdPerson> {
    const config = await this.#discovered()
    const { authorizationCodeGrant } = await openIdClient()
    const { state, nonce, verifier } = secretsOf(ceremony)
    // The redirect URI is ours, whatever the browser says.
    const at = new URL(`${this.#redirectUri}?${response}`)
    try {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
      const claims = (await authorizationCodeGrant(config, at, checks)).claims()
      if (claims === undefined) throw new Error('The library requires an ID token.')
      const { iss, sub: subject, email } = claims
      this.#requireRecent(claims.auth_time)
      return { issuer: new URL(iss).href, subject, email: typeof email === 'string' ? email.slice(0, 255) : null }
    } catch (error) {
      throw this.#refusal(error)
    }
  }

  /**
   * The person who was signed out at the provider, by a token whose signature and claims are verified. Source: OpenID Connect
   * Back-Channel Logout 1.0, section 2.6.
   *
   * @throws {ApiError} `sign_in_failed`, or `upstream_failed` when the provider cannot be reached.
   */
  async signedOut(logoutToken: string): Promise<Omit<OpenIdPerson, 'email'>> {
    const { issuer, jwks_uri: keysUrl } = (await this.#discovered()).serverMetadata()
    try {
      const { payload } = await jwtVerify(logoutToken, this.#keysAt(keysUrl ?? ''), {
        issuer,
        audience: this.#settings.clientId,
        requiredClaims: ['jti'],
        clockTolerance: CLOCK_TOLERANCE_S,
        maxTokenAge: LOGOUT_MAX_AGE_S,
      })
      return { issuer: new URL(issuer).href, subject: logoutClaims.parse(payload).sub }
    } catch (error) {
      throw this.#refusal(error, { what: 'sign-out' })
    }
  }

  /** Keys that are read at most once in half a minute, however many tokens name an unknown one. */
  #keysAt(url: string): JWTVerifyGetKey {
    if (this.#keys?.url !== url)
      this.#keys = { url, get: createRemoteJWKSet(new URL(url), { timeoutDuration: TIMEOUT_S * 1_000 }) }
    return this.#keys.get
  }

  /** A browser that was left signed in at the provider must not sign in here. Some providers do not tell. */
  #requireRecent(authenticatedAtS: number | undefined): void {
    if (authenticatedAtS === undefined) return
    // The provider's time is compared with the machine's, as the library does.
    if (Date.now() / 1_000 - authenticatedAtS <= MAX_AGE_S + CLOCK_TOLERANCE_S) return
    throw signInFailed(`Your sign-in at ${this.name} is too long ago; sign out there and begin again.`)
  }

  async #discovered(): Promise<Configuration> {
    const nowMs = this.#services.clock.now()
    if (this.#metadata === null || nowMs >= this.#metadata.untilMs) {
      this.#metadata = { reading: this.#discover(), untilMs: nowMs + METADATA_MS }
    }
    const known = this.#metadata
    try {
      return await known.reading
    } catch (error) {
      if (this.#metadata === known) this.#metadata = null // a failure is not remembered
      throw this.#refusal(error, { isUnreachable: true })
    }
  }

  async #discover(): Promise<Configuration> {
    const client = await openIdClient()
    const { issuer, clientId, clientSecret } = this.#settings
    return client.discovery(
      new URL(issuer),
      clientId,
      { [client.clockTolerance]: CLOCK_TOLERANCE_S },
      // Basic is what a provider takes that names nothing else.
      (server, ...rest) => {
        const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
        const way = methods.includes('client_secret_basic') ? client.ClientSecretBasic : client.ClientSecretPost
        return way(clientSecret)(server, ...rest)
      },
      {
        timeout: TIMEOUT_S,
        // Without these checks the library trusts the connection instead of the signature.
        execute: [
          client.enableNonRepudiationChecks,
          ...(this.#services.environment === 'local' ? [client.allowInsecureRequests] : []),
        ],
      },
    )
  }

  /** The error for the person, logged for the operator; without the provider's answer, which may hold tokens. */
  #refusal(
    error: unknown,
    { what = 'sign-in', isUnreachable = false }: { what?: 'sign-in' | 'sign-out'; isUnreachable?: boolean } = {},
  ): ApiError {
    if (error instanceof ApiError) return error
    const { message, code, cause, answer } = described(error)
    const isRefused = code === CHALLENGE || (code === ERROR_ANSWER && answer !== undefined && ofClient.has(answer))
    this.#services.log.warn(
      isRefused
        ? { reason: 'TILLWRIGHT_OPENID_CLIENT_ID or TILLWRIGHT_OPENID_CLIENT_SECRET: the provider refuses them' }
        : { reason: message, code, cause },
      `a ${what} by OpenID Connect has failed`,
    )
    const { name } = this
    const otherwise = 'sign in with a passkey or a recovery code'
    if (isRefused)
      return new ApiError('upstream_failed', `${name} refuses this platform; tell its operator, and ${otherwise}.`)
    if (isUnreachable || (code !== undefined && unreachable.has(code)) || message === 'fetch failed')
      return new ApiError('upstream_failed', `${name} cannot be reached; ${otherwise}, or try again in a moment.`)
    if (what === 'sign-out') return signInFailed(`This is no logout token of ${name} for this platform.`)
    return signInFailed(`${name} has not confirmed who you are; begin again.`)
  }
}

/** How the library names answers of the provider itself; what a browser brings along has another code. */
const CHALLENGE = 'OAUTH_WWW_AUTHENTICATE_CHALLENGE'
const ERROR_ANSWER = 'OAUTH_RESPONSE_BODY_ERROR'
/** Errors that mean the platform and not the person. Source: RFC 6749 section 5.2. */
const ofClient: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client'])

const unreachable: ReadonlySet<string> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  // Its keys, as `jose` reads them.
  'ERR_JWKS_TIMEOUT',
  'ERR_JWKS_INVALID',
  'ERR_JOSE_GENERIC',
])

function described(error: unknown): Record<'code' | 'cause' | 'answer', string | undefined> & { message: string } {
  if (!(error instanceof Error)) return { message: 'unknown', code: undefined, cause: undefined, answer: undefined }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const answer = 'error' in error && typeof error.error === 'string' ? error.error : undefined
  return { message: error.message, code, answer, cause: error.cause instanceof Error ? error.cause.message : undefined }
}

/**
 * Derives the values that bind a sign-in to its browser. One of them, read in a URL or a token, does not reveal the
 * others.
 */
function secretsOf(ceremony: string): { state: string; nonce: string; verifier: string } {
  const derived = (purpose: string) => createHmac('sha256', ceremony).update(purpose).digest('base64url')
  return { state: derived('state'), nonce: derived('nonce'), verifier: derived('verifier') }
}
