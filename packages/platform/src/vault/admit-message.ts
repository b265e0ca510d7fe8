import { ApiError } from '../ambient/api-error.ts'
import type { Call } from '../call.ts'
import type { CardTries } from './card-tries.ts'
import { grantPass, hasPass } from './frame-passes.ts'
import type { VerifyChallenge } from './siteverify.ts'

/** What decides whether a form may send one more message. */
export interface Gate {
  cardTries: CardTries
  /** `null` where the operator has set up no challenge: then nobody is asked for one. */
  verifyChallenge: VerifyChallenge | null
}

/** A message of a form: its session, and the answer to a challenge when there is one. */
export interface Sent {
  session: string
  challengeResponse?: string | undefined
}

/**
 * Counts a message of a form, and asks for a challenge where there have been many from its form or address, or in the
 * account's shops. Where no challenge is set up, a form or address that has sent many has to wait while the account is
 * under pressure.
 *
 * @throws {ApiError} `rate_limit_exceeded`; `challenge_required` when there is no answer to the challenge or a wrong one;
 *   `upstream_failed` when nobody could judge it.
 */
export async function admitMessage({ session, challengeResponse }: Sent, gate: Gate, call: Call): Promise<void> {
  const { cardTries, verifyChallenge } = gate
  const { many, pressed, retryAfterS } = await cardTries.count({
    session,
    address: call.address,
    account: call.caller,
  })
  if (verifyChallenge === null) {
    if (many && pressed) throw tooMany(retryAfterS)
    return
  }
  if ((!many && !pressed) || (await hasPass(session, call))) return
  if (challengeResponse === undefined)
    throw required('Many cards were sent from here; solve the challenge and send again.')
  const isSolved = await verifyChallenge(challengeResponse, call.address)
  if (!isSolved) throw required('The challenge was not solved; solve a new one and send again.')
  await grantPass(session, call)
}

function required(message: string): ApiError {
  return new ApiError('challenge_required', message, { param: 'challengeResponse' })
}

function tooMany(retryAfterS: number): ApiError {
  return new ApiError(
    'rate_limit_exceeded',
    `Too many cards were sent from here while this shop is sent unusually many; the next one is welcome in ${retryAfterS} s.`,
    { headers: { 'Retry-After': String(retryAfterS) } },
  )
}
