import type { Payment } from '@tillwright/contract'
import type { Answer } from '../accounts/idempotency-keys.ts'
import type { Parts, Reply } from '../call.ts'
import type { Row } from '../storage/database.ts'
import { answerClaim } from './answer-claim.ts'
import { buyersUntilMs, leaveToBuyer } from './leave-to-buyer.ts'
import { readPayment } from './read-payment.ts'
import { CONTINUE_WITHIN_MS, withNextAction } from './require-authentication.ts'

/** How many are looked for at a time. */
const AT_ONCE = 100

/**
 * Answers for payments that wait for their buyers, and whose process died before it could: they go on waiting, and whoever
 * asks again under the same key is told how to go on.
 *
 * @param before Whose lease ended before this time, in Unix milliseconds.
 * @param answerFor Makes the response of a reply, as whoever asked for the payment is told.
 */
export async function recoverWaiting(
  before: number,
  parts: Parts,
  answerFor: (payment: Payment, reply: Reply<Payment>) => Answer,
): Promise<void> {
  for (const row of await parts.db.read(selectUnanswered, [before, CONTINUE_WITHIN_MS, AT_ONCE])) {
    const payment = await readPayment(String(row['id']), String(row['account_id']), parts.db)
    if (payment?.status !== 'requires_action') continue
    const answer = answerFor(payment, { body: withNextAction(payment, parts) })
    await parts.db.write(answerWrites(payment, { row, answer }))
    parts.log.info({ paymentId: payment.id }, 'recovered a payment that waits for its buyer')
  }
}

/** Of those that were answered the lease ends with the buyer's time. */
const selectUnanswered = `SELECT p.account_id, p.id, p.idempotency_key, s.expires_at
  FROM payments p JOIN threeds_sessions s ON s.account_id = p.account_id AND s.id = p.threeds_session_id
  WHERE p.status = 'requires_action' AND p.lease_until < ? AND p.lease_until < s.expires_at + ?
  ORDER BY p.lease_until LIMIT ?`

function answerWrites(payment: Payment, { row, answer }: { row: Row; answer: Answer }) {
  const { accountId } = payment
  const key = row['idempotency_key']
  const left = leaveToBuyer(payment, buyersUntilMs({ expiresAtMs: Number(row['expires_at']) }))
  return typeof key === 'string' ? [left, answerClaim({ accountId, key }, answer)] : [left]
}
