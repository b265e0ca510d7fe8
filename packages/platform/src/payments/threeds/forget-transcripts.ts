import type { Environment } from '@tillwright/contract'
import type { Statement } from '../../storage/database.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/**
 * How long the messages of a session are kept. They are for whoever looks into it, and name the buyer; what counts
 * afterwards (outcome, ids, ECI) stands in the session, which stays as long as its payment.
 */
const KEPT_MS: Readonly<Record<Environment, number>> = {
  local: DAY_MS,
  development: DAY_MS,
  production: 30 * DAY_MS,
}

/** Forgets messages whose time is over, the oldest of a session first. */
export function forgetTranscripts(nowMs: number, environment: Environment): Statement {
  return { sql: 'DELETE FROM threeds_messages WHERE at <= ?', params: [nowMs - KEPT_MS[environment]] }
}
