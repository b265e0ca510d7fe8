import type { EmvRequest } from './emv-request.ts'

/** The challenge window as large as the page. Source: EMV 3DS 2.2.0, challengeWindowSize. */
const FULL_SCREEN = '05'

/** The ids that tie a challenge to its authentication. */
export interface ChallengeIds extends Pick<EmvRequest, 'threeDSServerTransID' | 'messageVersion'> {
  acsTransID: string
}

/** A challenge request as the buyer's browser posts it: base64url of its JSON. Source: EMV 3DS 2.2.0, CReq. */
export function encodeCreq({ threeDSServerTransID, acsTransID, messageVersion }: ChallengeIds): string {
  const creq = {
    messageType: 'CReq',
    messageVersion,
    threeDSServerTransID,
    acsTransID,
    challengeWindowSize: FULL_SCREEN,
  }
  return Buffer.from(JSON.stringify(creq)).toString('base64url')
}
