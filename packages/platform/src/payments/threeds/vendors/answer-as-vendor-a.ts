import { requiredText, textOf, type EmvMessage } from '@tillwright/emv-3ds'
import { encodeCreq } from '../creq.ts'
import type { VendorAAnswer } from './vendor-a.ts'

/** @returns A checked ARes in the words of vendor A. */
export function answerAsVendorA(ares: EmvMessage): VendorAAnswer {
  const acsUrl = textOf(ares, 'acsURL')
  const threeDSServerTransID = requiredText(ares, 'threeDSServerTransID')
  const acsTransID = requiredText(ares, 'acsTransID')
  const creq = encodeCreq({ threeDSServerTransID, acsTransID, messageVersion: ares.messageVersion })
  return {
    server_trans_id: threeDSServerTransID,
    trans_status: requiredText(ares, 'transStatus'),
    trans_status_reason: textOf(ares, 'transStatusReason') ?? null,
    authentication_value: textOf(ares, 'authenticationValue') ?? null,
    ds_trans_id: requiredText(ares, 'dsTransID'),
    acs_trans_id: acsTransID,
    protocol_version: ares.messageVersion,
    acs_challenge_url: acsUrl ?? null,
    encoded_creq: acsUrl === undefined ? null : creq,
  }
}
