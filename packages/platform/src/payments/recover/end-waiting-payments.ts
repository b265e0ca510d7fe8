import type { Payment } from '@tillwright/contract'
import { type AuditedChange, recordNow, worker } from '../../audit/index.ts'
import { workInTurns } from '../../cluster/index.ts'
import { type Emitter, emitterAt } from '../../events/index.ts'
import { emitterOf, paymentsTable, readPayment, withoutErrors } from '../../ledger/index.ts'
import type { Services, Write } from '../../request-context.ts'
import { failuresOf, startWorker } from '../../runtime/index.ts'
import { pick, type RowOf, rowReader } from '../../storage/index.ts'
import { endSession, findSession, lapsedSessions, outcomeOf, statusAt } from '../../threeds/index.ts'
import { declineUnauthenticated, type Unauthenticated } from '../complete/index.ts'
import { CONTINUE_WITHIN_MS } from '../record/index.ts'

/** How often sessions and payments whose time is over are looked for. */
const LOOK_EVERY_MS = 5_000

/**
 * Ends 3-D Secure sessions that have timed out, with the payments that wait for them, and payments that were never
 * continued, releasing what was reserved for them.
 *
 * @returns Stops the worker; resolves when it has.
 */
export function startWaitingPayments(services: Services): () => Promise<void> {
  const { clock, cluster, db, log } = services
  const failed = (error: unknown, { id }: Due) =>
    log.error({ err: error, id }, 'what waits for its buyer could not be ended; trying again')
  const lapsed = { due: lapsedSessions, read: readDue, work: (row: Due) => endLapsed(row, services), failed }
  const overdue = { due: overduePayments, read: readDue, work: (row: Due) => endOverdue(row, services), failed }
  return startWorker({
    clock,
    everyMs: LOOK_EVERY_MS,
    leads: () => cluster.mayLead(),
    onDone: () => cluster.finished('waiting_payments'),
    async look(signal) {
      for (const unclaimed of [lapsed, overdue]) await workInTurns(unclaimed, { db, nowMs: clock.now(), signal })
    },
    ...failuresOf(log, {
      worker: 'waiting payments',
      message: 'payments that wait for their buyers could not be looked for; trying again',
    }),
  })
}

const dueColumns = pick(paymentsTable, 'account_id', 'id')
const readDue = rowReader(dueColumns)
type Due = RowOf<typeof dueColumns>

/** Ends session and payment together. A refused write is fine: another process or the buyer was faster. */
async function endLapsed({ account_id: accountId, id }: Due, services: Services): Promise<void> {
  const session = await findSession(id, accountId, services.db)
  if (session === null || statusAt(session, services.clock.now()) !== 'expired' || session.status === 'expired') return
  const { paymentId } = session
  const emitter = emitterAt(accountId, services)
  const payment = paymentId === null ? null : await readPayment(paymentId, accountId, services.db)
  const isWaiting = payment?.status === 'requires_action' && payment.threedsSessionId === session.id
  const declined = isWaiting ? await declineWrites(payment, 'timed_out', { emitter, services }) : []
  const resource = { type: 'threedsSession', id: session.id }
  const after = { status: 'expired' }
  const change = { accountId, operation: 'threeds.expire', resource, before: { status: session.status }, after }
  await write([...endSession(session, 'expired', emitter), ...declined], change, services)
}

/** One whose original request has not been answered yet, so that its session has time left, is left to recovery. */
const overduePayments = {
  table: 'payments',
  among: `status = 'requires_action' AND expires_at IS NULL`,
  isDue: `lease_until <= ? AND NOT EXISTS (SELECT 1 FROM threeds_sessions s WHERE s.account_id = payments.account_id
    AND s.id = payments.threeds_session_id AND s.expires_at > ?)`,
  params: (nowMs: number) => [nowMs, nowMs - CONTINUE_WITHIN_MS],
  orderBy: 'lease_until',
  columns: 'account_id, id',
}

async function endOverdue({ account_id: accountId, id: paymentId }: Due, services: Services): Promise<void> {
  const payment = await readPayment(paymentId, accountId, services.db)
  if (payment?.status !== 'requires_action') return
  const session = await findSession(payment.threedsSessionId ?? '', accountId, services.db)
  const outcome = session === null ? 'timed_out' : outcomeOf(statusAt(session, services.clock.now()))
  const emitter = emitterAt(accountId, services)
  const resource = { type: 'payment', id: paymentId }
  const change = {
    accountId,
    operation: 'payments.expire',
    resource,
    before: payment,
    after: { declineCode: endOf(outcome) },
  }
  await write(await declineWrites(payment, endOf(outcome), { emitter, services }), change, services)
}

/** A buyer who was authenticated, but whose payment was never continued, is too late as well. */
function endOf(outcome: ReturnType<typeof outcomeOf>): Unauthenticated {
  switch (outcome) {
    case 'authenticated':
    case 'attempted':
    case 'pending':
      return 'timed_out'
    case 'failed':
    case 'rejected':
    case 'cancelled':
    case 'timed_out':
    case 'unavailable':
    case 'informational':
      return outcome
  }
}

async function declineWrites(
  payment: Payment,
  outcome: Unauthenticated,
  { emitter, services }: { emitter: Emitter; services: Services },
): Promise<readonly Write[]> {
  const ending = { emitter: emitterOf(payment, emitter), db: services.db }
  return (await declineUnauthenticated(payment, outcome, ending)).writes ?? []
}

async function write(
  writes: readonly Write[],
  change: Omit<AuditedChange, 'actor'>,
  services: Services,
): Promise<void> {
  const recorded = recordNow({ ...change, actor: worker('waiting-payments') }, services)
  await services.db.write(withoutErrors([...writes, ...recorded]))
}
