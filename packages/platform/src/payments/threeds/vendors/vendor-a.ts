import { z } from 'zod'
import { authentication, type AuthenticationRequest, type Authenticator } from '../provider.ts'
import { requireTransaction } from './require-transaction.ts'

/** The answer of vendor A: one flat object, the outcome by its letter, the challenge request ready to be posted. */
const vendorAAnswer = z.object({
  server_trans_id: z.string(),
  trans_status: z.string(),
  trans_status_reason: z.string().nullable(),
  authentication_value: z.string().nullable(),
  ds_trans_id: z.string(),
  acs_trans_id: z.string(),
  protocol_version: z.string(),
  acs_challenge_url: z.string().nullable(),
  encoded_creq: z.string().nullable(),
})
export type VendorAAnswer = z.input<typeof vendorAAnswer>

/**
 * Vendor A as a provider.
 *
 * @param send Brings a request to it and its answer back.
 */
export function vendorA(send: (request: AuthenticationRequest) => Promise<unknown>): Authenticator {
  return {
    async authenticate(request) {
      const answer = vendorAAnswer.parse(await send(request))
      requireTransaction(answer.server_trans_id, request)
      return authentication.parse({
        transStatus: answer.trans_status,
        transStatusReason: answer.trans_status_reason,
        authenticationValue: answer.authentication_value,
        dsTransactionId: answer.ds_trans_id,
        acsTransactionId: answer.acs_trans_id,
        threeDsVersion: answer.protocol_version,
        acsChallengeUrl: answer.acs_challenge_url,
        creq: answer.encoded_creq,
      })
    },
  }
}
