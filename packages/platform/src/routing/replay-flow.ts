import { idsFrom, type Payment } from '@tillwright/contract'
import { paymentAttemptsTable, paymentsTable } from '../ledger/index.ts'
import { drawOf } from '../runtime/index.ts'
import { type Database, pick, type RowOf, rowReader } from '../storage/index.ts'
import { type Picking, pickProcessor } from './route.ts'

/** A past payment as its processor was chosen: the facts, its first attempt, and where that went. */
export interface PastPayment {
  attemptId: string
  /** Where the first attempt went. */
  processorId: string
  customerId: string
  currency: string
  brand: string
  status: Payment['status']
}

/** Where payments go by another flow. */
export interface FlowReplay {
  payments: number
  /** Those that went to the same processor. */
  unchanged: number
  /** Those that no processor of the flow could take. */
  refused: number
  /** Each processor that took or would take some, by the number that it would. */
  processors: { processorId: string; before: number; after: number }[]
}

/** The flow, and what its processors take now. */
export type ReplayedFlow = Pick<Picking, 'flow' | 'processors'> & { keepsCustomers: boolean }

/**
 * Runs payments of the past through the first choice of a flow. Each keeps its draw, so that a flow that is no different
 * chooses no differently. Customers stay with the processor that the replay has chosen for their last success; which
 * processors were failing at the time is not known any more, so none is left out for it.
 *
 * @param payments The oldest first.
 */
export function replayFlow(
  payments: readonly PastPayment[],
  { flow, processors, keepsCustomers }: ReplayedFlow,
): FlowReplay {
  const before = new Map<string, number>()
  const after = new Map<string, number>()
  const lastSuccess = new Map<string, string>()
  let [unchanged, refused] = [0, 0]
  for (const { attemptId, processorId, customerId, currency, brand, status } of payments) {
    const kept = lastSuccess.get(customerId)
    const sticky = kept === undefined ? 'none' : { processorId: kept }
    const of = { flow, processors, currency, brand, tried: none, failing: none, draw: drawOf(attemptId) }
    const choice = pickProcessor({ ...of, lastSuccess: keepsCustomers ? sticky : 'off' }).processorId
    before.set(processorId, (before.get(processorId) ?? 0) + 1)
    if (choice === null) refused += 1
    else after.set(choice, (after.get(choice) ?? 0) + 1)
    if (choice === processorId) unchanged += 1
    if (choice !== null && succeeded.has(status)) lastSuccess.set(customerId, choice)
  }
  const ids = [...new Set([...before.keys(), ...after.keys()])]
  const shares = ids.map((id) => ({ processorId: id, before: before.get(id) ?? 0, after: after.get(id) ?? 0 }))
  return { payments: payments.length, unchanged, refused, processors: shares.toSorted((a, b) => b.after - a.after) }
}

const none: ReadonlySet<string> = new Set()
const succeeded: ReadonlySet<Payment['status']> = new Set(['succeeded', 'partially_refunded', 'refunded'])

/** Which payments of an account: the newest so many, of those since a time. */
export interface WantedPast {
  accountId: string
  /** Unix time in milliseconds; 0 for all. */
  sinceMs: number
  /** How many at most. */
  limit: number
}

/** How many are read at a time. */
const PAGE = 1_000

/** Payments that a processor was asked for, by what their choice depended on; the oldest first. */
export async function readPastPayments(
  { accountId, sinceMs, limit }: WantedPast,
  db: Database,
): Promise<PastPayment[]> {
  const from = idsFrom('pay', sinceMs)
  const newestFirst: PastPayment[] = []
  let before = 'pay_~' // behind every id
  while (newestFirst.length < limit) {
    const wanted = Math.min(PAGE, limit - newestFirst.length)
    const rows = readPast(await db.read(selectPast, [accountId, from, before, wanted]))
    newestFirst.push(...rows.map(toPast))
    const last = rows.at(-1)
    if (last === undefined || rows.length < wanted) break
    before = last.id
  }
  return newestFirst.toReversed()
}

const selectPast = `SELECT p.id, p.currency, p.customer_id, p.status, p.card_brand, a.id AS attempt_id, a.processor_id
  FROM payments p
  JOIN payment_attempts a ON a.account_id = p.account_id AND a.payment_id = p.id AND a.ordinal = 1
  WHERE p.account_id = ? AND p.id >= ? AND p.id < ? ORDER BY p.id DESC LIMIT ?`

const pastColumns = {
  ...pick(paymentsTable, 'id', 'currency', 'customer_id', 'status', 'card_brand'),
  attempt_id: paymentAttemptsTable.id,
  processor_id: paymentAttemptsTable.processor_id,
}
const readPast = rowReader(pastColumns)

function toPast(row: RowOf<typeof pastColumns>): PastPayment {
  return {
    attemptId: row.attempt_id,
    processorId: row.processor_id,
    customerId: row.customer_id,
    currency: row.currency,
    brand: row.card_brand,
    status: row.status,
  }
}
