import { MESSAGE_VERSIONS, type MessageVersion } from '@tillwright/emv-3ds'
import { type EmvRequest, MESSAGE_VERSION } from './emv-request.ts'

/**
 * The version for a request: the recommended one if the issuer speaks it, else the newest that both speak.
 *
 * @param spoken The versions that the issuer speaks of ours, oldest first; `null` if that is not known.
 */
export function versionFor(
  recommended: MessageVersion | null | undefined,
  spoken: readonly MessageVersion[] | null,
): MessageVersion {
  const both = spoken ?? MESSAGE_VERSIONS
  return both.find((version) => version === recommended) ?? both.at(-1) ?? MESSAGE_VERSION
}

/** The nearest 2.1.0 equivalents of values added in 2.2.0. Source: EMV 3DS 2.2.0, threeDSRequestorChallengeInd. */
const formerWishes = new Map([
  ['05', '02'], // no challenge: the risk was weighed
  ['06', '02'], // no challenge: data only
  ['07', '02'], // no challenge: authenticated already
  ['08', '02'], // no challenge: on the cardholder's list
  ['09', '03'], // a challenge, with the question for the list
])

/** Browser data that 2.1.0 requires even of a browser of which nothing is known. */
const unknownScripted = {
  browserJavaEnabled: false,
  browserColorDepth: '24',
  browserScreenHeight: '0',
  browserScreenWidth: '0',
  browserTZ: '0',
} as const

/**
 * A request in the version that an issuer speaks. A 2.1.0 issuer ignores the fields that are new in 2.2.0, but not the
 * codes; that it may ask the buyer elsewhere is not said to one who could not.
 */
export function inVersion(request: EmvRequest, version: MessageVersion): EmvRequest {
  if (version === request.messageVersion) return request
  const {
    threeDSRequestorChallengeInd: wish,
    threeDSRequestorDecReqInd: _asked,
    threeDSRequestorDecMaxTime: _minutes,
    ...same
  } = request
  return {
    ...unknownScripted,
    ...same,
    messageVersion: version,
    threeDSRequestorChallengeInd: formerWishes.get(wish) ?? wish,
  }
}
