import { contract, type Payment } from '@tillwright/contract'
import { type Answer } from '../accounts/index.ts'
import { contentOf, recordNow, worker } from '../audit/index.ts'
import { type Backlog, backlogOf, type FairWork, holderIsGone, startFairWork, workOnce } from '../cluster/index.ts'
import { emitterAt } from '../events/index.ts'
import {
  answerClaim,
  awaitPostAuthorization,
  emitterOf,
  freePostAuthorization,
  MoneyInvariantBroken,
  postAuthorizationsTable,
  readPayment,
  toPostAuthorization,
  withoutErrors,
} from '../ledger/index.ts'
import type { Reply } from '../request-context.ts'
import type { Charging } from '../routing/index.ts'
import { failuresOf } from '../runtime/index.ts'
import { type Database, DatabaseUnavailable, pick, type RowOf, rowReader } from '../storage/index.ts'
import { askPostAuthorization, findAuthorisation } from './ask-processor.ts'
import { completePostAuthorization } from './outcome.ts'

/** How often those without an outcome are looked for. */
const LOOK_EVERY_MS = 5_000

/** How many are recovered at once. */
const PLACES = 64

/** Dependencies of the recovery. `answer` makes the stored response for the caller from a reply. */
export interface PostAuthorizationRecovery extends Charging {
  answer: (reply: Reply<Payment>) => Answer
}

/**
 * Brings captures, refunds and voids to their end that have no outcome: asks the processor again under the same id, and
 * records what it says.
 *
 * @returns Stops the worker; resolves when it has.
 */
export function startPostAuthorizationRecovery(recovery: PostAuthorizationRecovery): () => Promise<void> {
  const { cluster, log } = recovery.services
  return startFairWork(abandonedWork(recovery), recovery.services, {
    everyMs: LOOK_EVERY_MS,
    onDone: () => cluster.finished('post_authorizations'),
    ...failuresOf(log, {
      worker: 'post-authorizations',
      message: 'captures, refunds and voids could not be looked for; trying again',
    }),
  })
}

/** Does so with those that are due, once. */
export async function recoverPostAuthorizations(recovery: PostAuthorizationRecovery): Promise<void> {
  await workOnce(abandonedWork(recovery), recovery.services)
}

/** Those whose process is gone or whose lease has run out. */
function abandonedWork(recovery: PostAuthorizationRecovery): FairWork<AbandonedRow> {
  return {
    due: [abandoned, waiting],
    read: readAbandoned,
    work: (row) => tryToRecover(row, recovery),
    places: PLACES,
  }
}

/** The captures, refunds and voids without an outcome. */
export function unresolvedPostAuthorizations(db: Database): Promise<Backlog> {
  return backlogOf(selectUnresolved, [], db)
}

const selectUnresolved = `SELECT created_at AS since FROM payment_follow_ups
  WHERE status = 'pending' AND reference IS NULL AND account_id > '' AND lease_until > 0`

const rows = {
  table: 'payment_follow_ups',
  params: (nowMs: number) => [nowMs],
  orderBy: 'lease_until',
  columns: 'account_id, id, payment_id, kind, amount, is_final, reason, idempotency_key',
  freed: 'lease_until = 1',
}
const abandoned = {
  ...rows,
  among: `status = 'pending' AND reference IS NULL`,
  isDue: `(lease_until < ? OR ${holderIsGone('payment_follow_ups.holder')})`,
}
/** One that waits for word of its processor is not worked on until then. */
const waiting = { ...rows, among: `status = 'pending' AND reference IS NOT NULL`, isDue: 'lease_until < ?' }

const abandonedColumns = pick(
  postAuthorizationsTable,
  'account_id',
  'id',
  'payment_id',
  'kind',
  'amount',
  'is_final',
  'reason',
  'idempotency_key',
)
const readAbandoned = rowReader(abandonedColumns)
type AbandonedRow = RowOf<typeof abandonedColumns>

/** A failure to recover one must not hold up the others. */
async function tryToRecover(row: AbandonedRow, recovery: PostAuthorizationRecovery): Promise<void> {
  recovery.services.cluster.tookOver(1)
  try {
    await recoverOne(row, recovery)
  } catch (error) {
    const { cluster } = recovery.services
    const held = { accountId: row.account_id, id: row.id, holder: cluster.self.id }
    if (error instanceof DatabaseUnavailable) cluster.giveBack([freePostAuthorization(held)])
    const ids = { paymentId: row.payment_id, id: row.id }
    recovery.services.log.error(
      { err: error, ...ids },
      'a capture, refund or void could not be recovered; trying again',
    )
  }
}

async function recoverOne(row: AbandonedRow, recovery: PostAuthorizationRecovery): Promise<void> {
  const { services } = recovery
  const accountId = row.account_id
  const { id: heldBy } = services.cluster.self
  const postAuthorization = toPostAuthorization(row)
  const payment = await readPayment(postAuthorization.paymentId, accountId, services.db)
  if (payment === null) return
  const at = await findAuthorisation(payment, services.db)
  const outcome = await askPostAuthorization(postAuthorization, { payment, at }, { ...recovery, fault: null })
  // That it is refused now does not tell whether the first request was executed.
  if (outcome.outcome === 'unknown' || (outcome.outcome === 'refused' && outcome.reason === 'unavailable')) return
  if (outcome.outcome === 'pending') return goOnWaiting(row, outcome, recovery)
  const underWay = { postAuthorization, payment, processorId: at.processorId, heldBy }
  const emitter = emitterOf(payment, emitterAt(accountId, services))
  const reply = await completePostAuthorization(underWay, outcome, { emitter, db: services.db })
  const isRecorded = await commitOutcome(reply, { row, payment }, recovery)
  if (isRecorded)
    services.log.info(
      { paymentId: payment.id, id: postAuthorization.id, outcome: outcome.outcome },
      'recovered a post-authorization operation',
    )
}

/** Its processor has accepted it, and does not know more than before. Its request is answered once. */
async function goOnWaiting(
  row: AbandonedRow,
  outcome: { reference: string },
  { services, answer }: PostAuthorizationRecovery,
): Promise<void> {
  const { account_id: accountId, idempotency_key: key } = row
  const held = { accountId, nowMs: services.clock.now(), heldBy: services.cluster.self.id }
  const wait = awaitPostAuthorization({ id: row.id, paymentId: row.payment_id }, outcome, held)
  const body = await readPayment(row.payment_id, accountId, services.db)
  const stored = key === null || body === null ? [] : [answerClaim({ accountId, key }, answer({ body }))]
  await services.db.write([...withoutErrors(wait), ...stored])
}

/**
 * @returns Whether it was recorded here, not by another process meanwhile.
 * @throws {MoneyInvariantBroken}
 */
async function commitOutcome(
  reply: Reply<Payment>,
  { row, payment }: { row: AbandonedRow; payment: Payment },
  { services, answer }: PostAuthorizationRecovery,
): Promise<boolean> {
  const writes = reply.writes ?? []
  const key = row.idempotency_key
  const answered = 'body' in reply ? { ...answer(reply), status: contract.payments.refund.status } : answer(reply)
  const stored = key === null ? [] : [answerClaim({ accountId: row.account_id, key }, answered)]
  const recorded = recordNow(
    {
      accountId: row.account_id,
      actor: worker('payment-recovery'),
      operation: `payments.${row.kind}`,
      resource: { type: 'payment', id: payment.id },
      before: payment,
      after: contentOf(reply),
    },
    services,
  )
  const outcome = await services.db.write([...withoutErrors([...writes, ...recorded]), ...stored])
  if (outcome.outcome === 'committed') return true
  const cause = (await writes[outcome.statement]?.onRefused?.(outcome.reason))?.details.cause
  if (cause instanceof MoneyInvariantBroken) throw cause
  return false
}
