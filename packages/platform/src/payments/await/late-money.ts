import type { Payment } from '@tillwright/contract'
import { emit, type Emitter, emitterAt } from '../../events/index.ts'
import {
  beginPostAuthorization,
  book,
  capturedAtOnce,
  emitterOf,
  eventFacts,
  movePayment,
  recordCapture,
  requireBalance,
} from '../../ledger/index.ts'
import type { Write } from '../../request-context.ts'
import { type Charging, lastAttempt, notePaidLate } from '../../routing/index.ts'
import { queryAttempt } from '../charge/index.ts'
import { commitOutcome } from './complete-awaited.ts'

/** The reason of an automatic refund. */
const REASON = 'Paid after the payment had ended; given back.'

/**
 * Looks after a payment that has ended without money, of which its processor has something new to say. Money that came late is
 * booked, so that it is never lost, and given back in full: what was set aside for the payment is free again, and its buyer
 * may have ordered anew.
 *
 * @returns `false` for what is worth asking again.
 */
export async function completeLate(
  payment: Payment,
  charging: Pick<Charging, 'services' | 'driverOf'>,
): Promise<boolean> {
  const { services } = charging
  const outcome = await queryAttempt(payment, charging)
  if (outcome.outcome === 'unknown') return false
  if (outcome.outcome !== 'succeeded') return true
  const emitter = emitterOf(payment, emitterAt(payment.accountId, services))
  const writes = lateWrites(payment, outcome.reference, { emitter, services })
  return commitOutcome(payment, { body: { ...payment, status: 'succeeded' }, writes }, { services })
}

function lateWrites(
  payment: Payment,
  reference: string,
  { emitter, services }: { emitter: Emitter; services: Charging['services'] },
): Write[] {
  const { accountId, id: paymentId, amount } = payment
  const { nowMs, newId } = emitter
  const attempt = lastAttempt(payment)
  const capture = capturedAtOnce(payment, emitter)
  const taken = { before: payment.capturedAmount, amount }
  const refund = { id: newId('re'), kind: 'refund', paymentId, amount, isFinal: true, reason: REASON } as const
  const { subject, moved } = eventFacts(payment, 'succeeded')
  const routing = JSON.stringify({ ...payment.routing, paidLate: true })
  return [
    movePayment({ accountId, paymentId, from: payment.status, to: 'succeeded', taken, nowMs }),
    {
      sql: 'UPDATE payments SET decline_code = NULL, routing = ? WHERE account_id = ? AND id = ?',
      params: [routing, accountId, paymentId],
    },
    notePaidLate(attempt, payment, reference),
    recordCapture(capture, payment, nowMs),
    book({ payment, entry: capture.id, booking: 'captured', amount }, nowMs),
    requireBalance(payment),
    ...emit('s_payment_paid_late', { ...subject, properties: { ...moved, processorId: attempt.processorId } }, emitter),
    // Recovery asks the processor, as for any refund whose process has died before it could.
    ...beginPostAuthorization(refund, payment, { nowMs: 0, idempotencyKey: null, services }),
  ]
}
