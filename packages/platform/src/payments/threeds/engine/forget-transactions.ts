import type { Statement } from '../../../storage/database.ts'

/** How long the simulated issuer remembers an authentication in which nothing is due any more. */
const REMEMBERED_MS = 24 * 60 * 60 * 1_000

/** Forgets what the simulated issuer needs no more; what came of it stands in the session, which stays. */
export function forgetTransactions(nowMs: number): Statement {
  return {
    sql: 'DELETE FROM acs_transactions WHERE created_at <= ? AND due_at IS NULL',
    params: [nowMs - REMEMBERED_MS],
  }
}
