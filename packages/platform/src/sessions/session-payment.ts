import type { Payment, SessionPayment } from '@tillwright/contract'
import type { Reply } from '../call.ts'

/** A payment as its buyer's page may see it: nothing of processors, and nothing of what was known of the buyer. */
export function toSessionPayment(payment: Payment): SessionPayment {
  const { id, orderId, paymentInstrumentId, status, requireAction, nextAction, amount, currency, declineCode } = payment
  return { id, orderId, paymentInstrumentId, status, requireAction, nextAction, amount, currency, declineCode }
}

/** The reply for a buyer's page that has asked for a payment. */
export function replyForPage(reply: Reply<Payment>): Reply<SessionPayment> {
  return 'body' in reply ? { ...reply, body: toSessionPayment(reply.body) } : reply
}
