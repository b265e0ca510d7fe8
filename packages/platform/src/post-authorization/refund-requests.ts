import { type Payment, type RefundRequest, rolesWith } from '@tillwright/contract'
import { type Recorder, record, worker } from '../audit/index.ts'
import { type Emitter, emit } from '../events/index.ts'
import { actorNames, type Reader } from '../members/index.ts'
import { paymentsTable, type PostAuthorization, withoutErrors } from '../ledger/index.ts'
import type { Reply, RequestContext, Services, Write } from '../request-context.ts'
import { ApiError, newId } from '../runtime/index.ts'
import { type Database, pick, readByIds, type RowOf, rowReader } from '../storage/index.ts'
import { refundLimitsTable, refundRequestsTable } from './tables.ts'

const requestColumns = { ...refundRequestsTable, ...pick(paymentsTable, 'customer_id') }

/** A request with the customer of its payment. */
export type RefundRequestRow = RowOf<typeof requestColumns>

/** How long a request can be approved. */
const LIFETIME_MS = 7 * 24 * 60 * 60 * 1_000

const readLimits = rowReader(refundLimitsTable)

/** The limits of an account, in the order of their currencies. */
export async function refundLimitsOf(accountId: string, db: Database): Promise<{ currency: string; amount: number }[]> {
  const rows = readLimits(
    await db.read('SELECT * FROM refund_limits WHERE account_id = ? ORDER BY currency', [accountId]),
  )
  return rows.map(({ currency, amount }) => ({ currency, amount }))
}

/** Sum of a payment's refunds, made or under way, in minor units. */
export function refundedSoFar({ refunds }: Pick<Payment, 'refunds'>): number {
  return refunds.reduce((sum, { status, amount }) => (status === 'failed' ? sum : sum + amount), 0)
}

/** The reply to a refund that waits, with the statements that put its request on record. */
type Waiting = Extract<Reply<Payment & { refundRequest: RefundRequest }>, { body: unknown }> & { writes: Write[] }

/**
 * Whether a refund has to wait for a second person: when all refunds of the payment, with this one, are above the limit of
 * its currency. So many small refunds are one large one, however long they take.
 *
 * @returns The reply that says so, or the guard that a refund below the limit is recorded with: of several at once, those
 *   that come above it are refused. Without a limit there is nothing to guard.
 */
export async function secondPersonFor(
  { amount, reason }: PostAuthorization,
  payment: Payment,
  context: RequestContext,
): Promise<{ waits: Waiting } | { guard: Write[] }> {
  const { id: paymentId, accountId, storeId, customerId, currency } = payment
  const { caller, nowMs, services } = context
  const limits = await refundLimitsOf(accountId, services.db)
  const limit = limits.find((each) => each.currency === currency)
  if (limit === undefined) return { guard: [] }
  const before = refundedSoFar(payment)
  if (before + amount <= limit.amount)
    return { guard: [requireRefunded({ accountId, paymentId }, limit.amount - amount)] }
  const row: RefundRequestRow = {
    account_id: accountId,
    id: context.newId('rfr'),
    store_id: storeId,
    customer_id: customerId,
    payment_id: paymentId,
    amount,
    currency,
    reason,
    refunded_before: before,
    status: 'pending',
    requested_by: caller.actor.id,
    decided_by: null,
    refund_id: null,
    created_at: nowMs,
    expires_at: nowMs + LIFETIME_MS,
    decided_at: null,
  }
  const refundRequest = toRefundRequest(row, new Map([[caller.actor.id, caller.actor.name]]))
  const change = { resource: { type: 'refundRequest', id: row.id }, after: refundRequest }
  const overdue = readRequests(await services.db.read(selectOverdueOf, [accountId, paymentId, nowMs]))
  const created = { storeId, customerId, properties: { ...propertiesOf(row), expiresAt: refundRequest.expiresAt } }
  const writes = [
    ...overdue.flatMap((each) => expireWrites(each, context)),
    insertRequest(row),
    ...emit('s_refund_request_created', created, context),
  ]
  return { waits: { body: { ...payment, refundRequest }, writes, change } }
}

/** Changes nothing but what it guards: that no more of the payment was refunded, or is under way, than this. */
function requireRefunded({ accountId, paymentId }: { accountId: string; paymentId: string }, atMost: number): Write {
  return {
    sql: 'UPDATE payments SET status = status WHERE account_id = ? AND id = ? AND refund_reserved <= ?',
    params: [accountId, paymentId, atMost],
    expect: 1,
    onRefused: () =>
      new ApiError(
        'state_conflict',
        `The payment '${paymentId}' was refunded by another request; read it, and try again.`,
      ),
  }
}

/** One request of a payment waits at a time. */
function insertRequest(row: RefundRequestRow): Write {
  return {
    sql: `INSERT INTO refund_requests (account_id, id, store_id, payment_id, amount, currency, reason, refunded_before,
          status, requested_by, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?)`,
    params: [
      row.account_id,
      row.id,
      row.store_id,
      row.payment_id,
      row.amount,
      row.currency,
      row.reason,
      row.refunded_before,
      row.requested_by,
      row.created_at,
      row.expires_at,
    ],
    onRefused: () =>
      new ApiError(
        'state_conflict',
        `A refund of the payment '${row.payment_id}' waits for approval already. ${whoApproves()} Or decline it, and request another one.`,
      ),
  }
}

type Properties = Record<'refundRequestId' | 'paymentId' | 'currency' | 'requestedBy', string> & { amount: number }

function propertiesOf({ id, payment_id: paymentId, amount, currency, requested_by }: RefundRequestRow): Properties {
  return { refundRequestId: id, paymentId, amount, currency, requestedBy: requested_by }
}

/** The statements that end a request whose time is over, with its event and its entry of the audit log. */
function expireWrites(row: RefundRequestRow, context: Omit<Emitter, 'caller'> & Recorder): Write[] {
  const { account_id: accountId, id, store_id: storeId, customer_id: customerId } = row
  const resource = { type: 'refundRequest', id }
  const change = { before: { status: 'pending' }, after: { status: 'expired' } }
  const emitter = { ...context, caller: { accountId } }
  return [
    {
      sql: `UPDATE refund_requests SET status = 'expired', decided_at = ? WHERE account_id = ? AND id = ?
        AND status = 'pending'`,
      params: [context.nowMs, accountId, id],
      expect: 1,
    },
    ...emit('s_refund_request_expired', { storeId, customerId, properties: propertiesOf(row) }, emitter),
    ...record(
      { accountId, actor: worker('retention'), operation: 'refundRequests.expire', resource, ...change },
      context,
    ),
  ]
}

/** How many requests are ended in a row, so that a long list keeps nothing else waiting. */
const EXPIRED_AT_ONCE = 100

/** Ends the requests that were not decided in time, each in a transaction of its own: it may be declined meanwhile. */
export async function expireRequests(
  services: Pick<Services, 'db' | 'clock' | 'randomness' | 'secrets'>,
): Promise<void> {
  const nowMs = services.clock.now()
  const makeId: RequestContext['newId'] = (prefix) => newId(prefix, nowMs, services.randomness)
  for (const row of readRequests(await services.db.read(selectOverdue, [nowMs, EXPIRED_AT_ONCE]))) {
    await services.db.write(withoutErrors(expireWrites(row, { nowMs, newId: makeId, services })))
  }
}

const selectRequests = `SELECT r.*, p.customer_id FROM refund_requests r
  JOIN payments p ON p.account_id = r.account_id AND p.id = r.payment_id`
const selectOverdue = `${selectRequests} WHERE r.status = 'pending' AND r.expires_at <= ? ORDER BY r.expires_at LIMIT ?`
const selectOverdueOf = `${selectRequests} WHERE r.account_id = ? AND r.payment_id = ? AND r.status = 'pending'
  AND r.expires_at <= ?`

/** Decides a request, once. An approval is guarded by what was refunded when it was requested. */
export function decideRequest(
  row: RefundRequestRow,
  { by, refundId }: { by: string; refundId: string | null },
  context: RequestContext,
): Write[] {
  const { account_id: accountId, id, payment_id: paymentId, refunded_before: before } = row
  const status = refundId === null ? 'declined' : 'approved'
  const decide: Write = {
    // The account stands first in what is written together.
    sql: `UPDATE refund_requests SET status = '${status}', decided_at = ? WHERE account_id = ? AND id = ?
      AND status = 'pending'`,
    params: [context.nowMs, accountId, id],
    expect: 1,
    onRefused: () => decidedAlready(id),
  }
  const note = {
    sql: 'UPDATE refund_requests SET decided_by = ?, refund_id = ? WHERE account_id = ? AND id = ?',
    params: [by, refundId, accountId, id],
  }
  const about = { storeId: row.store_id, customerId: row.customer_id }
  const properties = { ...propertiesOf(row), decidedBy: by }
  if (refundId === null) return [decide, note, ...emit('s_refund_request_declined', { ...about, properties }, context)]
  const approved = { ...about, properties: { ...properties, refundId } }
  const guard = requireRefunded({ accountId, paymentId }, before)
  return [guard, decide, note, ...emit('s_refund_request_approved', approved, context)]
}

export function decidedAlready(id: string): ApiError {
  return new ApiError('state_conflict', `The request '${id}' was decided already, or is too old; read it.`)
}

/** In words: who may do it instead. */
export function whoApproves(): string {
  return `Another member has to approve it; ask ${rolesWith('refunds:write')}.`
}

/** Requests of the account, in any order. */
export async function findRefundRequests(
  ids: readonly string[],
  reader: Reader,
  db: Database,
): Promise<RefundRequest[]> {
  const { accountId } = reader
  const rows = await readByIds(refundRequestsTable, { table: 'refund_requests', ids, accountId }, db)
  const people = rows.flatMap(({ requested_by, decided_by }) => [requested_by, ...(decided_by ? [decided_by] : [])])
  const names = await actorNames([...new Set(people)], reader, db)
  return rows.map((row) => toRefundRequest(row, names))
}

const readRequests = rowReader(requestColumns)

/** A request of the account, or `null`. */
export async function findRequestRow(id: string, accountId: string, db: Database): Promise<RefundRequestRow | null> {
  const rows = await db.read(`${selectRequests} WHERE r.account_id = ? AND r.id = ?`, [accountId, id])
  return readRequests(rows)[0] ?? null
}

function toRefundRequest(
  row: Omit<RefundRequestRow, 'customer_id'>,
  names: ReadonlyMap<string, string | null>,
): RefundRequest {
  return {
    id: row.id,
    accountId: row.account_id,
    storeId: row.store_id,
    paymentId: row.payment_id,
    amount: row.amount,
    currency: row.currency,
    reason: row.reason,
    status: row.status,
    requestedBy: row.requested_by,
    requestedByName: names.get(row.requested_by) ?? null,
    decidedBy: row.decided_by,
    decidedByName: names.get(row.decided_by ?? '') ?? null,
    refundId: row.refund_id,
    approval: whoApproves(),
    createdAt: new Date(row.created_at).toISOString(),
    expiresAt: new Date(row.expires_at).toISOString(),
    decidedAt: row.decided_at === null ? null : new Date(row.decided_at).toISOString(),
  }
}
