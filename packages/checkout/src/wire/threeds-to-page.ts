import { isText, nullable, oneOf } from './guards.ts'
import type { Message } from './parse-message.ts'

/**
 * How an authentication ended, as the platform tells it; `pending` when it is not over: with a bank that has not told its
 * result yet.
 */
export const threedsOutcomes = [
  'authenticated',
  'attempted',
  'failed',
  'rejected',
  'cancelled',
  'timed_out',
  'unavailable',
  'informational',
  'pending',
] as const

/** How an authentication ended. */
export type ThreedsOutcome = (typeof threedsOutcomes)[number]

/**
 * What goes on, in this order; steps may be left out, and none comes twice. `challenge` shows the bank's page, `decoupled`
 * that the bank asks in its app: never both.
 */
export const threedsSteps = ['method', 'authenticate', 'challenge', 'decoupled', 'result'] as const

/** A step of an authentication. */
export type ThreedsStep = (typeof threedsSteps)[number]

/** Every message from the 3-D Secure frame to the page. */
export const threedsToPage = {
  /** `title` is what the frame calls itself, in the buyer's language. */
  step: { step: oneOf(threedsSteps), title: isText },
  done: { outcome: oneOf(threedsOutcomes), status: isText, transStatus: nullable(isText) },
  /** `message` is the vault's own, in English; empty when the vault could not be reached. */
  failed: { message: isText },
}

/** A message from the 3-D Secure frame to the page. */
export type ThreedsToPage = Message<typeof threedsToPage>
