import type { TransStatus } from '@tillwright/contract'
import { z } from 'zod'
import { encodeCreq } from '../creq.ts'
import { authentication, type AuthenticationRequest, type Authenticator } from '../provider.ts'
import { requireTransaction } from './require-transaction.ts'

/** The answer of vendor B: nested, the outcome in a word, and a challenge whose request is left to us. */
const vendorBAnswer = z.object({
  transactionId: z.string(),
  result: z.object({
    outcome: z.enum([
      'AUTHENTICATED',
      'ATTEMPTED',
      'NOT_AUTHENTICATED',
      'UNAVAILABLE',
      'REJECTED',
      'INFORMATIONAL',
      'CHALLENGE',
      'DECOUPLED',
    ]),
    reasonCode: z.string().optional(),
    cavv: z.string().optional(),
  }),
  directoryServer: z.object({ transactionId: z.string() }),
  issuer: z.object({ transactionId: z.string(), challengeUrl: z.string().optional() }),
  version: z.string(),
})
export type VendorBAnswer = z.input<typeof vendorBAnswer>

/** How vendor B says what EMV 3DS says in a letter. */
export const vendorBOutcomes: Readonly<Record<TransStatus, VendorBAnswer['result']['outcome']>> = {
  Y: 'AUTHENTICATED',
  A: 'ATTEMPTED',
  N: 'NOT_AUTHENTICATED',
  U: 'UNAVAILABLE',
  R: 'REJECTED',
  I: 'INFORMATIONAL',
  C: 'CHALLENGE',
  D: 'DECOUPLED',
}
const letters = new Map(Object.entries(vendorBOutcomes).map(([letter, word]) => [word, letter] as const))

/**
 * Vendor B as a provider.
 *
 * @param send Brings a request to it and its answer back.
 */
export function vendorB(send: (request: AuthenticationRequest) => Promise<unknown>): Authenticator {
  return {
    async authenticate(request) {
      const { transactionId, result, directoryServer, issuer, version } = vendorBAnswer.parse(await send(request))
      requireTransaction(transactionId, request)
      const { threeDSServerTransID, messageVersion } = request.message
      const ids = { threeDSServerTransID, messageVersion, acsTransID: issuer.transactionId }
      return authentication.parse({
        transStatus: letters.get(result.outcome),
        transStatusReason: result.reasonCode ?? null,
        authenticationValue: result.cavv ?? null,
        dsTransactionId: directoryServer.transactionId,
        acsTransactionId: issuer.transactionId,
        threeDsVersion: version,
        acsChallengeUrl: issuer.challengeUrl ?? null,
        creq: issuer.challengeUrl === undefined ? null : encodeCreq(ids),
      })
    },
  }
}
