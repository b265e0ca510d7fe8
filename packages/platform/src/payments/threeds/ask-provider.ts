import { ApiError } from '../../ambient/api-error.ts'
import { faultOf } from '../../ambient/fault.ts'
import type { Call, Parts } from '../../call.ts'
import { isIssuerAddress } from '../../vault/issuer-addresses.ts'
import type { Authentication, AuthenticationRequest, Authenticator } from './provider.ts'

/** How long a provider may take: well under the lease of a session, so that nobody else asks meanwhile. */
const PROVIDER_TIMEOUT_MS = 30_000

/** What came of asking. Without an answer nothing is known, and the session may be authenticated again. */
export type Asked = { outcome: 'answered'; authentication: Authentication } | { outcome: 'unanswered'; error: ApiError }

/** Asks a provider, and goes wrong the way the request wants it to (`call.fault`). */
export async function askProvider(
  request: AuthenticationRequest,
  provider: Authenticator,
  { parts, fault }: Pick<Call, 'parts' | 'fault'>,
): Promise<Asked> {
  const answered = new AbortController()
  const tooLate = parts.clock.until(parts.clock.now() + PROVIDER_TIMEOUT_MS, answered.signal).then(() => timedOut())
  try {
    switch (faultOf('threeds', fault)) {
      case 'threeds=outage':
        return failed()
      case 'threeds=timeout':
        return timedOut()
      case null:
        return await Promise.race([answerOf(request, provider, parts), tooLate])
    }
  } catch (error) {
    const { threeDSServerTransID: transactionId } = request.message
    parts.log.error({ err: error, transactionId }, 'a 3-D Secure provider gave no answer')
    return failed()
  } finally {
    answered.abort('answered') // without a reason an error would be made each time, with its stack
  }
}

/** A challenge where no browser may be sent is no answer: nobody would ever come of it. */
async function answerOf(
  request: AuthenticationRequest,
  provider: Authenticator,
  { environment }: Pick<Parts, 'environment'>,
): Promise<Asked> {
  const authentication = await provider.authenticate(request)
  const { acsChallengeUrl } = authentication
  if (acsChallengeUrl === null || isIssuerAddress(acsChallengeUrl, environment))
    return { outcome: 'answered', authentication }
  throw new Error('The challenge is at an address that no browser may be sent to: it is not HTTPS.')
}

function failed(): Asked {
  const message = 'The 3-D Secure provider could not answer; authenticate the session again in a moment.'
  return { outcome: 'unanswered', error: new ApiError('upstream_failed', message) }
}

function timedOut(): Asked {
  const message = 'The 3-D Secure provider did not answer in time; authenticate the session again in a moment.'
  return { outcome: 'unanswered', error: new ApiError('upstream_timeout', message) }
}
