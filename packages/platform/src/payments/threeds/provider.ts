import { transStatus } from '@tillwright/contract'
import { z } from 'zod'
import { isAuthenticationValue, isCode } from '@tillwright/emv-3ds'
import type { CardRow } from '../../vault/card-row.ts'
import { isChallengeRequest } from './creq.ts'
import type { EmvRequest } from './emv-request.ts'

/** One try to authenticate a cardholder. The message's transaction id makes a repetition harmless. */
export interface AuthenticationRequest {
  message: EmvRequest
  /** What may be known of the card without its number. */
  card: CardRow
  /** What a preview wants, which the built-in engine follows whatever the card is. */
  preset?: string
}

/**
 * What a provider's answer comes to. An authentication and the attempt at one carry their proof, a challenge carries
 * where it takes place: an answer without them is none. The indicator (ECI) is not taken from a provider.
 */
export const authentication = z
  .object({
    transStatus,
    transStatusReason: z.string().refine(isCode, 'is no code of two digits').nullable(),
    authenticationValue: z.string().refine(isAuthenticationValue, 'is no proof').nullable(),
    dsTransactionId: z.uuid().nullable(),
    acsTransactionId: z.uuid().nullable(),
    threeDsVersion: z.string().regex(/^2\.\d\.\d$/),
    acsChallengeUrl: z
      .url({ protocol: /^https?$/ })
      .max(2_048)
      .nullable(),
    creq: z.base64url().refine(isChallengeRequest, 'is no challenge request').nullable(),
  })
  .refine((answer) => !/[YA]/.test(answer.transStatus) || answer.authenticationValue !== null, 'the proof is missing')
  .refine(
    (answer) => answer.transStatus !== 'C' || (answer.acsChallengeUrl !== null && answer.creq !== null),
    'the challenge is missing',
  )
export type Authentication = z.output<typeof authentication>

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
