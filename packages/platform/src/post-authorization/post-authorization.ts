import type { Contract, Payment } from '@tillwright/contract'
import { emitterAt } from '../events/index.ts'
import { beginFollowUp, emitterOf, planFollowUp, readPayment, type WantedFollowUp } from '../ledger/index.ts'
import { promotionsOf } from '../orders/index.ts'
import type { RequestContext, Handlers, Reply } from '../request-context.ts'
import type { Charging } from '../routing/index.ts'
import { missing } from '../runtime/index.ts'
import { askFollowUp, findAuthorisation } from './ask-processor.ts'
import { settleFollowUp } from './outcome.ts'

/** Captures, refunds and voids payments. */
export function postAuthorization(
  charging: Charging,
): Pick<Handlers<Contract['payments']>, 'capture' | 'refund' | 'void'> {
  return {
    capture: ({ params: { paymentId }, body }, context) =>
      followUpPayment(paymentId, { kind: 'capture', ...body }, { context, charging }),
    refund: ({ params: { paymentId }, body }, context) =>
      followUpPayment(paymentId, { kind: 'refund', ...body }, { context, charging }),
    void: ({ params: { paymentId } }, context) => followUpPayment(paymentId, { kind: 'void' }, { context, charging }),
  }
}

/**
 * Captures, refunds or voids a payment. The processor is asked between two units: what is tried is on record before it is
 * tried. Without a clear answer it stays pending; recovery asks again, under the same id.
 *
 * @throws {ApiError} `resource_missing`, and what `planFollowUp` throws.
 */
async function followUpPayment(
  paymentId: string,
  wanted: WantedFollowUp,
  { context, charging }: { context: RequestContext; charging: Charging },
): Promise<Reply<Payment>> {
  const { db } = context.services
  const { accountId } = context.caller
  const seen = await readPayment(paymentId, accountId, db)
  if (seen === null) throw missing('payment', paymentId)
  const followUp = planFollowUp(seen, wanted, context.newId)
  const at = await findAuthorisation(seen, db)
  await context.begin(beginFollowUp(followUp, seen, context))
  const outcome = await askFollowUp(followUp, { payment: seen, at }, { ...charging, fault: context.fault })
  // From here on nothing else moves the payment, since it can have only one pending operation.
  const payment = (await readPayment(paymentId, accountId, db)) ?? seen
  if (outcome.outcome === 'unknown') return { body: payment }
  const applied = await promotionsOf(payment.orderId, accountId, db)
  const underWay = { followUp, payment, applied, processorId: at.processorId }
  return settleFollowUp(underWay, outcome, emitterOf(payment, emitterAt(accountId, context.services)))
}
