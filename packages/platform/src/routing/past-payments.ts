import { type AttemptOutcomeName, idsFrom, type RoutingStop, type Stickiness } from '@tillwright/contract'
import { paymentAttemptsTable, paymentsTable } from '../ledger/index.ts'
import { type Database, pick, type RowOf, rowReader } from '../storage/index.ts'

/** An attempt as its processor was chosen. */
export interface PastAttempt {
  id: string
  /** Where it went. */
  processorId: string
  draw: number
  sticky: Stickiness
  /** The flow's processors that were failing then. */
  failing: ReadonlySet<string>
  outcome: AttemptOutcomeName | null
  /** The network's advice code, `null` for none. */
  advice: string | null
  isSuccess: boolean
}

/** A past payment with what the choices of its processors depended on. */
export interface PastPayment {
  id: string
  customerId: string
  currency: string
  brand: string
  /** Renewals stay with the processor of the last success, whatever their flow says. */
  isRenewal: boolean
  /** Whether it ended because the rules of its flow had no other processor asked. */
  isStoppedByFlow: boolean
  /** In their order, at least one. */
  attempts: readonly PastAttempt[]
  createdMs: number
}

/** The payments of an account to read. */
export interface WantedPast {
  accountId: string
  /** Unix time in milliseconds; 0 for all. */
  sinceMs: number
  /** Only payments before this time, in Unix milliseconds. */
  beforeMs?: number
  storeId?: string
  paymentFlowId?: string
  /** How many at most: the newest. */
  limit: number
  /** When reading has to end, by `performance.now()`; at least one page is read. Never unless given. */
  untilMs?: number
}

/** The payments found; `isComplete` is `false` if time ran out. */
export interface FoundPast {
  /** The oldest first. */
  payments: PastPayment[]
  isComplete: boolean
}

/** How many payments are looked at in one go. */
const PAGE = 1_000

/** Payments that a processor was asked for, drafts left out. Each page is bounded, however few of it are wanted. */
export async function readPastPayments(wanted: WantedPast, db: Database): Promise<FoundPast> {
  const { accountId, sinceMs, beforeMs, storeId, paymentFlowId, limit, untilMs = Number.POSITIVE_INFINITY } = wanted
  const from = idsFrom('pay', sinceMs)
  const newestFirst: PastPayment[] = []
  let before = beforeMs === undefined ? LAST : idsFrom('pay', beforeMs)
  while (newestFirst.length < limit) {
    const ofStore = storeId === undefined ? [] : [storeId]
    const rows = readPage(
      await db.read(storeId === undefined ? selectPage : selectPageOfStore, [
        accountId,
        ...ofStore,
        from,
        before,
        PAGE,
      ]),
    )
    const isWanted = (row: PageRow) =>
      row.preview === null && (paymentFlowId === undefined || row.payment_flow_id === paymentFlowId)
    newestFirst.push(...(await withAttempts(rows.filter(isWanted), accountId, db)))
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) break
    before = last.id
    if (performance.now() >= untilMs && newestFirst.length < limit) {
      return { payments: newestFirst.toReversed(), isComplete: false }
    }
  }
  return { payments: newestFirst.slice(0, limit).toReversed(), isComplete: true }
}

/** Behind every id. */
const LAST = 'pay_~'

const pageColumns = pick(
  paymentsTable,
  'id',
  'currency',
  'customer_id',
  'payment_flow_id',
  'card_brand',
  'preview',
  'routing',
  'subscriptions',
  'created_at',
)
const readPage = rowReader(pageColumns)
type PageRow = RowOf<typeof pageColumns>

const pageOf = (filter: string) => `SELECT ${Object.keys(pageColumns).join(', ')} FROM payments
  WHERE account_id = ? ${filter}AND id >= ? AND id < ? ORDER BY id DESC LIMIT ?`
const selectPage = pageOf('')
const selectPageOfStore = pageOf('AND store_id = ? ')

const selectAttempts = `SELECT payment_id, id, processor_id, status, outcome, advice, decision FROM payment_attempts
  WHERE account_id = ? AND payment_id IN (SELECT item.value ->> 0 FROM {items}) ORDER BY payment_id, ordinal`
const attemptColumns = pick(
  paymentAttemptsTable,
  'payment_id',
  'id',
  'processor_id',
  'status',
  'outcome',
  'advice',
  'decision',
)
const readAttempts = rowReader(attemptColumns)

/** Without those that no processor was asked for. */
async function withAttempts(rows: readonly PageRow[], accountId: string, db: Database): Promise<PastPayment[]> {
  if (rows.length === 0) return []
  const found = readAttempts(await db.read(selectAttempts, [accountId, JSON.stringify(rows.map(({ id }) => [id]))]))
  const attempts = Map.groupBy(found, ({ payment_id: paymentId }) => paymentId)
  return rows.flatMap((row) => {
    const own = attempts.get(row.id)
    return own === undefined ? [] : [toPast(row, own.map(toAttempt))]
  })
}

function toPast(row: PageRow, attempts: PastAttempt[]): PastPayment {
  const stopped = row.routing?.stopped ?? null
  return {
    id: row.id,
    customerId: row.customer_id,
    currency: row.currency,
    brand: row.card_brand,
    isRenewal: (row.subscriptions ?? []).some(({ occasion }) => occasion !== 'first'),
    isStoppedByFlow: stopped !== null && stopsOfFlows.has(stopped),
    attempts,
    createdMs: row.created_at,
  }
}

const stopsOfFlows: ReadonlySet<RoutingStop> = new Set([
  'single_processor',
  'fallback_off',
  'retries_used_up',
  'no_processor_left',
])

function toAttempt(row: RowOf<typeof attemptColumns>): PastAttempt {
  const { draw, sticky, dropped } = row.decision
  const failing = dropped.filter(({ reason }) => reason === 'circuit_open').map(({ processorId }) => processorId)
  return {
    id: row.id,
    processorId: row.processor_id,
    draw,
    sticky,
    failing: failing.length === 0 ? none : new Set(failing),
    outcome: row.outcome,
    advice: row.advice,
    isSuccess: row.status === 'succeeded',
  }
}

const none: ReadonlySet<string> = new Set()
