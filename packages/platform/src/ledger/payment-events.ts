import type { Payment } from '@tillwright/contract'
import type { Emitter } from '../events/index.ts'
import type { Call } from '../request-context.ts'

/** Whoever emits the events of a payment: those of a preview's are drafts, whoever moves it. */
export function emitterOf({ preview }: Pick<Payment, 'preview'>, emitter: Emitter): Emitter {
  return preview === null ? emitter : { ...emitter, caller: { ...emitter.caller, isPreview: true } }
}

/** The same for a request that goes on with a payment. */
export function callOf({ preview }: Pick<Payment, 'preview'>, call: Call): Call {
  return preview === null ? call : { ...call, caller: { ...call.caller, isPreview: true } }
}

/**
 * What the events of a payment say of it: whose it is (`subject`), what its order came to (`paid`, without the payment
 * `ordered`), and where the payment itself stands (`moved`).
 *
 * @param status The one that the event tells of, which the payment may not have yet.
 */
export function eventFacts(payment: Payment, status: Payment['status']) {
  const { id: paymentId, orderId, amount, currency, storeId, customerId, paymentInstrumentId } = payment
  const ordered = { orderId, amount, currency }
  const paid = { ...ordered, paymentId }
  return { subject: { storeId, customerId }, ordered, paid, moved: { ...paid, paymentInstrumentId, status } }
}
