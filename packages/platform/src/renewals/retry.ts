import type { Contract, Payment } from '@tillwright/contract'
import { buildPayment, chargePayment, declineUntried, payNothing } from '../payments/index.ts'
import type { Change, Handler, PendingReply, Reply, RequestContext } from '../request-context.ts'
import type { Charging, NextAttempt } from '../routing/index.ts'
import { ApiError } from '../runtime/index.ts'
import { amountDue, endsUnpaid, knownSubscription, type SubscriptionRecord } from '../subscriptions/index.ts'
import { prepareRenewal } from './prepare-renewal.ts'

/**
 * Charges the unpaid period of a subscription on request. It takes the subscription as the worker does, by the guard of
 * `holdSubscription`, so that of simultaneous requests only one charges. A decline leaves the schedule of the automatic
 * tries as it was (decision 164).
 */
export function retryRenewal(charging: Charging): Handler<Contract['subscriptions']['retry']> {
  return async ({ params: { subscriptionId } }, context) => {
    const record = await knownSubscription(subscriptionId, context)
    const amount = amountDue(record)
    requireUnpaid(record, amount)
    const prepared = await prepareRenewal({ record, amount, isRequested: true }, context, charging)
    if (prepared.next === null) return { ...payNothing(prepared, context), change: changeOf(record) }
    requireCard(prepared.next, record)
    return charge(record, buildPayment(prepared, [], context), { context, charging })
  }
}

/** The charge happens between two transactions, as that of any payment. */
async function charge(
  record: SubscriptionRecord,
  { stopped, session: _, ...started }: ReturnType<typeof buildPayment>,
  { context, charging }: { context: RequestContext; charging: Charging },
): Promise<Reply<Payment> | PendingReply<Payment>> {
  const { payment } = started
  await context.begin(started.writes, { ...changeOf(record), after: payment })
  const ofSubscription = (reply: Reply<Payment>): Reply<Payment> => ({ ...reply, change: changeOf(record) })
  if (stopped !== null) return ofSubscription(declineUntried({ ...started, stopped }, context))
  const chargeable = { ...started, threeds: null, other: null, code: null, authenticator: null }
  const end = chargePayment(chargeable, { ...charging, fault: context.fault }).then(ofSubscription)
  return { meanwhile: async () => ({ body: payment }), end }
}

function changeOf({ id, status }: SubscriptionRecord): Change {
  return { resource: { type: 'subscription', id }, before: { status } }
}

function requireUnpaid(record: SubscriptionRecord, amount: number): void {
  const { id, status, renewalPaymentId, refusedInstrumentId, paymentInstrumentId } = record
  const its = `The subscription '${id}'`
  switch (status) {
    case 'active':
    case 'trialing':
    case 'incomplete':
      throw conflict(
        `${its} is ${status}, so nothing of it is past due; it is charged by itself when its period is over.`,
      )
    case 'paused':
      throw conflict(`${its} is paused, and nothing is charged meanwhile; resume it first.`)
    case 'canceled':
      throw conflict(`${its} is canceled; sell a new one.`)
    case 'past_due':
      break
  }
  if (renewalPaymentId !== null) {
    throw conflict(`${its} is being charged by the payment '${renewalPaymentId}'; wait for the end of that.`)
  }
  if (endsUnpaid(record)) throw conflict(`${its} owes nothing any more and ends by itself.`)
  if (amount > 0 && refusedInstrumentId === paymentInstrumentId) {
    throw conflict(`${its} has a card whose issuer refuses every further charge; ${anotherCard(id)}`)
  }
}

/** No processor is asked about a card that cannot be charged, so no payment is put on record for it. */
function requireCard(next: NextAttempt, { id }: SubscriptionRecord): void {
  if (!('stopped' in next)) return
  if (next.stopped === 'card_deleted') {
    throw conflict(`The card of the subscription '${id}' was deleted; ${anotherCard(id)}`)
  }
  if (next.stopped === 'card_inactive') {
    throw conflict(`The card of the subscription '${id}' is not active; activate it, or ${anotherCard(id)}`)
  }
  if ('untilMs' in next) {
    const until = new Date(next.untilMs).toISOString()
    throw conflict(
      `The network of the card of the subscription '${id}' forbids a try before ${until}; wait, or ${anotherCard(id)}`,
    )
  }
}

function anotherCard(id: string): string {
  return `set another one of the customer by POST /api/payments/v1/subscriptions/${id}/update, which charges it at once.`
}

function conflict(message: string): ApiError {
  return new ApiError('state_conflict', message)
}
