import { vendorBOutcomes, type VendorBAnswer } from '../vendors/vendor-b.ts'
import type { EmvResponse } from './simulate-authentication.ts'

/** The engine's answer in the words of vendor B. */
export function answerAsVendorB(response: EmvResponse): VendorBAnswer {
  const { acsURL, transStatusReason, authenticationValue } = response
  return {
    transactionId: response.threeDSServerTransID,
    result: {
      outcome: vendorBOutcomes[response.transStatus],
      ...(transStatusReason !== undefined && { reasonCode: transStatusReason }),
      ...(authenticationValue !== undefined && { cavv: authenticationValue }),
    },
    directoryServer: { transactionId: response.dsTransID },
    issuer: { transactionId: response.acsTransID, ...(acsURL !== undefined && { challengeUrl: acsURL }) },
    version: response.messageVersion,
  }
}
