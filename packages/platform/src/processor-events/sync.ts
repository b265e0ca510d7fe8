import type { Dispute, Payment, Refund } from '@tillwright/contract'
import { recordNow, worker } from '../audit/index.ts'
import { closeDispute, escalateDispute, openDispute, recordWon } from '../disputes/index.ts'
import { emitterAt } from '../events/index.ts'
import {
  beginReportedRefund,
  emitterOf,
  findReportedDispute,
  type PostAuthorization,
  postAuthorizationsTable,
  readPayment,
  withoutErrors,
} from '../ledger/index.ts'
import { completePostAuthorization, recordReportedOutcome } from '../post-authorization/index.ts'
import { refused, type ReportedDispute, type ReportedRefunds } from '../processors/index.ts'
import type { Services, Write } from '../request-context.ts'
import { pick, rowReader } from '../storage/index.ts'

type SyncParts = Pick<Services, 'db' | 'clock' | 'randomness' | 'cluster' | 'secrets'>

/** Opening, becoming a chargeback and being decided are three steps; the others are for steps of other processes. */
const STEPS_MAX = 5

/** A dispute of a payment at its processor. */
export interface HeardDispute {
  payment: Payment
  reported: ReportedDispute
  /** Asks the processor how the dispute stands now; `null` if it does not know of it any more. */
  again: () => Promise<ReportedDispute | null>
}

/**
 * Brings our dispute to the processor's state: opens it, turns an inquiry into a chargeback, decides it, decides it anew, or
 * leaves it. The order and the number of reports do not matter.
 *
 * @returns Whether it is there. One that cannot be opened yet, as when its payment is not completed, is worth trying
 *   again.
 */
export async function syncDispute(heard: HeardDispute, services: SyncParts): Promise<boolean> {
  const { payment, reported } = heard
  for (let step = 0; step < STEPS_MAX; step++) {
    const writes = await nextStep(heard, services)
    if (writes === null) return true
    await services.db.write(
      withoutErrors([...writes, ...recordReport('disputes.sync', { payment, after: reported }, services)]),
    )
  }
  return (await nextStep(heard, services)) === null
}

/** The writes of the audit entry of a processor's report, on the payment that it is about. */
function recordReport(
  operation: 'disputes.sync' | 'refunds.sync',
  { payment: { accountId, id }, after }: { payment: Payment; after: ReportedDispute | Reported },
  services: SyncParts,
): Write[] {
  const actor = worker('processor-events')
  return recordNow(
    { accountId, actor, operation, resource: { type: 'payment', id }, after: { ...after, id } },
    services,
  )
}

/** `null` when there is nothing left to do. */
async function nextStep(heard: HeardDispute, services: SyncParts): Promise<Write[] | null> {
  const { payment, reported } = heard
  const { accountId } = payment
  const emitter = emitterAt(accountId, services)
  const dispute = await findReportedDispute(reported.reference, accountId, services.db)
  const { kind, status } = reported
  if (dispute === null) {
    if (status === 'prevented') return null
    const wanted = { ...reported, amount: disputedAmount(reported, payment) }
    return status === 'won' ? recordWon(payment, wanted, emitter) : openDispute(payment, wanted, emitter).writes
  }
  if (dispute.status !== 'open') {
    const decided = await decidedAnew(dispute, heard)
    return (
      decided && [...(closeDispute({ dispute, payment }, { to: decided, taken: reported.taken }, emitter).writes ?? [])]
    )
  }
  if (dispute.kind === 'inquiry' && kind === 'chargeback')
    return escalateDispute({ dispute, payment }, { ...reported, amount: disputedAmount(reported, payment) }, emitter)
  if (status === 'open') return null
  // Of one that was prevented nothing is withheld: what the buyer was given comes as a refund.
  const decided = status === 'prevented' ? 'won' : status
  return [...(closeDispute({ dispute, payment }, { to: decided, taken: reported.taken }, emitter).writes ?? [])]
}

/**
 * In minor units of its payment's currency. A dispute in another one, at a rate of the bank's, or without an amount is of all
 * that was captured.
 */
function disputedAmount({ amount, currency }: ReportedDispute, payment: Payment): number {
  return currency === payment.currency && amount > 0 ? amount : payment.capturedAmount
}

/**
 * How a dispute that is over was decided anew; `null` where it was not. What is on record may be newer than the report, so
 * that the processor is asked once more, after the record was read.
 */
async function decidedAnew(
  { status: known }: Dispute,
  { reported, again }: HeardDispute,
): Promise<'won' | 'lost' | null> {
  const isNews = ({ status }: ReportedDispute) => status !== known && (status === 'won' || status === 'lost')
  const now = isNews(reported) ? await again() : null
  if (now === null || !isNews(now)) return null
  return known === 'won' ? 'lost' : 'won'
}

type Reported = ReportedRefunds['refunds'][number]

/** The reason recorded for a refund that was made at the processor itself. */
const REASON = 'Refunded at the processor.'

/** A payment whose refunds are looked at, and the processor that has made them. */
export interface Refunded {
  payment: Payment
  processorId: string
}

/**
 * Puts refunds on record that were made at the processor and not here, and undoes those that came to nothing, wherever they
 * were made. One is called here what the processor calls it, so that it is recorded once.
 *
 * @returns `recorded` where one was put on record, `there` where all were. `later`: while a refund of ours is under way
 *   nothing is recorded, as it may be the very one.
 */
export async function syncRefunds(
  { refunds, reversed }: Pick<ReportedRefunds, 'refunds' | 'reversed'>,
  { payment, processorId }: Refunded,
  services: SyncParts,
): Promise<'recorded' | 'there' | 'later'> {
  const { accountId } = payment
  // At first: what came back can be given back again.
  for (const reference of reversed) {
    const id = await findRefund(reference, payment, services)
    const current = id === null ? await readPayment(payment.id, accountId, services.db) : null
    if (current?.refunds.some(({ status }) => status === 'pending') === true) return 'later'
    if (id === null) continue
    if (!(await recordReportedOutcome({ accountId, processorId, id }, refused('reversed'), services))) return 'later'
  }
  let isNews = false
  for (const refund of refunds) {
    const current = await readPayment(payment.id, accountId, services.db)
    if (current === null || current.refunds.some(({ status }) => status === 'pending')) return 'later'
    if ((await findRefund(refund.reference, current, services)) !== null) continue
    const writes = await recordWrites(refund, { payment: current, processorId }, services)
    const recorded = recordReport('refunds.sync', { payment: current, after: refund }, services)
    const outcome = await services.db.write(withoutErrors([...writes, ...recorded]))
    if (outcome.outcome === 'refused') return 'later'
    isNews = true
  }
  return isNews ? 'recorded' : 'there'
}

/** Our id of a refund that its processor calls so; `null` where there is none on record. */
async function findRefund(reference: string, { accountId, id }: Payment, { db }: SyncParts): Promise<string | null> {
  const rows = await db.read(
    'SELECT id FROM payment_follow_ups WHERE account_id = ? AND payment_id = ? AND (reference = ? OR id = ?)',
    [accountId, id, reference, reference],
  )
  return readIds(rows)[0]?.id ?? null
}

const readIds = rowReader(pick(postAuthorizationsTable, 'id'))

/** Records such a refund in one transaction, where one requested here takes two with the processor asked in between. */
async function recordWrites(
  { reference, amount }: Reported,
  { payment, processorId }: Refunded,
  services: SyncParts,
): Promise<readonly Write[]> {
  const emitter = emitterAt(payment.accountId, services)
  const postAuthorization: PostAuthorization = {
    id: reference,
    kind: 'refund',
    paymentId: payment.id,
    amount,
    isFinal: true,
    reason: REASON,
  }
  const createdAt = new Date(emitter.nowMs).toISOString()
  const { accountId, storeId, orderId, currency } = payment
  const pending: Refund = {
    id: reference,
    accountId,
    storeId,
    paymentId: payment.id,
    orderId,
    amount,
    currency,
    reason: REASON,
    status: 'pending',
    failure: null,
    createdAt,
    finishedAt: null,
  }
  const underWay = {
    postAuthorization,
    payment: { ...payment, refunds: [...payment.refunds, pending] },
    processorId,
    heldBy: services.cluster.self.id,
  }
  const completed = await completePostAuthorization(
    underWay,
    { outcome: 'succeeded', reference },
    { emitter: emitterOf(payment, emitter), db: services.db },
  )
  const begun = beginReportedRefund(postAuthorization, payment, {
    nowMs: emitter.nowMs,
    idempotencyKey: null,
    services,
  })
  return [...begun, ...(completed.writes ?? [])]
}
