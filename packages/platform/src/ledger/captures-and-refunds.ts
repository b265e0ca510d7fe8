import { type Capture, type Payment, type PostAuthorizationFailure, REFUNDS_MAX } from '@tillwright/contract'
import { CLAIM_LEASE_MS } from '../cluster/index.ts'
import type { Emitter } from '../events/index.ts'
import type { RequestContext, Services, Write } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import type { Statement } from '../storage/index.ts'
import { holds } from './ledger.ts'
import { type Held, requireWay } from './payment-status.ts'

/** A request to the processor after the authorization. `amount` is 0 for a void. */
export interface PostAuthorization {
  /** The idempotency key towards the processor. */
  id: string
  kind: 'capture' | 'refund' | 'void'
  paymentId: string
  /** In minor units of the payment's currency. */
  amount: number
  /** Whether no other capture follows; true for refunds and voids. */
  isFinal: boolean
  /** Why money is given back, in the shop's words. */
  reason: string | null
}

/** The error while another capture, refund or void of the payment is pending, or after one has closed the payment. */
export function underWay(paymentId: string): ApiError {
  return new ApiError(
    'state_conflict',
    `The payment '${paymentId}' is being captured, refunded or voided by another request, or was; read it, and send what is still to be done under another Idempotency-Key.`,
  )
}

/** What is known when a capture, refund or void is put on record. */
type Beginning = Pick<RequestContext, 'nowMs' | 'idempotencyKey'> & { services: Pick<Services, 'cluster'> }

type OfPayment = Pick<Payment, 'id' | 'accountId' | 'storeId' | 'orderId' | 'currency'>

/**
 * Records what the processor is about to be asked, and reserves the money. Of two concurrent requests, a unique index
 * refuses one.
 */
export function beginPostAuthorization(
  postAuthorization: PostAuthorization,
  payment: OfPayment,
  beginning: Beginning,
): Write[] {
  return [
    insertPending(postAuthorization, payment, beginning),
    postAuthorization.kind === 'refund'
      ? reserveRefund(postAuthorization, payment)
      : requireAuthorised(postAuthorization, payment),
  ]
}

/**
 * The same for a refund that its processor has made by itself. It is a fact: neither a dispute of the same money nor the
 * number of refunds keeps it off the record.
 */
export function beginReportedRefund(refund: PostAuthorization, payment: OfPayment, beginning: Beginning): Write[] {
  const reserve = {
    sql: `UPDATE payments SET refund_reserved = refund_reserved + ? WHERE account_id = ? AND id = ?
      AND status IN ('succeeded', 'partially_refunded') AND captured_amount - refund_reserved >= ?`,
    params: [refund.amount, payment.accountId, payment.id, refund.amount],
    expect: 1,
    onRefused: () => underWay(payment.id),
  }
  return [insertPending(refund, payment, beginning), reserve]
}

function insertPending(
  postAuthorization: PostAuthorization,
  payment: OfPayment,
  { nowMs, idempotencyKey, services }: Beginning,
): Write {
  const times = {
    holder: services.cluster.self.id,
    leaseUntil: nowMs + CLAIM_LEASE_MS,
    createdAt: nowMs,
    finishedAt: null,
  }
  const { accountId, storeId, orderId, currency } = payment
  const row = {
    ...postAuthorization,
    accountId,
    storeId,
    orderId,
    currency,
    status: 'pending' as const,
    idempotencyKey,
    ...times,
  }
  return {
    ...insertPostAuthorization(row),
    onRefused: () => underWay(payment.id),
    giveBack: freePostAuthorization({ accountId, id: row.id, holder: times.holder }),
  }
}

/** Frees one that its process does not bring to its end: recovery takes it at once. */
export function freePostAuthorization({ accountId, id, holder }: Omit<Held, 'leaseUntilMs'>): Statement {
  return {
    sql: `UPDATE payment_follow_ups SET lease_until = 1
      WHERE account_id = ? AND id = ? AND holder = ? AND status = 'pending' RETURNING id`,
    params: [accountId, id, holder],
  }
}

/** The capture of a payment whose processor takes the money with the authorisation. */
export function capturedAtOnce({ amount }: Pick<Payment, 'amount'>, { nowMs, newId }: Emitter): Capture {
  const at = new Date(nowMs).toISOString()
  const done = { status: 'succeeded', failure: null, createdAt: at, finishedAt: at } as const
  return { id: newId('cap'), amount, finalCapture: true, ...done }
}

/** The statement that records it. */
export function recordCapture({ id, amount, status }: Capture, payment: OfPayment, nowMs: number): Write {
  const times = { holder: null, leaseUntil: 0, createdAt: nowMs, finishedAt: nowMs }
  const what = { id, kind: 'capture' as const, paymentId: payment.id, amount, isFinal: true, reason: null }
  const { accountId, storeId, orderId, currency } = payment
  const insert = insertPostAuthorization({
    ...what,
    accountId,
    storeId,
    orderId,
    currency,
    status,
    idempotencyKey: null,
    ...times,
  })
  return { ...insert, onRefused: holds('single_capture', payment.id) }
}

/**
 * Records the processor's outcome. Guarded, because it is recorded once: what is withdrawn later is `reversePostAuthorization`.
 *
 * @param outcome The processor's reference, or why it refused.
 */
export function finishPostAuthorization(
  { id, kind, paymentId }: PostAuthorization,
  outcome: { reference: string } | { failure: PostAuthorizationFailure },
  { accountId, nowMs, heldBy }: { accountId: string; nowMs: number; heldBy: string },
): Write[] {
  const status = 'failure' in outcome ? 'failed' : 'succeeded'
  requireWay(kind, 'pending', status)
  // Both are words of our own; as parameters they would stand before the account.
  const failure = 'failure' in outcome ? `'${outcome.failure}'` : 'NULL'
  const finish: Write = {
    sql: `UPDATE payment_follow_ups SET status = '${status}', failure = ${failure}, finished_at = ?
      WHERE account_id = ? AND id = ? AND status = 'pending' AND holder = ?`,
    params: [nowMs, accountId, id, heldBy],
    expect: 1,
    onRefused: () => recordedMeanwhile(paymentId),
  }
  return 'failure' in outcome ? [finish] : [finish, nameAtProcessor({ accountId, id }, outcome.reference)]
}

/** How long a capture, refund or void waits for word of its processor before that is asked, in milliseconds. */
const ASK_AGAIN_MS = 15 * 60_000

/** The statements that have one wait for word of its processor, which has accepted it. No process has it meanwhile. */
export function awaitPostAuthorization(
  { id, paymentId }: Pick<PostAuthorization, 'id' | 'paymentId'>,
  { reference }: { reference: string },
  { accountId, nowMs, heldBy }: { accountId: string; nowMs: number; heldBy: string },
): Write[] {
  const wait: Write = {
    sql: `UPDATE payment_follow_ups SET lease_until = ?
      WHERE account_id = ? AND id = ? AND status = 'pending' AND holder = ?`,
    params: [nowMs + ASK_AGAIN_MS, accountId, id, heldBy],
    expect: 1,
    onRefused: () => recordedMeanwhile(paymentId),
  }
  return [wait, nameAtProcessor({ accountId, id }, reference)]
}

/** The processor's name of one, in a statement of its own: the first text of a transaction is its account. */
function nameAtProcessor({ accountId, id }: { accountId: string; id: string }, reference: string): Write {
  const sql = 'UPDATE payment_follow_ups SET reference = ? WHERE account_id = ? AND id = ?'
  return { sql, params: [reference, accountId, id] }
}

/**
 * The statement that counts a refund as given back; its guard is that it was set aside, and that the money is there or was,
 * until its capture was reversed.
 */
export function recordRefunded({ amount }: PostAuthorization, { id, accountId }: OfPayment): Write {
  return {
    sql: `UPDATE payments SET refunded_amount = refunded_amount + ? WHERE account_id = ? AND id = ?
      AND refunded_amount + ? <= refund_reserved AND refund_reserved <= captured_amount
        + (SELECT COALESCE(SUM(f.amount), 0) FROM payment_follow_ups f WHERE f.account_id = payments.account_id
          AND f.payment_id = payments.id AND f.kind = 'capture' AND f.failure = 'reversed')`,
    params: [amount, accountId, id, amount],
    expect: 1,
    onRefused: holds('refunds_within_capture', id),
  }
}

/** The statement that frees what a refund had set aside. */
export function releaseRefund({ amount }: PostAuthorization, { id, accountId }: OfPayment): Write {
  return {
    sql: `UPDATE payments SET refund_reserved = refund_reserved - ?
      WHERE account_id = ? AND id = ? AND refund_reserved - ? >= refunded_amount`,
    params: [amount, accountId, id, amount],
    expect: 1,
    onRefused: holds('reservation_kept', id),
  }
}

/**
 * The statements by which a capture or a refund has come to nothing that had succeeded: its money is counted no more. Once,
 * however often the processor reports it.
 */
export function reversePostAuthorization(
  { id, kind, amount }: PostAuthorization & { kind: 'capture' | 'refund' },
  { id: paymentId, accountId }: OfPayment,
  nowMs: number,
): Write[] {
  requireWay(kind, 'succeeded', 'failed')
  const sums = kind === 'refund' ? ['refunded_amount', 'refund_reserved'] : ['captured_amount']
  return [
    {
      sql: `UPDATE payment_follow_ups SET status = 'failed', failure = 'reversed', finished_at = ?
        WHERE account_id = ? AND id = ? AND status = 'succeeded'`,
      params: [nowMs, accountId, id],
      expect: 1,
      onRefused: () => recordedMeanwhile(paymentId),
    },
    {
      sql: `UPDATE payments SET ${sums.map((sum) => `${sum} = ${sum} - ?`).join(', ')} WHERE account_id = ? AND id = ?`,
      params: [...sums.map(() => amount), accountId, paymentId],
      expect: 1,
    },
  ]
}

interface PostAuthorizationRow extends PostAuthorization {
  accountId: string
  storeId: string
  orderId: string
  currency: string
  status: 'pending' | 'succeeded' | 'failed'
  idempotencyKey: string | null
  holder: string | null
  leaseUntil: number
  createdAt: number
  finishedAt: number | null
}

function insertPostAuthorization(row: PostAuthorizationRow): Write {
  const { accountId, id, paymentId, kind, amount, isFinal, reason, status, idempotencyKey } = row
  return {
    sql: `INSERT INTO payment_follow_ups (account_id, id, store_id, payment_id, order_id, kind, currency, amount, is_final,
        reason, status, idempotency_key, holder, lease_until, created_at, finished_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    params: [
      accountId,
      id,
      row.storeId,
      paymentId,
      row.orderId,
      kind,
      row.currency,
      amount,
      Number(isFinal),
      reason,
      status,
      idempotencyKey,
      row.holder,
      row.leaseUntil,
      row.createdAt,
      row.finishedAt,
    ],
  }
}

function reserveRefund({ amount, paymentId }: PostAuthorization, { accountId }: OfPayment): Write {
  return {
    sql: `UPDATE payments SET refund_reserved = refund_reserved + ?, refund_tries = refund_tries + 1
      WHERE account_id = ? AND id = ? AND status IN ('succeeded', 'partially_refunded') AND refund_tries < ${REFUNDS_MAX}
        AND captured_amount - refund_reserved - disputed_amount >= ?`,
    params: [amount, accountId, paymentId, amount],
    expect: 1,
    onRefused: () => underWay(paymentId),
  }
}

/** Changes nothing but what it guards. */
function requireAuthorised({ amount, paymentId }: PostAuthorization, { accountId }: OfPayment): Write {
  return {
    sql: `UPDATE payments SET status = status WHERE account_id = ? AND id = ? AND status = 'authorized'
      AND amount - captured_amount >= ?`,
    params: [accountId, paymentId, amount],
    expect: 1,
    onRefused: () => underWay(paymentId),
  }
}

/** The answer to a capture, refund or void whose outcome another process has recorded. */
export function recordedMeanwhile(paymentId: string): ApiError {
  return new ApiError(
    'state_conflict',
    `The outcome was recorded by another process meanwhile; read the payment '${paymentId}' to see it.`,
  )
}
