import type { Contract, Payment } from '@tillwright/contract'
import { emitterAt } from '../events/index.ts'
import {
  beginPostAuthorization,
  emitterOf,
  freePostAuthorization,
  planPostAuthorization,
  type PostAuthorization,
  readPayment,
  type WantedPostAuthorization,
} from '../ledger/index.ts'
import { promotionsOf } from '../orders/index.ts'
import type { PendingReply, RequestContext, Handlers, Reply } from '../request-context.ts'
import type { Charging } from '../routing/index.ts'
import { missing } from '../runtime/index.ts'
import { askPostAuthorization, type AuthorisedAt, findAuthorisation } from './ask-processor.ts'
import { completePostAuthorization } from './outcome.ts'

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

/**
 * Captures, refunds or voids a payment. The processor is asked between two units: what is tried is on record before it is
 * tried. Without a clear answer it stays pending; recovery asks again, under the same id.
 *
 * @throws {ApiError} `resource_missing`, and what `planPostAuthorization` throws.
 */
async function postAuthorize(
  paymentId: string,
  wanted: WantedPostAuthorization,
  { context, charging }: { context: RequestContext; charging: Charging },
): Promise<PendingReply<Payment>> {
  const { db } = context.services
  const { accountId } = context.caller
  const seen = await readPayment(paymentId, accountId, db)
  if (seen === null) throw missing('payment', paymentId)
  const operation = planPostAuthorization(seen, wanted, context.newId)
  const at = await findAuthorisation(seen, db)
  const { id: heldBy } = context.services.cluster.self
  await context.begin(beginPostAuthorization(operation, seen, context), { before: seen, after: wanted })
  const end = finish(operation, { seen, at, heldBy }, { context, charging })
  return { meanwhile: async () => ({ body: (await readPayment(paymentId, accountId, db)) ?? seen }), end }
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
  const applied = await promotionsOf(payment.orderId, accountId, db)
  const underWay = { postAuthorization: operation, payment, applied, processorId: at.processorId, heldBy }
  const reply = completePostAuthorization(underWay, outcome, emitterOf(payment, emitterAt(accountId, context.services)))
  return { ...reply, change: { before: seen } }
}
