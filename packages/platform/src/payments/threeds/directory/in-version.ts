import type { MessageVersion } from '@tillwright/emv-3ds'
import type { EmvRequest } from '../emv-request.ts'

/** What comes nearest in 2.1.0 to a wish that came with 2.2.0. Source: EMV 3DS 2.2.0, threeDSRequestorChallengeInd. */
const formerWishes = new Map([
  ['05', '02'], // no challenge: the risk was weighed
  ['06', '02'], // no challenge: data only
  ['07', '02'], // no challenge: authenticated already
  ['08', '02'], // no challenge: on the cardholder's list
  ['09', '03'], // a challenge, with the question for the list
])

/**
 * A request as an issuer reads it that speaks a version. What is new in 2.2.0 a 2.1.0 issuer ignores, but for codes; that
 * it may ask the buyer elsewhere is not said to one who could not.
 */
export function inVersion(request: EmvRequest, version: MessageVersion): EmvRequest {
  if (version === request.messageVersion) return request
  const {
    threeDSRequestorChallengeInd: wish,
    threeDSRequestorDecReqInd: _asked,
    threeDSRequestorDecMaxTime: _minutes,
    ...same
  } = request
  return { ...same, messageVersion: version, threeDSRequestorChallengeInd: formerWishes.get(wish) ?? wish }
}
