import { SIMULATED_DISPUTE_MS } from '@tillwright/contract'
import { recordNow, worker } from '../audit/index.ts'
import { emitterAt } from '../events/index.ts'
import { paymentAttemptsTable, readPayment, refundableAmount, withoutErrors } from '../ledger/index.ts'
import type { SimulatedDispute, SimulatedProcessors } from '../processors/index.ts'
import type { Services } from '../request-context.ts'
import { pick, rowReader } from '../storage/index.ts'
import { closeDispute, openDispute, requireLeft } from './dispute-changes.ts'

type Disputed = Pick<SimulatedProcessors, 'findDisputes' | 'reportedDispute'>

/** How many are opened at a time. */
const AT_ONCE = 100

/** Opens the disputes of cards that are always disputed, as a processor's message about them would. */
export async function openSimulatedDisputes(simulator: Disputed, services: Services): Promise<void> {
  for (const dispute of await simulator.findDisputes(services.db, AT_ONCE)) await openOne(dispute, simulator, services)
}

/** A refused write is fine: another process has opened the dispute, or the payment has changed and is read again. */
async function openOne(
  { processorId, attemptId, kind, reference }: SimulatedDispute,
  simulator: Disputed,
  services: Services,
): Promise<void> {
  const [row] = readPayments(await services.db.read(selectPayment, [attemptId, processorId]))
  if (row === undefined) return
  const accountId = row.account_id
  const payment = await readPayment(row.payment_id, accountId, services.db)
  if (payment === null) return
  const amount = refundableAmount(payment)
  const respondBy = new Date(services.clock.now() + SIMULATED_DISPUTE_MS).toISOString()
  const isReturned = kind === 'return'
  const wanted = isReturned
    ? { kind: 'chargeback' as const, amount, reason: 'debit_returned', respondBy: null, reference }
    : { kind, amount, reason: 'fraudulent', respondBy, reference }
  const reported = simulator.reportedDispute(attemptId)
  if (amount <= 0) return void (await services.db.write([reported]))
  const { dispute, writes } = openDispute(payment, wanted, emitterAt(accountId, services))
  const resource = { type: 'dispute', id: dispute.id }
  const actor = worker('simulated-disputes')
  const recorded = recordNow({ accountId, actor, operation: 'disputes.open', resource, after: dispute }, services)
  const lost = isReturned
    ? (closeDispute({ dispute, payment }, { to: 'lost' }, emitterAt(accountId, services)).writes ?? [])
    : []
  await services.db.write([...withoutErrors([requireLeft(payment, amount), ...writes, ...lost, ...recorded]), reported])
}

/** The payment of a charge, once it has noticed that it was captured. */
const selectPayment = `SELECT a.account_id, a.payment_id FROM processors p
  JOIN payment_attempts a ON a.account_id = p.account_id AND a.id = ?
  JOIN payments m ON m.account_id = a.account_id AND m.id = a.payment_id AND m.captured_amount > 0
  WHERE p.id = ?`
const readPayments = rowReader(pick(paymentAttemptsTable, 'account_id', 'payment_id'))
