import type { DisputeKind } from '@tillwright/contract'
import type { Parts } from '../../call.ts'
import { emitterAt } from '../../events/emitter-at.ts'
import type { Row, Statement } from '../../storage/database.ts'
import { refundableAmount } from '../follow-ups/follow-up.ts'
import { openDispute } from './open-dispute.ts'
import { readPayment } from '../read-payment.ts'
import { withoutErrors } from '../without-errors.ts'

/** How many are opened at a time. */
const AT_ONCE = 100

/** Opens the disputes of cards that are always disputed, as a processor's message about them would. */
export async function openSimulatedDisputes(parts: Parts): Promise<void> {
  const rows = await parts.db.read(selectDisputed, [AT_ONCE])
  for (const row of rows) await openOne(row, parts)
}

/** Whoever is refused was not needed: another process has opened it, or the payment has changed, and is looked at again. */
async function openOne(row: Row, parts: Parts): Promise<void> {
  const accountId = String(row['account_id'])
  const payment = await readPayment(String(row['payment_id']), accountId, parts.db)
  if (payment === null) return
  const amount = refundableAmount(payment)
  const kind = String(row['dispute']) as DisputeKind // written from this union alone
  const wanted = { kind, amount, reason: 'fraudulent', reference: null }
  const { writes } = amount === 0 ? { writes: [] } : openDispute(payment, wanted, emitterAt(accountId, parts))
  await parts.db.write([...withoutErrors(writes), told(row)])
}

/** The simulator says it once. */
function told(row: Row): Statement {
  return {
    sql: 'UPDATE simulator_charges SET dispute = NULL WHERE attempt_id = ? AND dispute IS NOT NULL',
    params: [String(row['attempt_id'])],
    expect: 1,
  }
}

/** Charges whose payment has noticed that it was captured. */
const selectDisputed = `SELECT s.attempt_id, s.dispute, a.account_id, a.payment_id FROM simulator_charges s
  JOIN processors p ON p.id = s.processor_id
  JOIN payment_attempts a ON a.account_id = p.account_id AND a.id = s.attempt_id
  JOIN payments m ON m.account_id = a.account_id AND m.id = a.payment_id AND m.captured_amount > 0
  WHERE s.dispute IS NOT NULL LIMIT ?`
