import { requiredText, textOf, type EmvMessage, type MessageVersion } from '@tillwright/emv-3ds'
import { transStatus } from '@tillwright/contract'
import type { z } from 'zod'

const decided = transStatus.exclude(['C', 'I', 'D'])

/** What came of a challenge, as far as it is acted on. Source: EMV 3DS 2.2.0, RReq. */
export interface ResultRequest {
  messageVersion: MessageVersion
  threeDSServerTransID: string
  acsTransID: string
  dsTransID: string
  transStatus: z.output<typeof decided>
  /** Two digits, or `null`. */
  transStatusReason: string | null
  /** Base64 of 20 bytes; `null` where nobody was authenticated. */
  authenticationValue: string | null
  /** Why the challenge ended before the cardholder had answered, or `null`. */
  challengeCancel: string | null
}

/** @param rreq A checked RReq: its table requires what is required here. */
export function resultRequestOf(rreq: EmvMessage): ResultRequest {
  return {
    messageVersion: rreq.messageVersion,
    threeDSServerTransID: requiredText(rreq, 'threeDSServerTransID'),
    acsTransID: requiredText(rreq, 'acsTransID'),
    dsTransID: requiredText(rreq, 'dsTransID'),
    transStatus: decided.parse(requiredText(rreq, 'transStatus')),
    transStatusReason: textOf(rreq, 'transStatusReason') ?? null,
    authenticationValue: textOf(rreq, 'authenticationValue') ?? null,
    challengeCancel: textOf(rreq, 'challengeCancel') ?? null,
  }
}
