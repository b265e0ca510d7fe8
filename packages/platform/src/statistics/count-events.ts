import { idsFrom } from '@tillwright/contract'
import { type Database, int, json, nullable, pick, rowReader, text } from '../storage/index.ts'
import { statisticsCountsTable } from './tables.ts'

/** The columns that count, in the order of the table. */
export const counterColumns = pick(
  statisticsCountsTable,
  'created',
  'succeeded',
  'volume',
  'failed',
  'canceled',
  'refunds',
  'refunded_amount',
  'chargebacks',
  'disputed_amount',
  'inquiries',
  'attempts',
  'approved',
)
export type Counter = keyof typeof counterColumns
// The object's own keys are the columns.
export const counters = Object.keys(counterColumns) as Counter[]

/** Adds to a counter, which stops at 2^53 - 1: JSON has no greater whole number that is exact. */
export function addTo(count: number, more: number): number {
  return Math.min(count + more, COUNT_MAX)
}

export const COUNT_MAX = Number.MAX_SAFE_INTEGER

/** Something that counts: what it adds to which counters, when, in which store, in which currency or at which processor. */
export interface Fact {
  adds: Readonly<Partial<Record<Counter, number>>>
  subject: string
  storeId: string | null
  /** Unix time in milliseconds. */
  atMs: number
}

/** Where in an account's event log facts are read. */
export interface Stretch {
  accountId: string
  /** Only events after this id. */
  after: string
  /** Only events up to this id. */
  end: string
}

/** The facts of a stretch of the log; `position` is the last event looked at. */
export interface CountedStretch {
  facts: Fact[]
  position: string
  /** Whether there is more in the stretch than was looked at. */
  hasMore: boolean
}

/** Sorts before and after every event's id. */
export const LOG_START = 'evt_'
export const LOG_END = '~'

/**
 * How long after its id's time an event can still be recorded, at most: ids have the time of requests. Older ones are counted
 * for good, younger ones whenever statistics are read.
 */
const SETTLED_MS = 60_000

/** The last id that no event will be recorded before any more. */
export function settledAt(nowMs: number): string {
  return idsFrom('evt', nowMs - SETTLED_MS)
}

/** How many events are looked at in one go. */
const SCANNED_MAX = { fold: 2_000, read: 20_000 } as const

/**
 * Reads what there is to count in a stretch of the log, from its beginning on.
 *
 * @throws {DatabaseUnavailable}
 */
export async function readFacts(stretch: Stretch, purpose: 'fold' | 'read', db: Database): Promise<CountedStretch> {
  const { accountId, after } = stretch
  const [bound] = readIds(await db.read(selectBound, [accountId, after, stretch.end, SCANNED_MAX[purpose] - 1]))
  const end = bound?.id ?? stretch.end
  const events = readEvents(await db.read(selectEvents, [accountId, after, end]))
  const decided = [...new Set(events.filter(({ event_type: type }) => decides.has(type)).map(paymentOf))]
  const attempts = Map.groupBy(
    decided.length === 0 ? [] : await readAttemptsOf(accountId, decided, db),
    ({ payment_id: paymentId }) => paymentId,
  )
  const [last] = bound === undefined ? readIds(await db.read(selectLast, [accountId, after, end])) : [bound]
  return {
    facts: events.flatMap((event) => factsOf(event, attempts)),
    position: last?.id ?? after,
    hasMore: bound !== undefined,
  }
}

/** Events that can end what processors are asked for. */
const decides = new Set(['s_payment_authorized', 's_payment_succeeded', 's_payment_failed'])
const counted = [
  ...decides,
  's_payment_created',
  's_payment_partially_captured',
  's_payment_paid_late',
  's_payment_canceled',
  's_payment_refunded',
  's_payment_capture_failed',
  's_payment_refund_failed',
  's_dispute_opened',
]

const selectBound = `SELECT id FROM events WHERE account_id = ? AND id > ? AND id <= ? ORDER BY id LIMIT 1 OFFSET ?`
const selectLast = `SELECT id FROM events WHERE account_id = ? AND id > ? AND id <= ? ORDER BY id DESC LIMIT 1`
const readIds = rowReader({ id: text })

const selectEvents = `SELECT event_type, store_id, properties, created_at FROM events
  WHERE account_id = ? AND id > ? AND id <= ? AND draft = 0
    AND event_type IN (${counted.map((type) => `'${type}'`).join(', ')})`
const readEvents = rowReader({
  event_type: text,
  store_id: nullable(text),
  properties: json<Record<string, unknown>>(),
  created_at: int,
})
type EventRow = ReturnType<typeof readEvents>[number]

/**
 * `in_parts` is what of the payment was captured, and told, in parts before it ended. One that was reversed since was counted
 * as well; one that was reversed before its order was paid was not among what the end tells.
 */
const selectAttempts = `SELECT a.payment_id, a.processor_id, a.status, p.capture_method,
    CASE WHEN p.capture_method = 'manual' THEN (SELECT CAST(COALESCE(SUM(f.amount), 0) AS BIGINT)
      FROM payment_follow_ups f WHERE f.account_id = p.account_id AND f.payment_id = p.id
        AND f.kind = 'capture' AND f.is_final = 0
        AND (f.status = 'succeeded' OR (f.failure = 'reversed' AND f.finished_at >= o.paid_at))) ELSE 0 END AS in_parts
  FROM payment_attempts a JOIN payments p ON p.account_id = a.account_id AND p.id = a.payment_id
    JOIN orders o ON o.account_id = p.account_id AND o.id = p.order_id
  WHERE a.account_id = ? AND a.payment_id IN (SELECT item.value ->> 0 FROM {items})`
const readAttempts = rowReader({
  payment_id: text,
  processor_id: text,
  status: text,
  capture_method: text,
  in_parts: int,
})
type AttemptRow = ReturnType<typeof readAttempts>[number]

async function readAttemptsOf(accountId: string, paymentIds: readonly string[], db: Database): Promise<AttemptRow[]> {
  return readAttempts(await db.read(selectAttempts, [accountId, JSON.stringify(paymentIds.map((id) => [id]))]))
}

function paymentOf({ properties }: EventRow): string {
  return String(properties['paymentId'])
}

/** An event's additions to the counters. */
function factsOf(event: EventRow, attempts: ReadonlyMap<string, readonly AttemptRow[]>): Fact[] {
  const { properties, store_id: storeId, created_at: atMs } = event
  const { currency, kind, failure, status: paymentStatus } = properties
  const [isReversed, hasFailed] = [failure === 'reversed', paymentStatus === 'failed']
  const of = (field: string) => Number(properties[field] ?? 0)
  const payment = (adds: Fact['adds']): Fact[] => [{ adds, subject: String(currency), storeId, atMs }]
  /** The attempts of the payment, counted once: at its authorization, if it is captured by hand. */
  const tried = (captureMethod: string | null): Fact[] =>
    (attempts.get(paymentOf(event)) ?? [])
      .filter((attempt) => captureMethod === null || attempt.capture_method === captureMethod)
      .map(({ processor_id: subject, status }) => {
        const adds = { attempts: 1, approved: status === 'succeeded' ? 1 : 0 }
        return { adds, subject, storeId, atMs }
      })
  const inParts = () => attempts.get(paymentOf(event))?.[0]?.in_parts ?? 0
  switch (event.event_type) {
    case 's_payment_created':
      return payment({ created: 1 })
    case 's_payment_authorized':
      return tried('manual')
    case 's_payment_succeeded':
      return [...payment({ succeeded: 1, volume: of('amount') - inParts() }), ...tried('automatic')]
    case 's_payment_partially_captured':
      return payment({ volume: of('captureAmount') })
    // It counts as failed already; its money was there all the same, and comes back as a refund.
    case 's_payment_paid_late':
      return payment({ volume: of('amount') })
    case 's_payment_failed':
      return [...payment({ failed: 1 }), ...tried(null)]
    case 's_payment_canceled':
      return payment({ canceled: 1 })
    case 's_payment_refunded':
      return payment({ refunds: 1, refunded_amount: of('refundAmount') })
    // A refusal has moved nothing; what is reversed was counted when it was done, and is taken off when it is told.
    case 's_payment_refund_failed':
      return isReversed ? payment({ refunds: -1, refunded_amount: -of('refundAmount') }) : []
    case 's_payment_capture_failed':
      return isReversed ? payment({ volume: -of('captureAmount'), ...(hasFailed && { succeeded: -1, failed: 1 }) }) : []
    default:
      return payment(kind === 'inquiry' ? { inquiries: 1 } : { chargebacks: 1, disputed_amount: of('amount') })
  }
}
