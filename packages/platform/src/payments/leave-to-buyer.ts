import type { Payment } from '@tillwright/contract'
import type { Write } from '../call.ts'
import { CONTINUE_WITHIN_MS } from './require-authentication.ts'
import type { SessionRecord } from './threeds/session-record.ts'

/** Until when a payment is its buyer's that waits for a session, in Unix milliseconds: then somebody ends it. */
export function buyersUntilMs({ expiresAtMs }: Pick<SessionRecord, 'expiresAtMs'>): number {
  return expiresAtMs + CONTINUE_WITHIN_MS
}

/**
 * The statement that leaves a waiting payment to its buyer, in the unit that answers whoever asked for it. Until then its
 * lease is that of any payment that is being worked on, so that recovery finds the ones that nobody has answered.
 */
export function leaveToBuyer({ accountId, id }: Pick<Payment, 'accountId' | 'id'>, untilMs: number): Write {
  return {
    sql: `UPDATE payments SET lease_until = ? WHERE account_id = ? AND id = ? AND status = 'requires_action'`,
    params: [untilMs, accountId, id],
  }
}
