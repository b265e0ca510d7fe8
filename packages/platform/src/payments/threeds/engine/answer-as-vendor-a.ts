import { encodeCreq } from '../creq.ts'
import type { VendorAAnswer } from '../vendors/vendor-a.ts'
import type { EmvResponse } from './simulate-authentication.ts'

/** The engine's answer in the words of vendor A. */
export function answerAsVendorA(response: EmvResponse): VendorAAnswer {
  const { acsURL, transStatusReason, authenticationValue } = response
  return {
    server_trans_id: response.threeDSServerTransID,
    trans_status: response.transStatus,
    trans_status_reason: transStatusReason ?? null,
    authentication_value: authenticationValue ?? null,
    ds_trans_id: response.dsTransID,
    acs_trans_id: response.acsTransID,
    protocol_version: response.messageVersion,
    acs_challenge_url: acsURL ?? null,
    encoded_creq: acsURL === undefined ? null : encodeCreq(response),
  }
}
