import { transStatus } from '@tillwright/contract'
import { requiredText, textOf, type EmvMessage } from '@tillwright/emv-3ds'
import { vendorBOutcomes, type VendorBAnswer } from './vendor-b.ts'

/** @returns A checked ARes in the words of vendor B. */
export function answerAsVendorB(ares: EmvMessage): VendorBAnswer {
  const reasonCode = textOf(ares, 'transStatusReason')
  const cavv = textOf(ares, 'authenticationValue')
  const challengeUrl = textOf(ares, 'acsURL')
  return {
    transactionId: requiredText(ares, 'threeDSServerTransID'),
    result: {
      outcome: vendorBOutcomes[transStatus.parse(ares['transStatus'])],
      ...(reasonCode !== undefined && { reasonCode }),
      ...(cavv !== undefined && { cavv }),
    },
    directoryServer: { transactionId: requiredText(ares, 'dsTransID') },
    issuer: { transactionId: requiredText(ares, 'acsTransID'), ...(challengeUrl !== undefined && { challengeUrl }) },
    version: ares.messageVersion,
  }
}
