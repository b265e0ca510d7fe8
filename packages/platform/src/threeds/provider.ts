import type { ThreedsProviderName } from '@tillwright/contract'
import type { MessageVersion, TransStatus } from '@tillwright/emv-3ds'
import { ApiError } from '../runtime/index.ts'
import type { CardRow } from '../vault/index.ts'
import type { EmvRequest } from './emv-request.ts'

/** One try to authenticate a cardholder. The message's transaction id makes a repetition harmless. */
export interface AuthenticationRequest {
  message: EmvRequest
  /** The card's details without its number. */
  card: CardRow
  /** The version that the session's creator recommends. */
  recommendedVersion?: MessageVersion | null
  /** The outcome a preview asks for; the simulated bank follows it whatever the card is. */
  preset?: string
}

/** The outcome of an ARes. The ECI is not taken from it: it follows from the card's brand. */
export interface Authentication {
  transStatus: TransStatus
  /** Two digits. */
  transStatusReason: string | null
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
 * Somebody who speaks to the directory servers. A rejected promise means that there is no answer: ask again, with the
 * same transaction id, and the answer will be the one that was lost.
 */
export interface ThreedsProvider {
  /** The method page of a card's issuer, which is loaded before the authentication; `null` when it has none. */
  methodUrl(card: { number: string; brand: string }): Promise<string | null>
  authenticate(request: AuthenticationRequest): Promise<Authentication>
}

/** The provider of each name, `null` where none is configured. */
export type ThreedsProviders = (name: ThreedsProviderName) => Promise<ThreedsProvider | null>

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
