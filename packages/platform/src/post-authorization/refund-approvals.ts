import type { Contract, RefundRequest } from '@tillwright/contract'
import { apiKeysTable } from '../accounts/index.ts'
import { emit } from '../events/index.ts'
import { planPostAuthorization, readPayment } from '../ledger/index.ts'
import { equalTo, findByIds, type ListTable, readList } from '../lists/index.ts'
import type { Reader } from '../members/index.ts'
import type { CallingMember, Handlers, RequestContext } from '../request-context.ts'
import type { Charging } from '../routing/index.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { pick, rowReader } from '../storage/index.ts'
import { carryOut, guardReason } from './post-authorization.ts'
import {
  decidedAlready,
  decideRequest,
  findRefundRequests,
  findRequestRow,
  refundedSoFar,
  refundLimitsOf,
  type RefundRequestRow,
  whoApproves,
} from './refund-requests.ts'

/** Above which sum a refund needs a second person. */
export const refundLimits: Handlers<Contract['refundLimits']> = {
  get: async (_, { caller, services }) => ({
    body: { data: await refundLimitsOf(caller.accountId, services.db) },
  }),
  async set({ body: { currency, amount } }, context) {
    const { accountId } = context.caller
    const { services } = context
    const before = await refundLimitsOf(accountId, services.db)
    const others = before.filter((each) => each.currency !== currency)
    const data = [...others, ...(amount === null ? [] : [{ currency, amount }])].toSorted((a, b) =>
      a.currency < b.currency ? -1 : 1,
    )
    const removed = {
      sql: 'DELETE FROM refund_limits WHERE account_id = ? AND currency = ?',
      params: [accountId, currency],
    }
    const added = {
      sql: 'INSERT INTO refund_limits (account_id, currency, amount) VALUES (?, ?, ?)',
      params: [accountId, currency, amount],
    }
    const events = emit('s_account_updated', { properties: { accountId, changed: ['refundLimits'] } }, context)
    return {
      body: { data },
      writes: [removed, ...(amount === null ? [] : [added]), ...events],
      change: { resource: { type: 'account', id: accountId }, before: { limits: before }, after: { limits: data } },
    }
  },
}

/** Refunds that wait for a second person. */
export function refundRequests(charging: Charging): Handlers<Contract['refundRequests']> {
  return {
    async list({ query }, { caller, services: { db } }) {
      const { accountId } = caller
      const { status, storeId, paymentId, q } = query
      const filters = [
        ...equalTo('payment_id', paymentId),
        ...equalTo('status', status),
        ...equalTo('store_id', storeId),
      ]
      const place = { table: 'refund_requests', columns: ['id', 'payment_id'], accountId, db }
      const anyOf = q === undefined ? null : await findByIds(q, place)
      return { body: await readList(requestList(caller), { accountId, query, filters, anyOf }, db) }
    },
    async get({ params: { refundRequestId: id } }, { caller, services }) {
      const [request] = await findRefundRequests([id], caller, services.db)
      if (request === undefined) throw missing('refund request', id, 'refundRequestId')
      return { body: request }
    },
    async approve({ params: { refundRequestId: id } }, context) {
      const { member, request } = await decidable(id, context)
      if (request.expires_at <= context.nowMs) throw decidedAlready(id)
      await requireAnother(request, { member, context })
      const { accountId } = context.caller
      const seen = await readPayment(request.payment_id, accountId, context.services.db)
      if (seen === null) throw missing('payment', request.payment_id)
      if (refundedSoFar(seen) !== request.refunded_before) throw refundedSince(request)
      const wanted = {
        kind: 'refund',
        amount: request.amount,
        ...(request.reason && { reason: request.reason }),
      } as const
      const operation = planPostAuthorization(seen, wanted, context.newId)
      const instead = 'decline the request, and make another without it'
      const notErased = await guardReason(operation, { seen, instead }, context)
      const decided = decideRequest(request, { by: member.memberId, refundId: operation.id }, context)
      const writes = [...decided, ...notErased]
      return carryOut(operation, { seen, writes, after: { ...wanted, refundRequestId: id } }, { context, charging })
    },
    async decline({ params: { refundRequestId: id } }, context) {
      const { member, request } = await decidable(id, context)
      const { caller, nowMs, services } = context
      const [before] = await findRefundRequests([id], caller, services.db)
      if (before === undefined) throw missing('refund request', id, 'refundRequestId')
      const decidedAt = new Date(nowMs).toISOString()
      const by = { decidedBy: member.memberId, decidedByName: caller.actor.name, decidedAt }
      const writes = decideRequest(request, { by: member.memberId, refundId: null }, context)
      return { body: { ...before, status: 'declined', ...by }, writes, change: { before } }
    },
  }
}

const requestList = (reader: Reader): ListTable<RefundRequest> => ({
  table: 'refund_requests',
  orderedBy: { id: 'rfr' },
  indexed: ['payment_id', 'status', 'store_id'],
  read: (ids, _, db) => findRefundRequests(ids, reader, db),
})

/** A request that waits, of a store that the member has. */
async function decidable(
  id: string,
  { caller, services }: RequestContext,
): Promise<{ member: CallingMember; request: RefundRequestRow }> {
  const { member, accountId } = caller
  if (member === undefined) throw new Error('The HTTP layer lets nobody but members call operations of the console.')
  const request = await findRequestRow(id, accountId, services.db)
  const isOwn = member.storeIds === null || (request !== null && member.storeIds.includes(request.store_id))
  if (request === null || !isOwn) throw missing('refund request', id, 'refundRequestId')
  if (request.status !== 'pending') throw decidedAlready(id)
  return { member, request }
}

/** A second person is neither who has requested it, nor who has made the key that has. */
async function requireAnother(
  { requested_by: requester }: RefundRequestRow,
  { member, context }: { member: CallingMember; context: RequestContext },
): Promise<void> {
  const { caller, services } = context
  const behind = await memberBehind(requester, context)
  const same = await services.db.read(selectSamePerson, [caller.accountId, member.memberId, behind])
  if (same.length === 0) return
  const whose =
    requester === behind
      ? 'You have requested this refund'
      : 'You have made or rolled the key that has requested this refund'
  throw new ApiError('scope_missing', `${whose}. ${whoApproves()}`)
}

/** A person is an e-mail address, and has another id after having been removed and invited again. */
const selectSamePerson = `SELECT m.id FROM members m
  JOIN members former ON former.account_id = m.account_id AND former.email = m.email
  WHERE m.account_id = ? AND m.id = ? AND former.id = ?`

/** The member who has requested something, or has made the key that has, or a key that has made that one. */
async function memberBehind(
  requester: string,
  { caller: { accountId }, services: { db } }: RequestContext,
): Promise<string | null> {
  let id: string | null = requester
  while (id?.startsWith('key_') === true) {
    const [key] = readCreators(await db.read(selectCreator, [accountId, id]))
    id = key?.created_by ?? null
  }
  return id
}

const selectCreator = 'SELECT created_by FROM api_keys WHERE account_id = ? AND id = ?'
const readCreators = rowReader(pick(apiKeysTable, 'created_by'))

function refundedSince({ payment_id: paymentId }: RefundRequestRow): ApiError {
  return new ApiError(
    'state_conflict',
    `The payment '${paymentId}' was refunded since this was requested; decline it, read the payment, and request what is still to be refunded.`,
  )
}
