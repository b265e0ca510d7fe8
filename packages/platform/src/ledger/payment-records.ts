import type {
  Capture,
  Dispute,
  Payment,
  PaymentAttempt,
  PaymentRouting,
  Refund,
  ShownPaymentMethod,
} from '@tillwright/contract'
import type { Write } from '../request-context.ts'
import { among, type Database, readByIds, type RowOf, rowReader } from '../storage/index.ts'
import type { PostAuthorization } from './captures-and-refunds.ts'
import {
  disputesTable,
  type PaymentAgreement,
  paymentAttemptsTable,
  postAuthorizationsTable,
  paymentsTable,
} from './tables.ts'

/** Payments of the account with their attempts and all that followed them, in any order. */
export async function findPayments(ids: readonly string[], accountId: string, db: Database): Promise<Payment[]> {
  const { sql, params } = among(ids)
  const of = (table: string, order: string) =>
    `SELECT * FROM ${table} WHERE account_id = ? AND payment_id ${sql} ORDER BY ${order}`
  const place = [accountId, ...params]
  const [payments, attempts, postAuthorizations, disputes] = await Promise.all([
    readByIds(paymentsTable, { table: 'payments', ids, accountId }, db),
    db.read(of('payment_attempts', 'payment_id, ordinal'), place),
    db.read(of('payment_follow_ups', 'payment_id, created_at, id'), place),
    db.read(of('disputes', 'payment_id, created_at, id'), place),
  ])
  const followed = {
    attempts: Map.groupBy(readAttempts(attempts), ({ payment_id: id }) => id),
    postAuthorizations: Map.groupBy(readPostAuthorizationRows(postAuthorizations), ({ payment_id: id }) => id),
    disputes: Map.groupBy(readDisputeRows(disputes), ({ payment_id: id }) => id),
  }
  return payments.map((row) =>
    toPayment(row, {
      attempts: (followed.attempts.get(row.id) ?? []).map(toAttempt),
      ...toCapturesAndRefunds(followed.postAuthorizations.get(row.id) ?? []),
      disputes: (followed.disputes.get(row.id) ?? []).map(toDispute),
    }),
  )
}

/** A payment of the account with its attempts and all that followed them, or `null`. */
export async function readPayment(paymentId: string, accountId: string, db: Database): Promise<Payment | null> {
  const place = [accountId, paymentId]
  const [payments, attempts, postAuthorizations, disputes] = await Promise.all([
    db.read('SELECT * FROM payments WHERE account_id = ? AND id = ?', place),
    db.read('SELECT * FROM payment_attempts WHERE account_id = ? AND payment_id = ? ORDER BY ordinal', place),
    readPostAuthorizations(paymentId, accountId, db),
    readDisputes(paymentId, accountId, db),
  ])
  const [row] = readPayments(payments)
  if (row === undefined) return null
  return toPayment(row, { attempts: readAttempts(attempts).map(toAttempt), ...postAuthorizations, disputes })
}

const readPayments = rowReader(paymentsTable)
const readAttempts = rowReader(paymentAttemptsTable)

type Followed = Pick<Payment, 'attempts' | 'captures' | 'refunds' | 'disputes'>

function toPayment(row: RowOf<typeof paymentsTable>, followed: Followed): Payment {
  return {
    id: row.id,
    accountId: row.account_id,
    storeId: row.store_id,
    orderId: row.order_id,
    customerId: row.customer_id,
    paymentInstrumentId: row.payment_instrument_id,
    paymentFlowId: row.payment_flow_id,
    status: row.status,
    paymentMethod: row.method ?? byCard,
    returnUrl: row.return_url,
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at).toISOString(),
    ...actionOf(row),
    threedsSessionId: row.threeds_session_id,
    amount: row.amount,
    currency: row.currency,
    declineCode: row.decline_code,
    captureMethod: row.capture_method,
    statementDescriptor: row.statement_descriptor,
    ...singlePayment,
    ...row.agreement,
    capturedAmount: row.captured_amount,
    refundedAmount: row.refunded_amount,
    ...followed,
    funnelSessionId: row.funnel_session_id,
    preview: row.preview,
    routing: { ...unrouted, ...row.routing },
    subscriptions: row.subscriptions ?? [],
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  }
}

/** The method of a card payment, as payments show it. */
export const byCard: ShownPaymentMethod = { type: 'card', sepaDebit: null, voucher: null }

/** The method where there is nothing to pay: whatever was sent, no processor was asked. */
export const byNothing: ShownPaymentMethod = { type: 'none', sepaDebit: null, voucher: null }

/** The buyer's next action. A payment that waits for the processor's word waits for a buyer who was sent away. */
function actionOf({ status, expires_at, redirect_url: url }: RowOf<typeof paymentsTable>) {
  if (status !== 'requires_action') return { requireAction: 'none', nextAction: null } as const
  if (expires_at === null || url === null) return { requireAction: 'threeds_auth', nextAction: null } as const
  return { requireAction: 'redirect', nextAction: { type: 'redirect', url } } as const
}

/** The agreement of a buyer who pays once, with a challenge or without. */
export const singlePayment: PaymentAgreement = {
  authenticationType: 'payment-transaction',
  recurringInfo: null,
  challengePreference: 'no-preference',
  initiatedBy: 'buyer',
  setupFutureUsage: null,
}

/** The routing of a payment that has not been routed yet. */
const unrouted: PaymentRouting = {
  overLimits: [],
  paidLate: false,
  challengeMandated: false,
  abuseAction: 'none',
  sca: null,
  stopped: null,
}

function toAttempt(row: RowOf<typeof paymentAttemptsTable>): PaymentAttempt {
  return {
    id: row.id,
    processorId: row.processor_id,
    status: row.status,
    declineCode: row.decline_code,
    outcome: row.outcome,
    advice: row.advice,
    networkTransactionId: row.network_transaction_id,
    checks: row.checks,
    exemption: row.exemption,
    fee: row.fee,
    finishedAt: row.finished_at === null ? null : new Date(row.finished_at).toISOString(),
    decision: row.decision,
    createdAt: new Date(row.created_at).toISOString(),
  }
}

/** The captures and refunds of a payment, the first ones first. */
async function readPostAuthorizations(
  paymentId: string,
  accountId: string,
  db: Database,
): Promise<Pick<Payment, 'captures' | 'refunds'>> {
  const rows = await db.read(
    'SELECT * FROM payment_follow_ups WHERE account_id = ? AND payment_id = ? ORDER BY created_at, id',
    [accountId, paymentId],
  )
  return toCapturesAndRefunds(readPostAuthorizationRows(rows))
}

function toCapturesAndRefunds(rows: readonly PostAuthorizationRow[]): Pick<Payment, 'captures' | 'refunds'> {
  const of = (kind: PostAuthorization['kind']) => rows.filter((row) => row.kind === kind)
  return { captures: of('capture').map(toCapture), refunds: of('refund').map(toRefund) }
}

const readPostAuthorizationRows = rowReader(postAuthorizationsTable)

/** Reads the request to the processor from a `payment_follow_ups` row. */
export function toPostAuthorization(
  row: Pick<PostAuthorizationRow, 'id' | 'kind' | 'payment_id' | 'amount' | 'is_final' | 'reason'>,
): PostAuthorization {
  return {
    id: row.id,
    kind: row.kind,
    paymentId: row.payment_id,
    amount: row.amount,
    isFinal: row.is_final,
    reason: row.reason,
  }
}

type PostAuthorizationRow = RowOf<typeof postAuthorizationsTable>

function toCapture(row: PostAuthorizationRow): Capture {
  return {
    id: row.id,
    amount: row.amount,
    finalCapture: row.is_final,
    status: row.status,
    failure: row.failure,
    createdAt: new Date(row.created_at).toISOString(),
    finishedAt: row.finished_at === null ? null : new Date(row.finished_at).toISOString(),
  }
}

function toRefund(row: PostAuthorizationRow): Refund {
  const { id, amount, finalCapture: _, ...moved } = toCapture(row)
  return {
    id,
    accountId: row.account_id,
    storeId: row.store_id,
    paymentId: row.payment_id,
    orderId: row.order_id,
    amount,
    currency: row.currency,
    reason: row.reason,
    ...moved,
  }
}

/** Refunds of the account, in any order; ids of captures and voids find nothing. */
export async function findRefunds(ids: readonly string[], accountId: string, db: Database): Promise<Refund[]> {
  const rows = await readByIds(postAuthorizationsTable, { table: 'payment_follow_ups', ids, accountId }, db)
  return rows.filter(({ kind }) => kind === 'refund').map(toRefund)
}

/** The disputes of a payment, the first one first. */
async function readDisputes(paymentId: string, accountId: string, db: Database): Promise<Dispute[]> {
  const rows = await db.read('SELECT * FROM disputes WHERE account_id = ? AND payment_id = ? ORDER BY created_at, id', [
    accountId,
    paymentId,
  ])
  return readDisputeRows(rows).map(toDispute)
}

const readDisputeRows = rowReader(disputesTable)

/** A dispute of the account, or `null`. */
export async function findDispute(disputeId: string, accountId: string, db: Database): Promise<Dispute | null> {
  const rows = await db.read('SELECT * FROM disputes WHERE account_id = ? AND id = ?', [accountId, disputeId])
  return readDisputeRows(rows).map(toDispute)[0] ?? null
}

/** Disputes of the account, in any order. */
export async function findDisputes(ids: readonly string[], accountId: string, db: Database): Promise<Dispute[]> {
  return (await readByIds(disputesTable, { table: 'disputes', ids, accountId }, db)).map(toDispute)
}

/** The dispute of the account that its processor calls so, or `null`. */
export async function findReportedDispute(reference: string, accountId: string, db: Database): Promise<Dispute | null> {
  const rows = await db.read('SELECT * FROM disputes WHERE account_id = ? AND reference = ?', [accountId, reference])
  return readDisputeRows(rows).map(toDispute)[0] ?? null
}

/**
 * The statement that records a new dispute; a duplicate where there is one of the reference.
 *
 * @param place.reference The processor's reference of it, or `null`.
 */
export function insertDispute(
  dispute: Dispute,
  { reference, nowMs }: { reference: string | null; nowMs: number },
): Write {
  const { accountId, id, storeId, paymentId, orderId, customerId, kind, status, reason, amount, currency } = dispute
  const refersTo = [accountId, id, storeId, paymentId, orderId, customerId]
  const respondBy = dispute.respondBy === null ? null : Date.parse(dispute.respondBy)
  return {
    sql: `INSERT INTO disputes (account_id, id, store_id, payment_id, order_id, customer_id, kind, status, reason, amount,
        currency, respond_by, created_at, reference)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    params: [...refersTo, kind, status, reason, amount, currency, respondBy, nowMs, reference],
  }
}

function toDispute(row: RowOf<typeof disputesTable>): Dispute {
  return {
    id: row.id,
    accountId: row.account_id,
    storeId: row.store_id,
    paymentId: row.payment_id,
    orderId: row.order_id,
    customerId: row.customer_id,
    kind: row.kind,
    status: row.status,
    reason: row.reason,
    amount: row.amount,
    currency: row.currency,
    respondBy: row.respond_by === null ? null : new Date(row.respond_by).toISOString(),
    evidenceSubmittedAt: row.evidence_at === null ? null : new Date(row.evidence_at).toISOString(),
    createdAt: new Date(row.created_at).toISOString(),
    closedAt: row.closed_at === null ? null : new Date(row.closed_at).toISOString(),
  }
}
