import { timingSafeEqual } from 'node:crypto'
import type { ChallengePreference, RecurringInfo, ThreedsProviderName } from '@tillwright/contract'
import type { MessageVersion, TransStatus } from '@tillwright/emv-3ds'
import type { CardOwner, RequestContext, Services } from '../request-context.ts'
import { ApiError, type SecretBox } from '../runtime/index.ts'
import { type CardRow, readCard } from '../vault/index.ts'
import type { EmvRequest } from './emv-request.ts'
import { findSession, type StoredSession } from './session-records.ts'

/** An attempt to authenticate a cardholder. The message's transaction id makes it safe to repeat. */
export interface AuthenticationRequest {
  message: EmvRequest
  /** The card's details without its number. */
  card: CardRow
  /** The version that the session's creator recommends. */
  recommendedVersion?: MessageVersion | null
  /** The outcome a preview asks for; the simulated bank follows it whatever the card is. */
  preset?: string
}

/** The outcome of an ARes. */
export interface Authentication {
  transStatus: TransStatus
  /** Two digits. */
  transStatusReason: string | null
  /** Two digits as the directory tells them, or `null`. They count for brands alone whose values are not known here. */
  eci: string | null
  /** Base64 of 20 bytes: there whenever a payment was authenticated or attempted. */
  authenticationValue: string | null
  dsTransactionId: string
  acsTransactionId: string
  threeDsVersion: string
  /** Where the challenge takes place, and the CReq that begins it, in base64url: there whenever there is a challenge. */
  acsChallengeUrl: string | null
  creq: string | null
}

/** The part of a provider that authenticates. */
export type Authenticator = Pick<ThreedsProvider, 'authenticate'>

/**
 * A service that speaks to the directory servers. A rejected promise means that there is no answer: ask again, with the
 * same transaction id, and the answer will be the one that was lost.
 */
export interface ThreedsProvider {
  /** The method page of a card's issuer, which is loaded before the authentication; `null` when it has none. */
  methodUrl(card: { number: string; brand: string }): Promise<string | null>
  authenticate(request: AuthenticationRequest): Promise<Authentication>
}

/** The provider of each name, `null` where none is configured. */
export type ThreedsProviders = (name: ThreedsProviderName) => Promise<ThreedsProvider | null>

/** Stands for a card's number in messages that another process completes. */
export const LEFT_TO_VAULT = ''

/** Authenticates a card whose number the message lacks. Plain JSON both ways. */
export type AuthenticateCard = (asked: {
  provider: ThreedsProviderName
  owner: CardOwner
  request: AuthenticationRequest
}) => Promise<Authentication>

/** Completes a message with the card's number and sends it, in a process that holds the card key. */
export async function authenticateCard(
  { provider: name, owner, request }: Parameters<AuthenticateCard>[0],
  services: Services,
  providers: ThreedsProviders,
): Promise<Authentication> {
  const [provider, { number }] = await Promise.all([
    requireProvider(name, providers),
    readCard(owner.cardId, owner.accountId, services),
  ])
  return provider.authenticate({ ...request, message: { ...request.message, acctNumber: number } })
}

/** Seconds after which a caller may look again whether a provider has been configured. */
const RETRY_AFTER_S = 3_600

/** @throws {ApiError} `unavailable` where no provider of the name is configured. */
export async function requireProvider(
  name: ThreedsProviderName,
  providers: ThreedsProviders,
): Promise<ThreedsProvider> {
  const provider = await providers(name)
  if (provider !== null) return provider
  throw new ApiError('unavailable', `The 3-D Secure provider '${name}' is not configured here; ask the operator.`, {
    headers: { 'Retry-After': String(RETRY_AFTER_S) },
  })
}

/**
 * Refuses a series that is over already.
 *
 * @throws {ApiError} `parameter_invalid` for an expiration before today, in UTC.
 */
export function requireUnexpired(recurringInfo: RecurringInfo | undefined, nowMs: number): void {
  if (recurringInfo === undefined) return
  const [last, today] = [recurringInfo.expiration, new Date(nowMs).toISOString().slice(0, 10)]
  if (last.replaceAll('-', '') >= today.replaceAll('-', '')) return
  const param = 'recurringInfo.expiration'
  throw new ApiError('parameter_invalid', `${param} is in the past; send today or a later day.`, { param })
}

/** Whether the merchant demands a challenge, as a law may require. */
export function isMandated(preference: ChallengePreference): boolean {
  return preference === 'challenge-mandated' || preference === '04'
}

/** How long after a session's time its frame is still told how it ended. */
const TOLD_FOR_MS = 10 * 60 * 1_000

/** A session of a payment, for the frame in the buyer's browser. */
export type BrowserSession = StoredSession & { paymentId: string }

/**
 * The session that an action token opens to the frame of a publishable key.
 *
 * @throws {ApiError} `token_invalid` for a token that was not signed here or belongs to another account or store,
 *   `token_expired` when the session's time is long over.
 */
export async function openSession(
  actionToken: string,
  { caller, services, nowMs }: Pick<RequestContext, 'caller' | 'services' | 'nowMs'>,
): Promise<BrowserSession> {
  const session = await findSession(sessionIdOf(actionToken, { caller, services }), caller.accountId, services.db)
  if (session === null || session.paymentId === null) throw invalid()
  if (caller.storeId !== null && caller.storeId !== session.storeId) throw invalid()
  if (session.expiresAtMs + TOLD_FOR_MS > nowMs) return { ...session, paymentId: session.paymentId }
  throw new ApiError('token_expired', 'The authentication was not completed in time; pay again.', { param: PARAM })
}

/** @throws {ApiError} `token_invalid` for a token that was not signed here or belongs to another account. */
export function sessionIdOf(
  actionToken: string,
  { caller, services }: Pick<RequestContext, 'caller' | 'services'>,
): string {
  const subject = readActionToken(actionToken, services.secrets)
  if (subject === null || subject.accountId !== caller.accountId) throw invalid()
  return subject.sessionId
}

const PARAM = 'actionToken'

function invalid(): ApiError {
  const message =
    'This actionToken is not valid here: pass on the nextAction.actionToken of the payment, with the publishable key of its store.'
  return new ApiError('token_invalid', message, { param: PARAM })
}

/** The one session that an action token opens. */
export interface ActionSubject {
  accountId: string
  sessionId: string
}

/**
 * The token that a shop's server gives to its page: account and session in base64url, and their HMAC-SHA256. The same
 * session has the same token, and how long it is good is for the session to say.
 */
export function signActionToken({ accountId, sessionId }: ActionSubject, secrets: SecretBox): string {
  const payload = Buffer.from(JSON.stringify([accountId, sessionId])).toString('base64url')
  return `${payload}.${secrets.sign(PURPOSE, payload).toString('base64url')}`
}

/** The subject of a token that was signed here; `null` for anything else. */
export function readActionToken(token: string, secrets: SecretBox): ActionSubject | null {
  const [, payload = '', sent = ''] = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/.exec(token) ?? []
  const given = Buffer.from(sent, 'base64url')
  const isSigned = secrets
    .signatures(PURPOSE, payload)
    .some((each) => each.length === given.length && timingSafeEqual(each, given))
  if (!isSigned || given.toString('base64url') !== sent) return null
  const [accountId, sessionId] = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return { accountId, sessionId }
}

const PURPOSE = 'threeds action'
