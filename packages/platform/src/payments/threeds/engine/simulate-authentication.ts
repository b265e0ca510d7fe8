import { createHash } from 'node:crypto'
import type { TransStatus } from '@tillwright/contract'
import { uuidOf } from '../../../ambient/uuid.ts'
import type { MESSAGE_VERSION } from '../emv-request.ts'
import type { AuthenticationRequest } from '../provider.ts'
import { scenarioOf } from './test-cards.ts'

/** The fields of an ARes that the engine fills. Source: EMV 3DS 2.2.0, ARes. */
export interface EmvResponse {
  threeDSServerTransID: string
  messageVersion: typeof MESSAGE_VERSION
  dsTransID: string
  acsTransID: string
  transStatus: TransStatus
  transStatusReason?: string
  authenticationValue?: string
  acsURL?: string
}

/**
 * The built-in engine: directory server and issuer in one, with neither a network nor a memory. All of its answer comes
 * from the card's last four digits and the transaction id, so that who asks again is answered the same.
 *
 * @param challengeUrl The address under which challenges take place; the issuer's transaction id is added to it.
 */
export function simulateAuthentication({ message, card }: AuthenticationRequest, challengeUrl: string): EmvResponse {
  const { threeDSServerTransID, messageVersion } = message
  const scenario = scenarioOf(card.last4)
  const acsTransID = uuidOf(drawn('acs', threeDSServerTransID))
  return {
    threeDSServerTransID,
    messageVersion,
    dsTransID: uuidOf(drawn('ds', threeDSServerTransID)),
    acsTransID,
    ...scenario,
    ...(/[YA]/.test(scenario.transStatus) && { authenticationValue: proof(threeDSServerTransID) }),
    ...(scenario.transStatus === 'C' && { acsURL: `${challengeUrl}/${acsTransID}` }),
  }
}

/** A cryptogram of the real one's size: 20 bytes, 28 characters of base64. It proves nothing to anybody. */
function proof(transactionId: string): string {
  return drawn('proof', transactionId).subarray(0, 20).toString('base64')
}

function drawn(what: string, transactionId: string): Buffer {
  return createHash('sha256').update(`${what} ${transactionId}`).digest()
}
