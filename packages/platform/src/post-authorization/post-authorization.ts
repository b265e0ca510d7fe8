import type { Contract, Payment, Refund } from '@tillwright/contract'
import { refuseErased } from '../customers/index.ts'
import { emitterAt } from '../events/index.ts'
import {
  beginPostAuthorization,
  emitterOf,
  findRefunds,
  freePostAuthorization,
  planPostAuthorization,
  type PostAuthorization,
  readPayment,
  recordedMeanwhile,
  type WantedPostAuthorization,
} from '../ledger/index.ts'
import { amountFilters, equalTo, findByIds, type ListTable, readList } from '../lists/index.ts'
import type { PendingReply, RequestContext, Handlers, Reply, Write } from '../request-context.ts'
import type { Charging } from '../routing/index.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { askPostAuthorization, type AuthorisedAt, findAuthorisation } from './ask-processor.ts'
import { completePostAuthorization } from './outcome.ts'
import { secondPersonFor } from './refund-requests.ts'

/** Captures, refunds and voids payments. */
export function postAuthorization(
  charging: Charging,
): Pick<Handlers<Contract['payments']>, 'capture' | 'refund' | 'void'> {
  return {
    capture: ({ params: { paymentId }, body }, context) =>
      postAuthorize(paymentId, { kind: 'capture', ...body }, { context, charging }),
    refund: ({ params: { paymentId }, body }, context) =>
      postAuthorize(paymentId, { kind: 'refund', ...body }, { context, charging }),
    void: ({ params: { paymentId } }, context) => postAuthorize(paymentId, { kind: 'void' }, { context, charging }),
  }
}

/** Reads refunds, in addition to the public API. */
export const refunds: Handlers<Contract['refunds']> = {
  async get({ params: { refundId } }, { caller, services }) {
    const [refund] = await findRefunds([refundId], caller.accountId, services.db)
    if (refund === undefined) throw missing('refund', refundId)
    return { body: refund }
  },

  async list({ query }, { caller: { accountId }, services: { db } }) {
    const { status, storeId, paymentId, q } = query
    const filters = [
      ...equalTo('payment_id', paymentId),
      ...equalTo('status', status),
      ...equalTo('store_id', storeId),
      ...amountFilters(query),
    ]
    const place = { table: 'payment_follow_ups', columns: ['id', 'payment_id'], accountId, db }
    const anyOf = q === undefined ? null : await findByIds(q, place)
    return { body: await readList(refundList, { accountId, query, filters, anyOf }, db) }
  },
}

/** In the order of time, because refunds that were made at a processor have its ids. */
const refundList: ListTable<Refund> = {
  table: 'payment_follow_ups',
  only: "kind = 'refund'",
  orderedBy: 'created_at',
  indexed: ['payment_id', 'status', 'store_id'],
  read: findRefunds,
}

/**
 * Captures, refunds or voids a payment. The processor is asked between two transactions: what is tried is on record
 * before it is tried. Without a clear answer it stays pending; recovery asks again, under the same id.
 *
 * @throws {ApiError} `resource_missing`, and what `planPostAuthorization` throws.
 */
async function postAuthorize(
  paymentId: string,
  wanted: WantedPostAuthorization,
  { context, charging }: { context: RequestContext; charging: Charging },
): Promise<PendingReply<Payment> | Reply<Payment>> {
  const { db } = context.services
  const { accountId } = context.caller
  const seen = await readPayment(paymentId, accountId, db)
  if (seen === null) throw missing('payment', paymentId)
  const operation = planPostAuthorization(seen, wanted, context.newId)
  const notErased = await guardReason(operation, { seen, instead: 'leave it out' }, context)
  const second = operation.kind === 'refund' ? await secondPersonFor(operation, seen, context) : { guard: [] }
  if ('waits' in second) return { ...second.waits, writes: [...notErased, ...second.waits.writes] }
  return carryOut(operation, { seen, writes: [...second.guard, ...notErased], after: wanted }, { context, charging })
}

/**
 * Refuses a reason in the merchant's own words where the customer was erased.
 *
 * @returns The guard for an erasure that begins meanwhile.
 * @throws {ApiError} `state_conflict`.
 */
export async function guardReason(
  { reason }: PostAuthorization,
  { seen, instead }: { seen: Payment; instead: string },
  context: RequestContext,
): Promise<Write[]> {
  return reason === null ? [] : [await refuseErased(seen.customerId, { param: 'reason', instead }, context)]
}

/**
 * Puts a capture, refund or void on record, and asks the processor.
 *
 * @param planned `writes`: what is committed with the record, and refuses it. `after`: what the audit log shows of it.
 */
export async function carryOut(
  operation: PostAuthorization,
  { seen, writes, after }: { seen: Payment; writes: readonly Write[]; after: object },
  { context, charging }: { context: RequestContext; charging: Charging },
): Promise<PendingReply<Payment>> {
  const { cluster, db } = context.services
  const { accountId, id: paymentId } = seen
  const at = await findAuthorisation(seen, db)
  requireSeveralCaptures(operation, at, charging)
  const { id: heldBy } = cluster.self
  await context.begin([...writes, ...beginPostAuthorization(operation, seen, context)], { before: seen, after })
  const end = finish(operation, { seen, at, heldBy }, { context, charging })
  return { meanwhile: async () => ({ body: (await readPayment(paymentId, accountId, db)) ?? seen }), end }
}

/** @throws {ApiError} `state_conflict`: where the processor takes one capture, another could not follow. */
function requireSeveralCaptures(
  { isFinal }: PostAuthorization,
  { driver }: AuthorisedAt,
  { capabilitiesOf }: Pick<Charging, 'capabilitiesOf'>,
): void {
  if (isFinal || capabilitiesOf?.(driver)?.severalCaptures !== false) return
  const message = 'The processor of the payment takes one capture, which releases the rest; leave finalCapture out.'
  throw new ApiError('state_conflict', message, { param: 'finalCapture' })
}

/** A capture, refund or void on record, with its payment as it was before. */
interface Begun {
  seen: Payment
  at: AuthorisedAt
  heldBy: string
}

async function finish(
  operation: PostAuthorization,
  { seen, at, heldBy }: Begun,
  { context, charging }: { context: RequestContext; charging: Charging },
): Promise<Reply<Payment>> {
  const { db } = context.services
  const { accountId, id } = seen
  const outcome = await askPostAuthorization(operation, { payment: seen, at }, { ...charging, fault: context.fault })
  // From here on no other request moves the payment: at most one operation is pending.
  const payment = (await readPayment(id, accountId, db)) ?? seen
  if (outcome.outcome === 'unknown') {
    // Nothing is under way here any more: recovery need not wait for the lease.
    return { body: payment, writes: [freePostAuthorization({ accountId, id: operation.id, holder: heldBy })] }
  }
  if (!isPending(operation, { payment, seen })) throw recordedMeanwhile(id)
  const underWay = { postAuthorization: operation, payment, processorId: at.processorId, heldBy }
  const emitter = emitterOf(payment, emitterAt(accountId, context.services))
  const reply = await completePostAuthorization(underWay, outcome, { emitter, db })
  return { ...reply, change: { before: seen } }
}

/** Whether no other process has recorded the outcome while the processor was asked. */
function isPending({ id, kind }: PostAuthorization, { payment, seen }: { payment: Payment; seen: Payment }): boolean {
  if (kind === 'void') return payment.status === seen.status
  return [...payment.captures, ...payment.refunds].some((each) => each.id === id && each.status === 'pending')
}
