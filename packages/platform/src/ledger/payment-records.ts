import type { Capture, Dispute, Payment, PaymentAttempt, PaymentRouting, Refund } from '@tillwright/contract'
import type { Write } from '../request-context.ts'
import type { Database, Row } from '../storage/index.ts'
import type { FollowUp } from './captures-and-refunds.ts'

/** A payment of the account with its attempts and all that followed them, or `null`. */
export async function readPayment(paymentId: string, accountId: string, db: Database): Promise<Payment | null> {
  const place = [accountId, paymentId]
  const [[row], attempts, followUps, disputes] = await Promise.all([
    db.read('SELECT * FROM payments WHERE account_id = ? AND id = ?', place),
    db.read('SELECT * FROM payment_attempts WHERE account_id = ? AND payment_id = ? ORDER BY ordinal', place),
    readFollowUps(paymentId, accountId, db),
    readDisputes(paymentId, accountId, db),
  ])
  return row === undefined ? null : toPayment(row, { attempts: attempts.map(toAttempt), ...followUps, disputes })
}

type Followed = Pick<Payment, 'attempts' | 'captures' | 'refunds' | 'disputes'>

function toPayment(row: Row, followed: Followed): Payment {
  return {
    id: String(row['id']),
    accountId: String(row['account_id']),
    storeId: String(row['store_id']),
    orderId: String(row['order_id']),
    customerId: String(row['customer_id']),
    paymentInstrumentId: String(row['payment_instrument_id']),
    paymentFlowId: String(row['payment_flow_id']),
    status: String(row['status']) as Payment['status'], // written from this union alone
    requireAction: row['status'] === 'requires_action' ? 'threeds_auth' : 'none',
    nextAction: null,
    threedsSessionId: row['threeds_session_id'] == null ? null : String(row['threeds_session_id']),
    amount: Number(row['amount']),
    currency: String(row['currency']),
    declineCode: row['decline_code'] === null ? null : String(row['decline_code']),
    captureMethod: String(row['capture_method']) as Payment['captureMethod'], // likewise
    statementDescriptor: row['statement_descriptor'] == null ? null : String(row['statement_descriptor']),
    capturedAmount: Number(row['captured_amount']),
    refundedAmount: Number(row['refunded_amount']),
    ...followed,
    funnelSessionId: row['funnel_session_id'] == null ? null : String(row['funnel_session_id']),
    preview: JSON.parse(String(row['preview'] ?? 'null')),
    routing: readRouting(row['routing']),
    subscriptions: readSubscriptions(row['subscriptions']),
    createdAt: new Date(Number(row['created_at'])).toISOString(),
    updatedAt: new Date(Number(row['updated_at'])).toISOString(),
  }
}

/** Payments from before there was more than one processor to ask have none. */
function readRouting(stored: unknown): PaymentRouting {
  const none: PaymentRouting = { overLimits: [], challengeMandated: false, abuseAction: 'none', stopped: null }
  return typeof stored === 'string' ? { ...none, ...JSON.parse(stored) } : none
}

/** Payments from before there were subscriptions have none. */
function readSubscriptions(stored: unknown): Payment['subscriptions'] {
  return typeof stored === 'string' ? JSON.parse(stored) : []
}

function toAttempt(row: Row): PaymentAttempt {
  return {
    id: String(row['id']),
    processorId: String(row['processor_id']),
    status: String(row['status']) as PaymentAttempt['status'], // written from this union alone
    declineCode: row['decline_code'] === null ? null : String(row['decline_code']),
    outcome: row['outcome'] as PaymentAttempt['outcome'], // likewise
    advice: row['advice'] === null ? null : String(row['advice']),
    finishedAt: row['finished_at'] === null ? null : new Date(Number(row['finished_at'])).toISOString(),
    // One from before there were several pools says nothing of them.
    decision: { pool: 'primary', sticky: 'off', ...JSON.parse(String(row['decision'])) },
    createdAt: new Date(Number(row['created_at'])).toISOString(),
  }
}

/** The captures and refunds of a payment, the first ones first. */
async function readFollowUps(
  paymentId: string,
  accountId: string,
  db: Database,
): Promise<Pick<Payment, 'captures' | 'refunds'>> {
  const rows = await db.read(
    'SELECT * FROM payment_follow_ups WHERE account_id = ? AND payment_id = ? ORDER BY created_at, id',
    [accountId, paymentId],
  )
  const of = (kind: FollowUp['kind']) => rows.filter((row) => row['kind'] === kind)
  return { captures: of('capture').map(toCapture), refunds: of('refund').map(toRefund) }
}

/** A row as it was put on record. */
export function toFollowUp(row: Row): FollowUp {
  return {
    id: String(row['id']),
    kind: String(row['kind']) as FollowUp['kind'], // written from this union alone
    paymentId: String(row['payment_id']),
    amount: Number(row['amount']),
    reason: row['reason'] === null ? null : String(row['reason']),
  }
}

function toCapture(row: Row): Capture {
  return {
    id: String(row['id']),
    amount: Number(row['amount']),
    status: String(row['status']) as Capture['status'], // this column and the next are written from their unions alone
    failure: row['failure'] as Capture['failure'],
    createdAt: new Date(Number(row['created_at'])).toISOString(),
    finishedAt: row['finished_at'] === null ? null : new Date(Number(row['finished_at'])).toISOString(),
  }
}

function toRefund(row: Row): Refund {
  const { id, amount, ...moved } = toCapture(row)
  return { id, amount, reason: toFollowUp(row).reason, ...moved }
}

/** The disputes of a payment, the first one first. */
async function readDisputes(paymentId: string, accountId: string, db: Database): Promise<Dispute[]> {
  const rows = await db.read('SELECT * FROM disputes WHERE account_id = ? AND payment_id = ? ORDER BY created_at, id', [
    accountId,
    paymentId,
  ])
  return rows.map(toDispute)
}

/** A dispute of the account, or `null`. */
export async function findDispute(disputeId: string, accountId: string, db: Database): Promise<Dispute | null> {
  const [row] = await db.read('SELECT * FROM disputes WHERE account_id = ? AND id = ?', [accountId, disputeId])
  return row === undefined ? null : toDispute(row)
}

/** The dispute of the account that its processor calls so, or `null`. */
export async function findReportedDispute(reference: string, accountId: string, db: Database): Promise<Dispute | null> {
  const [row] = await db.read('SELECT * FROM disputes WHERE account_id = ? AND reference = ?', [accountId, reference])
  return row === undefined ? null : toDispute(row)
}

/**
 * The statement that records a new dispute; a duplicate where there is one of the reference.
 *
 * @param reference What its processor calls it, or `null`.
 */
export function insertDispute(dispute: Dispute, reference: string | null, nowMs: number): Write {
  const { accountId, id, paymentId, kind, status, reason, amount, currency } = dispute
  return {
    sql: `INSERT INTO disputes (account_id, id, payment_id, kind, status, reason, amount, currency, created_at, reference)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    params: [accountId, id, paymentId, kind, status, reason, amount, currency, nowMs, reference],
  }
}

function toDispute(row: Row): Dispute {
  return {
    id: String(row['id']),
    accountId: String(row['account_id']),
    paymentId: String(row['payment_id']),
    kind: String(row['kind']) as Dispute['kind'], // this column and the next are written from their unions alone
    status: String(row['status']) as Dispute['status'],
    reason: String(row['reason']),
    amount: Number(row['amount']),
    currency: String(row['currency']),
    createdAt: new Date(Number(row['created_at'])).toISOString(),
    closedAt: row['closed_at'] === null ? null : new Date(Number(row['closed_at'])).toISOString(),
  }
}
