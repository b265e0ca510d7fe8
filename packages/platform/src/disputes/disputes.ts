import { type Contract, type Dispute, SIMULATED_DISPUTE_MS, type SimulatedDispute } from '@tillwright/contract'
import { findDispute, findDisputes, readPayment, refundableAmount } from '../ledger/index.ts'
import { amountFilters, equalTo, findByIds, type ListTable, readList } from '../lists/index.ts'
import type { RequestContext, Handlers } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { closeDispute, openDispute, requireLeft } from './dispute-changes.ts'

/** Disputes, in addition to the public API. Outside production a caller may act as the cardholder's bank. */
export const disputes: Omit<Handlers<Contract['disputes']>, 'submitEvidence'> = {
  get: async ({ params: { disputeId } }, context) => ({ body: await requireDispute(disputeId, context) }),

  async list({ query }, { caller: { accountId }, services: { db } }) {
    const { status, kind, storeId, paymentId, q } = query
    const filters = [
      ...equalTo('payment_id', paymentId),
      ...equalTo('status', status),
      ...equalTo('store_id', storeId),
      ...equalTo('kind', kind),
      ...amountFilters(query),
    ]
    const anyOf =
      q === undefined ? null : await findByIds(q, { table: 'disputes', columns: ['id', 'payment_id'], accountId, db })
    return { body: await readList(disputeList, { accountId, query, filters, anyOf }, db) }
  },

  async simulate({ params: { paymentId }, body }, context) {
    refuseInProduction(context)
    const payment = await requirePayment(paymentId, context)
    const amount = disputedAmount(body, refundableAmount(payment))
    const respondBy = new Date(context.nowMs + SIMULATED_DISPUTE_MS).toISOString()
    const { dispute, writes } = openDispute(payment, { ...body, amount, respondBy, reference: null }, context)
    return { body: dispute, writes: [requireLeft(payment, amount), ...writes] }
  },

  async simulateOutcome({ params: { disputeId }, body: { outcome } }, context) {
    refuseInProduction(context)
    const dispute = await requireDispute(disputeId, context)
    if (dispute.status !== 'open') {
      throw new ApiError('state_conflict', `The dispute '${disputeId}' is ${dispute.status} already.`)
    }
    const payment = await requirePayment(dispute.paymentId, context)
    return closeDispute({ dispute, payment }, { to: outcome }, context)
  },
}

const disputeList: ListTable<Dispute> = {
  table: 'disputes',
  orderedBy: { id: 'dispute' },
  indexed: ['payment_id', 'status', 'store_id'],
  read: findDisputes,
}

async function requireDispute(disputeId: string, { caller, services }: RequestContext): Promise<Dispute> {
  const dispute = await findDispute(disputeId, caller.accountId, services.db)
  if (dispute === null) throw missing('dispute', disputeId)
  return dispute
}

async function requirePayment(paymentId: string, { caller, services }: RequestContext) {
  const payment = await readPayment(paymentId, caller.accountId, services.db)
  if (payment === null) throw missing('payment', paymentId)
  return payment
}

/** There the banks themselves decide. */
function refuseInProduction({ services }: RequestContext): void {
  if (services.environment !== 'production') return
  throw new ApiError('route_not_found', 'Disputes cannot be simulated in production; use the development environment.')
}

function disputedAmount({ amount }: SimulatedDispute, left: number): number {
  if (left <= 0) {
    throw new ApiError('state_conflict', 'Nothing is left of the payment to dispute; use a captured one.')
  }
  if (amount === undefined || amount <= left) return amount ?? left
  throw new ApiError(
    'amount_invalid',
    `amount is more than the ${left} minor units that are left; send that or less.`,
    {
      param: 'amount',
    },
  )
}
