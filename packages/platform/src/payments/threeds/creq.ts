import { z } from 'zod'
import type { BrowserData } from '@tillwright/contract'
import type { EmvRequest } from './emv-request.ts'

/** How large the window of a challenge is. Source: EMV 3DS 2.2.0, challengeWindowSize. */
export type WindowSize = BrowserData['challengeWindowSize']

/** The challenge window as large as the page. */
const FULL_SCREEN: WindowSize = '05'

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
  return encode(creq)
}

/** The same challenge request for a window of another size. */
export function inWindow(creq: string, challengeWindowSize: WindowSize): string {
  return encode({ ...decode(creq), challengeWindowSize })
}

/** The size of the window that a challenge request names; the whole page for one that names none. */
export function windowSizeOf(creq: string): WindowSize {
  return decode(creq).challengeWindowSize ?? FULL_SCREEN
}

function encode(creq: object): string {
  return Buffer.from(JSON.stringify(creq)).toString('base64url')
}

const challengeRequest = z.looseObject({ challengeWindowSize: z.enum(['01', '02', '03', '04', '05']).optional() })

function decode(creq: string) {
  return challengeRequest.parse(JSON.parse(Buffer.from(creq, 'base64url').toString()))
}
