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
 * Counts a message of a form, and asks for a challenge where there have been many.
 *
 * @throws {ApiError} `rate_limit_exceeded`; `challenge_required` when there is no answer to the challenge or a wrong one;
 *   `upstream_failed` when nobody could judge it.
 */
export async function admitMessage({ session, challengeResponse }: Sent, gate: Gate, call: Call): Promise<void> {
  const { cardTries, verifyChallenge } = gate
  const { many } = await cardTries.count(session)
  if (verifyChallenge === null) return
  const isCrowded = await cardTries.countSoft(call.address)
  if ((!many && !isCrowded) || (await hasPass(session, call))) return
  if (challengeResponse === undefined)
    throw required('Many cards were sent from here; solve the challenge and send again.')
  const isSolved = await verifyChallenge(challengeResponse, call.address)
  if (!isSolved) throw required('The challenge was not solved; solve a new one and send again.')
  await grantPass(session, call)
}

function required(message: string): ApiError {
  return new ApiError('challenge_required', message, { param: 'challengeResponse' })
}
