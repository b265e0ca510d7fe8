import type { PaymentLedger } from '@tillwright/platform'
import { facts } from '../terminal/align.ts'

/** Where the money of a payment stands, in minor units. */
export function showPayment(payment: PaymentLedger['payment']): string {
  const { id, accountId, orderId, status, currency, amount, capturedAmount, refundedAmount, disputes } = payment
  return facts([
    ['id', id],
    ['account', accountId],
    ['order', orderId],
    ['status', status],
    ['amount', `${amount} ${currency}`],
    ['captured', `${capturedAmount} ${currency}, ${payment.captureMethod}`],
    ['refunded', `${refundedAmount} ${currency}`],
    ['disputes', disputes.map((dispute) => `${dispute.id} ${dispute.status} ${dispute.amount}`).join(', ') || '-'],
    [
      'attempts',
      payment.attempts.map(({ processorId, outcome }) => `${processorId} ${outcome ?? '-'}`).join(', ') || '-',
    ],
  ])
}
