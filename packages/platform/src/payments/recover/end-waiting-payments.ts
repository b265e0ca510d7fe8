import type { Payment } from '@tillwright/contract'
import { type AuditedChange, recordNow, worker } from '../../audit/index.ts'
import { type Emitter, emitterAt } from '../../events/index.ts'
import { emitterOf, paymentsTable, readPayment, withoutErrors } from '../../ledger/index.ts'
import type { Services, Write } from '../../request-context.ts'
import { failuresOf, startWorker } from '../../runtime/index.ts'
import { pick, rowReader } from '../../storage/index.ts'
import {
  endSession,
  findSession,
  lapsedSessions,
  outcomeOf,
  type SessionRecord,
  statusAt,
} from '../../threeds/index.ts'
import { declineUnauthenticated, type Unauthenticated } from '../complete/index.ts'
import { buyersUntilMs } from '../record/index.ts'

/** How often sessions and payments whose time is over are looked for. */
const LOOK_EVERY_MS = 5_000

/**
 * Ends 3-D Secure sessions that have timed out, with the payments that wait for them, and payments that were never
 * continued, releasing what was reserved for them.
 *
 * @returns Stops the worker; resolves when it has.
 */
export function startWaitingPayments(services: Services): () => Promise<void> {
  const { clock, cluster, log } = services
  return startWorker({
    clock,
    everyMs: LOOK_EVERY_MS,
    leads: () => cluster.mayLead(),
    async look() {
      for (const session of await lapsedSessions(clock.now(), services.db)) await endLapsed(session, services)
      for (const payment of await overduePayments(services)) await endOverdue(payment, services)
    },
    ...failuresOf(log, {
      worker: 'waiting payments',
      message: 'payments that wait for their buyers could not be looked for; trying again',
    }),
  })
}

/** Ends session and payment together. A refused write is fine: another process or the buyer was faster. */
async function endLapsed(session: SessionRecord, services: Services): Promise<void> {
  const { accountId, paymentId } = session
  const emitter = emitterAt(accountId, services)
  const payment = paymentId === null ? null : await readPayment(paymentId, accountId, services.db)
  const isWaiting = payment?.status === 'requires_action' && payment.threedsSessionId === session.id
  const declined = isWaiting ? await declineWrites(payment, 'timed_out', { emitter, services }) : []
  const resource = { type: 'threedsSession', id: session.id }
  const after = { status: 'expired' }
  const change = { accountId, operation: 'threeds.expire', resource, before: { status: session.status }, after }
  await write([...endSession(session, 'expired', emitter), ...declined], change, services)
}

async function overduePayments({ db, clock }: Services): Promise<{ accountId: string; paymentId: string }[]> {
  const rows = await db.read(
    `SELECT account_id, id FROM payments WHERE status = 'requires_action' AND expires_at IS NULL AND lease_until <= ?
      ORDER BY lease_until LIMIT 100`,
    [clock.now()],
  )
  return readOverdue(rows).map((row) => ({ accountId: row.account_id, paymentId: row.id }))
}

const readOverdue = rowReader(pick(paymentsTable, 'account_id', 'id'))

type Overdue = Awaited<ReturnType<typeof overduePayments>>[number]

async function endOverdue({ accountId, paymentId }: Overdue, services: Services): Promise<void> {
  const payment = await readPayment(paymentId, accountId, services.db)
  if (payment?.status !== 'requires_action') return
  const session = await findSession(payment.threedsSessionId ?? '', accountId, services.db)
  // The original request has not been answered yet, which is left to recovery.
  if (session !== null && services.clock.now() < buyersUntilMs(session)) return
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
