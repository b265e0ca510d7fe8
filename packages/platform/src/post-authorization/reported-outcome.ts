import type { Payment } from '@tillwright/contract'
import { contentOf, recordNow, worker } from '../audit/index.ts'
import { CLAIM_LEASE_MS } from '../cluster/index.ts'
import { emitterAt } from '../events/index.ts'
import { emitterOf, postAuthorizationsTable, readPayment, toPostAuthorization, withoutErrors } from '../ledger/index.ts'
import type { PostAuthorizationOutcome } from '../processors/index.ts'
import type { Reply, Services } from '../request-context.ts'
import { pick, rowReader } from '../storage/index.ts'
import { findAuthorisation } from './ask-processor.ts'
import { completePostAuthorization } from './outcome.ts'
import { reversed } from './reversals.ts'

/** A capture, refund or void as its processor names it. */
export interface NamedPostAuthorization {
  accountId: string
  processorId: string
  /** Ours. */
  id: string
}

/** What recording needs of the services. */
export type ReportServices = Pick<Services, 'db' | 'clock' | 'randomness' | 'cluster' | 'secrets'>

/**
 * Brings a capture, refund or void to its end whose processor reports its outcome by event, and undoes a capture or a
 * refund that had succeeded and is reversed. Anything else stays as it is: an outcome is recorded once, however often it is
 * sent, and a success behind a failure is an older word of the processor.
 *
 * @returns `false` where the event is worth sending again: a process is at work on it at this moment.
 */
export async function recordReportedOutcome(
  named: NamedPostAuthorization,
  outcome: PostAuthorizationOutcome,
  services: ReportServices,
): Promise<boolean> {
  const { accountId, processorId, id } = named
  const { db } = services
  const [row] = readReported(await db.read(selectReported, [accountId, id]))
  if (row === undefined || outcome.outcome === 'pending') return true
  const { kind, status } = row
  const postAuthorization = toPostAuthorization(row)
  const payment = await readPayment(row.payment_id, accountId, db)
  if (payment === null) return true
  const at = await findAuthorisation(payment, db)
  if (at.processorId !== processorId) return true
  const emitter = emitterOf(payment, emitterAt(accountId, services))
  if (status === 'succeeded') {
    const isReversed = outcome.outcome === 'refused' && outcome.reason === 'reversed'
    if (!isReversed || kind === 'void') return true
    return record(
      reversed({ postAuthorization: { ...postAuthorization, kind }, payment }, emitter),
      { kind, payment },
      services,
    )
  }
  if (!(await takeReported(named, services))) return false
  const underWay = { postAuthorization, payment, processorId, heldBy: services.cluster.self.id }
  return record(await completePostAuthorization(underWay, outcome, { emitter, db }), { kind, payment }, services)
}

const selectReported = `SELECT id, payment_id, kind, amount, is_final, reason, status FROM payment_follow_ups
  WHERE account_id = ? AND id = ? AND status <> 'failed'`
const reportedColumns = ['id', 'payment_id', 'kind', 'amount', 'is_final', 'reason', 'status'] as const
const readReported = rowReader(pick(postAuthorizationsTable, ...reportedColumns))

/** Takes one that waits for word of its processor, or whose process has given it up. */
async function takeReported({ accountId, id }: NamedPostAuthorization, services: ReportServices): Promise<boolean> {
  const nowMs = services.clock.now()
  const params = [nowMs + CLAIM_LEASE_MS, services.cluster.self.id, accountId, id, nowMs]
  return (await services.db.write([{ sql: take, params, expect: 1 }])).outcome === 'committed'
}

const take = `UPDATE payment_follow_ups SET lease_until = ?, holder = ?
  WHERE account_id = ? AND id = ? AND status = 'pending' AND (reference IS NOT NULL OR lease_until < ?)`

/** @returns Whether nobody was faster. */
async function record(
  reply: Reply<Payment>,
  { kind, payment }: { kind: string; payment: Payment },
  services: ReportServices,
): Promise<boolean> {
  const recorded = recordNow(
    {
      accountId: payment.accountId,
      actor: worker('processor-events'),
      operation: `payments.${kind}`,
      resource: { type: 'payment', id: payment.id },
      before: payment,
      after: contentOf(reply),
    },
    services,
  )
  const written = await services.db.write(withoutErrors([...(reply.writes ?? []), ...recorded]))
  return written.outcome === 'committed'
}
