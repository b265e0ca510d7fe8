import type { Payment } from '@tillwright/contract'

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
