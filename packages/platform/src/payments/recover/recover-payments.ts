import type { Payment } from '@tillwright/contract'
import { type Answer } from '../../accounts/index.ts'
import { contentOf, recordNow, worker } from '../../audit/index.ts'
import {
  type Backlog,
  backlogOf,
  type FairWork,
  holderIsGone,
  type Round,
  startFairWork,
  workInTurns,
  workOnce,
} from '../../cluster/index.ts'
import { type Emitter, emitterAt } from '../../events/index.ts'
import { answerClaim, emitterOf, freePayment, paymentsTable, readPayment, withoutErrors } from '../../ledger/index.ts'
import { promotionsOf } from '../../orders/index.ts'
import type { Reply, Services } from '../../request-context.ts'
import type { AttemptOutcome, Charging, Untried } from '../../routing/index.ts'
import { failuresOf, startWorker } from '../../runtime/index.ts'
import { type Database, DatabaseUnavailable, pick, type RowOf, rowReader } from '../../storage/index.ts'
import { bringBack } from '../../subscriptions/index.ts'
import { findSession } from '../../threeds/index.ts'
import { awaitOutcome, startAwaited } from '../await/index.ts'
import { queryAttempt } from '../charge/index.ts'
import { declineUntried, isKnown, recordOutcome, withoutKnownNews } from '../complete/index.ts'
import { buyersUntilMs, CONTINUE_WITHIN_MS, leaveToBuyer, withNextAction } from '../record/index.ts'

/** How often payments without an outcome are looked for. */
const LOOK_EVERY_MS = 5_000

/** How many are recovered at once. */
const PLACES = 64

/** Dependencies of payment recovery. `answer` makes the response of a reply, to be stored for the original request. */
export interface Recovery extends Charging {
  answer: (reply: Reply<Payment>) => Answer
  /** The same for a buyer's page, with fewer fields. */
  answerPage: (reply: Reply<Payment>) => Answer
  /** Further work each time, such as what simulated processors have to say; none unless given. */
  alongside?: () => Promise<void>
}

/**
 * Completes payments whose process is gone, or whose processor gave no answer: asks the processor for the outcome of the
 * last attempt, and records it. No other processor is tried after that: the buyer is gone, and so is the security code
 * of the card.
 *
 * @returns Stops the worker; resolves when it has.
 */
export function startPaymentRecovery(recovery: Recovery): () => Promise<void> {
  const { services, alongside } = recovery
  const { clock, cluster, log } = services
  const failures = (name: string) =>
    failuresOf(log, { worker: name, message: 'payments could not be looked for; trying again' })
  const looking = (name: string, round: Round) => ({
    everyMs: LOOK_EVERY_MS,
    onDone: () => cluster.finished(round),
    ...failures(name),
  })
  const stops = [
    startFairWork(abandonedWork(recovery), services, looking('payments', 'payments')),
    startAwaited(recovery, looking('awaited payments', 'awaited_payments')),
    startWorker({
      clock,
      everyMs: LOOK_EVERY_MS,
      leads: () => cluster.mayLead(),
      onDone: () => cluster.finished('unanswered_payments'),
      // Payments held by a process that has just died are free now.
      onWake: (wake) => cluster.onPeers(wake),
      async look(signal) {
        await recoverWaiting(recovery, signal)
        await alongside?.()
      },
      ...failures('unanswered payments'),
    }),
  ]
  return async () => void (await Promise.all(stops.map((stop) => stop())))
}

/** Recovers what is abandoned, once. */
export async function recoverPayments(recovery: Recovery): Promise<void> {
  await workOnce(abandonedWork(recovery), recovery.services)
}

/** Payments whose process is gone or whose lease has run out. */
function abandonedWork(recovery: Recovery): FairWork<AbandonedRow> {
  return {
    due: [abandonedPayments],
    read: readAbandoned,
    work: (row) => tryToRecover(row, recovery),
    places: PLACES,
  }
}

/** The payments without an outcome. */
export function unresolvedPayments(db: Database): Promise<Backlog> {
  return backlogOf(selectUnresolved, [], db)
}

const selectUnresolved = `SELECT updated_at AS since FROM payments
  WHERE status = 'processing' AND expires_at IS NULL AND account_id > '' AND lease_until > 0`

const abandonedPayments = {
  table: 'payments',
  among: `status = 'processing' AND expires_at IS NULL`,
  isDue: `(lease_until < ? OR ${holderIsGone('payments.holder')})`,
  params: (nowMs: number) => [nowMs],
  orderBy: 'lease_until',
  columns: 'account_id, id, idempotency_key',
  freed: 'lease_until = 1',
}

const abandonedColumns = pick(paymentsTable, 'account_id', 'id', 'idempotency_key')
const readAbandoned = rowReader(abandonedColumns)
type AbandonedRow = RowOf<typeof abandonedColumns>

/** A failure to recover one payment, such as an unreadable card, must not hold up the others. */
async function tryToRecover(row: AbandonedRow, recovery: Recovery): Promise<void> {
  const attributes = { 'tillwright.account.id': row.account_id, 'tillwright.payment.id': row.id }
  recovery.services.cluster.tookOver(1)
  try {
    await recovery.services.telemetry.span('payment recovery', { begins: true, attributes }, () =>
      recoverOne(row, recovery),
    )
  } catch (error) {
    const { cluster } = recovery.services
    const held = { accountId: row.account_id, id: row.id, holder: cluster.self.id, leaseUntilMs: 0 }
    if (error instanceof DatabaseUnavailable) cluster.giveBack([freePayment(held)])
    recovery.services.log.error({ err: error, paymentId: row.id }, 'a payment could not be recovered; trying again')
  }
}

async function recoverOne(row: AbandonedRow, recovery: Recovery): Promise<void> {
  const { services } = recovery
  const accountId = row.account_id
  const payment = await readPayment(row.id, accountId, services.db)
  if (payment === null) return
  const outcome = payment.attempts.length === 0 ? null : await queryAttempt(payment, recovery)
  if (outcome?.outcome === 'unknown') return
  const emitter = emitterOf(payment, emitterAt(accountId, services))
  const reply = await endOf(payment, outcome, { services, emitter })
  const key = row.idempotency_key
  const stored = key === null ? [] : [answerClaim({ accountId, key }, answerOf(payment, reply, recovery))]
  const recorded = recordNow(
    {
      accountId,
      actor: worker('payment-recovery'),
      operation: 'payments.recover',
      resource: { type: 'payment', id: payment.id },
      before: payment,
      after: contentOf(reply),
    },
    services,
  )
  const brought = await bringBack({ payment, reply }, recovery, emitter)
  const written = await services.db.write([
    ...withoutErrors([...(reply.writes ?? []), ...brought, ...recorded]),
    ...stored,
  ])
  if (written.outcome === 'refused') return // another process has completed it meanwhile
  services.log.info({ paymentId: payment.id, outcome: outcome?.outcome ?? 'untried' }, 'recovered a payment')
}

/** The end of an abandoned payment by what its processor has answered; `null` where none was asked. */
async function endOf(
  payment: Payment,
  outcome: Exclude<AttemptOutcome, { outcome: 'unknown' }> | null,
  { services, emitter }: { services: Services; emitter: Emitter },
): Promise<Reply<Payment>> {
  const { id: heldBy } = services.cluster.self
  if (outcome !== null && !isKnown(outcome)) return awaitOutcome(payment, outcome, { emitter, heldBy })
  const applied = await promotionsOf(payment.orderId, payment.accountId, services.db)
  if (outcome === null) return declineUntried({ payment, applied, stopped: whyUntried(payment), heldBy }, emitter)
  const news = await withoutKnownNews(outcome, payment, services.db)
  return recordOutcome({ payment, applied, stopped: 'recovered', heldBy }, news, emitter)
}

/** The answer for a buyer's page, with fewer fields. */
function answerOf({ funnelSessionId }: Payment, reply: Reply<Payment>, { answer, answerPage }: Recovery): Answer {
  return funnelSessionId === null ? answer(reply) : answerPage(reply)
}

/** If no processor was asked, the reason was recorded with the payment. */
function whyUntried({ routing: { stopped } }: Payment): Untried {
  return untried.find((reason) => reason === stopped) ?? 'scheme_limit'
}

const untried: readonly Untried[] = [
  'authentication_required',
  'card_deleted',
  'card_inactive',
  'retry_forbidden',
  'retry_too_early',
]

/**
 * Answers for payments that wait for their buyers, and whose process died before it could: they go on waiting, and a
 * repeated request under the same key receives the next action.
 */
async function recoverWaiting(recovery: Recovery, signal: AbortSignal): Promise<void> {
  const { services } = recovery
  const unclaimed = {
    due: unansweredPayments,
    read: readAbandoned,
    work: (row: AbandonedRow) => answerWaiting(row, recovery),
    failed: (error: unknown, { id: paymentId }: AbandonedRow) =>
      services.log.error({ err: error, paymentId }, 'a payment could not be recovered; trying again'),
  }
  await workInTurns(unclaimed, { db: services.db, nowMs: services.clock.now(), signal })
}

/** The lease of a payment that was responded to ends when the buyer's time does. */
const unansweredPayments = {
  table: 'payments',
  among: `status = 'requires_action' AND expires_at IS NULL`,
  isDue: `(lease_until < ? OR ${holderIsGone('payments.holder')}) AND EXISTS (SELECT 1 FROM threeds_sessions s
    WHERE s.account_id = payments.account_id AND s.id = payments.threeds_session_id AND payments.lease_until < s.expires_at + ?)`,
  params: (nowMs: number) => [nowMs, CONTINUE_WITHIN_MS],
  orderBy: 'lease_until',
  columns: abandonedPayments.columns,
}

async function answerWaiting({ account_id: accountId, id, idempotency_key: key }: AbandonedRow, recovery: Recovery) {
  const { services } = recovery
  const payment = await readPayment(id, accountId, services.db)
  const session = await findSession(payment?.threedsSessionId ?? '', accountId, services.db)
  if (payment?.status !== 'requires_action' || session === null) return
  const answer = answerOf(payment, { body: withNextAction(payment, services) }, recovery)
  const left = leaveToBuyer(payment, buyersUntilMs(session))
  await services.db.write(key === null ? [left] : [left, answerClaim({ accountId, key }, answer)])
  services.log.info({ paymentId: payment.id }, 'recovered a payment that waits for its buyer')
}
