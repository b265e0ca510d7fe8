import type { Database, Row, Statement } from '../dependencies.ts'
import type { Authorization, OrderOutcome } from './outcomes.ts'

/**
 * A payment that is completed elsewhere or later: on a bank's page, by a debit, or with a voucher.
 *
 * - `open`: nothing is decided. `paid`, `canceled`, `refused`: it is.
 * - `late`: it is paid after its time, at `dueMs`.
 */
export interface SimulatedOrder {
  attemptId: string
  processorId: string
  method: OtherMethodName
  status: 'open' | 'paid' | 'canceled' | 'refused' | 'late'
  amount: number
  currency: string
  /** Where the buyer goes back to, `null` for a debit and a voucher. */
  returnUrl: string | null
  /** When a debit is decided, or a late payment comes; `null` where the buyer decides. Unix milliseconds, as all times. */
  dueMs: number | null
  expiresMs: number
  /** Later fate of an accepted debit; `null` for one that is paid, and for other methods. */
  plan: 'refused_later' | 'returned' | null
}

export type OtherMethodName = 'ideal' | 'paypal' | 'sepa_debit' | 'voucher'

/** How long the bank's page stays open, and until when a debit is known and a voucher can be paid. */
const LASTS_MS: Record<OtherMethodName, number> = {
  ideal: 15 * 60_000,
  paypal: 15 * 60_000,
  sepa_debit: 14 * 24 * 3_600_000,
  voucher: 3 * 24 * 3_600_000,
}

/** How long a debit's bank takes: days elsewhere, here as long as a developer waits. */
export const DEBIT_MS = 60_000

/** How long after its time a late payment comes. */
export const LATE_MS = 60_000

/** Outcomes of debits, by IBAN. Source of the numbers: Stripe, "Test SEPA Direct Debit integration". */
const debits: ReadonlyMap<string, 'refused' | 'refused_later' | 'returned'> = new Map([
  ['AT861904300235473202', 'refused'],
  ['AT051904300235473205', 'refused_later'],
  ['AT591904300235473203', 'returned'],
])

/** A new order for an authorization of a method that is no card. */
export function newOrder(
  { attemptId, amount, currency, method, returnUrl = null }: Authorization,
  { processorId, nowMs }: { processorId: string; nowMs: number },
): SimulatedOrder | null {
  if (method.type === 'card') return null
  const name = method.method
  const plan = method.type === 'debit' ? debits.get(method.account.iban) : undefined
  return {
    attemptId,
    processorId,
    method: name,
    status: plan === 'refused' ? 'refused' : 'open',
    amount,
    currency,
    returnUrl,
    dueMs: method.type === 'debit' ? nowMs + DEBIT_MS : null,
    expiresMs: nowMs + LASTS_MS[name],
    plan: plan === undefined || plan === 'refused' ? null : plan,
  }
}

/** Where an order stands; `paid` is for the charge to tell. */
export function outcomeOfOrder(
  order: SimulatedOrder,
  { reference, nowMs, bankUrl }: { reference: string; nowMs: number; bankUrl: string },
): OrderOutcome | 'paid' {
  const { attemptId, method, expiresMs } = order
  const isOver = nowMs >= expiresMs
  switch (order.status) {
    case 'paid':
      return 'paid'
    case 'canceled':
      return refused('buyer_canceled', reference)
    case 'refused':
      return refused('debit_refused', reference)
    case 'late':
      return order.dueMs !== null && nowMs >= order.dueMs ? 'paid' : refused('payment_expired', reference)
    case 'open':
      if (order.dueMs !== null && nowMs >= order.dueMs) {
        return order.plan === 'refused_later' ? refused('debit_refused', reference) : 'paid'
      }
      if (isOver) return refused('payment_expired', reference)
      if (method === 'sepa_debit') return { outcome: 'pending', reference, expiresAtMs: expiresMs }
      if (method === 'voucher')
        return { outcome: 'pending', reference, expiresAtMs: expiresMs, instructions: voucherOf(order, bankUrl) }
      return { outcome: 'redirect', reference, url: `${bankUrl}/pay/${attemptId}`, expiresAtMs: expiresMs }
  }
}

function refused(declineCode: 'buyer_canceled' | 'debit_refused' | 'payment_expired', reference: string): OrderOutcome {
  return { outcome: 'declined', declineCode, kind: 'soft', advice: null, reference }
}

function voucherOf({ attemptId, expiresMs }: SimulatedOrder, bankUrl: string) {
  const digits = [...attemptId]
    .map((each) => each.charCodeAt(0) % 10)
    .join('')
    .slice(-12)
  const code = digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
  return { code, url: `${bankUrl}/pay/${attemptId}`, expiresAt: new Date(expiresMs).toISOString() }
}

/** The statement that records a new order; a duplicate where there is one. */
export function insertOrder(order: SimulatedOrder, createdMs: number): Statement {
  return {
    sql: `INSERT INTO simulator_orders
        (attempt_id, processor_id, method, status, amount, currency, return_url, due_at, expires_at, plan, is_told, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)`,
    params: [
      order.attemptId,
      order.processorId,
      order.method,
      order.status,
      order.amount,
      order.currency,
      order.returnUrl,
      order.dueMs,
      order.expiresMs,
      order.plan,
      createdMs,
    ],
  }
}

/** An order by its attempt, or `null`. */
export async function findOrder(attemptId: string, db: Database): Promise<SimulatedOrder | null> {
  const [row] = await db.read('SELECT * FROM simulator_orders WHERE attempt_id = ?', [attemptId])
  return row === undefined ? null : fromRow(row)
}

function fromRow(row: Row): SimulatedOrder {
  const text = (column: string) => String(row[column])
  return {
    attemptId: text('attempt_id'),
    processorId: text('processor_id'),
    method: text('method') as OtherMethodName, // only ever written from this union, as is the status
    status: text('status') as SimulatedOrder['status'],
    amount: Number(row['amount']),
    currency: text('currency'),
    returnUrl: row['return_url'] === null ? null : text('return_url'),
    dueMs: row['due_at'] === null ? null : Number(row['due_at']),
    expiresMs: Number(row['expires_at']),
    plan: row['plan'] === null ? null : (text('plan') as SimulatedOrder['plan']),
  }
}

/** Buyer's choices on the bank's page. `expire`: does nothing until the order expires. `late`: pays after expiry. */
export const choices = ['pay', 'cancel', 'expire', 'late'] as const
export type Choice = (typeof choices)[number]

/** The statement by which a buyer decides, once and in time. */
export function decideOrder({ attemptId }: SimulatedOrder, choice: Choice, nowMs: number): Statement {
  const status = { pay: 'paid', cancel: 'canceled', expire: 'open', late: 'late' }[choice]
  const isOver = choice === 'expire' || choice === 'late'
  return {
    sql: `UPDATE simulator_orders SET status = ?, due_at = ?, expires_at = CASE WHEN ? = 1 THEN ? ELSE expires_at END, is_told = 0
      WHERE attempt_id = ? AND status = 'open' AND expires_at > ?`,
    params: [status, choice === 'late' ? nowMs + LATE_MS : null, Number(isOver), nowMs, attemptId, nowMs],
    expect: 1,
  }
}

/** Orders that have moved, or whose debit is due, and were not notified since; `reportedOrder` takes one off. */
export async function findMoved(
  db: Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<MovedOrder[]> {
  const rows = await db.read(
    `SELECT attempt_id, processor_id, status, due_at FROM simulator_orders
      WHERE (is_told = 0 AND status <> 'late') OR due_at <= ? ORDER BY attempt_id LIMIT ?`,
    [nowMs, limit],
  )
  return rows.map((row) => ({ attemptId: String(row['attempt_id']), processorId: String(row['processor_id']) }))
}

/** An order that has moved on its own, as a processor would tell by an event. */
export interface MovedOrder {
  attemptId: string
  processorId: string
}

/** The statement that takes an order off the list of those that have moved. */
export function reportedOrder(attemptId: string, nowMs: number): Statement {
  return {
    sql: `UPDATE simulator_orders SET is_told = 1,
        status = CASE WHEN due_at > ? OR due_at IS NULL THEN status WHEN plan = 'refused_later' THEN 'refused' ELSE 'paid' END,
        due_at = CASE WHEN due_at > ? THEN due_at ELSE NULL END
      WHERE attempt_id = ?`,
    params: [nowMs, nowMs, attemptId],
  }
}
