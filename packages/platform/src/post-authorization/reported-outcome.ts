import { contentOf, recordNow, worker } from '../audit/index.ts'
import { CLAIM_LEASE_MS } from '../cluster/index.ts'
import { emitterAt } from '../events/index.ts'
import { emitterOf, postAuthorizationsTable, readPayment, toPostAuthorization, withoutErrors } from '../ledger/index.ts'
import type { PostAuthorizationOutcome } from '../processors/index.ts'
import type { Services } from '../request-context.ts'
import { pick, rowReader } from '../storage/index.ts'
import { findAuthorisation } from './ask-processor.ts'
import { completePostAuthorization } from './outcome.ts'

/** A capture, refund or void as its processor names it. */
export interface NamedPostAuthorization {
  accountId: string
  processorId: string
  /** Ours. */
  id: string
}

/**
 * Brings a capture, refund or void to its end whose processor reports its outcome by event. One that is not pending any
 * more stays as it is: an outcome is recorded once, however often it is sent.
 *
 * @returns `false` where the event is worth sending again: a process is at work on it at this moment.
 */
export async function recordReportedOutcome(
  { accountId, processorId, id }: NamedPostAuthorization,
  outcome: PostAuthorizationOutcome,
  services: Services,
): Promise<boolean> {
  const { db, cluster, clock } = services
  const [row] = readPending(await db.read(selectPending, [accountId, id]))
  if (row === undefined || outcome.outcome === 'pending') return true
  const payment = await readPayment(row.payment_id, accountId, db)
  if (payment === null) return true
  const at = await findAuthorisation(payment, db)
  if (at.processorId !== processorId) return true
  const { id: heldBy } = cluster.self
  const nowMs = clock.now()
  const taken = await db.write([
    { sql: take, params: [nowMs + CLAIM_LEASE_MS, heldBy, accountId, id, nowMs], expect: 1 },
  ])
  if (taken.outcome === 'refused') return false
  const postAuthorization = toPostAuthorization(row)
  const emitter = emitterOf(payment, emitterAt(accountId, services))
  const underWay = { postAuthorization, payment, processorId, heldBy }
  const reply = await completePostAuthorization(underWay, outcome, { emitter, db })
  const recorded = recordNow(
    {
      accountId,
      actor: worker('processor-events'),
      operation: `payments.${row.kind}`,
      resource: { type: 'payment', id: payment.id },
      before: payment,
      after: contentOf(reply),
    },
    services,
  )
  const written = await db.write(withoutErrors([...(reply.writes ?? []), ...recorded]))
  return written.outcome === 'committed'
}

const selectPending = `SELECT id, payment_id, kind, amount, is_final, reason FROM payment_follow_ups
  WHERE account_id = ? AND id = ? AND status = 'pending'`
const readPending = rowReader(pick(postAuthorizationsTable, 'id', 'payment_id', 'kind', 'amount', 'is_final', 'reason'))

/** One that waits for word of its processor, or whose process has given it up. */
const take = `UPDATE payment_follow_ups SET lease_until = ?, holder = ?
  WHERE account_id = ? AND id = ? AND status = 'pending' AND (reference IS NOT NULL OR lease_until < ?)`
