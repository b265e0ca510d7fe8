import type { Contract, ResponseOf } from '@tillwright/contract'

/** A payment as the API answers it. */
export type PaymentDetails = ResponseOf<Contract['payments']['get']>

/** What is authorized and not captured yet; 0 unless the payment is authorized. */
export function capturable({ status, amount, capturedAmount }: PaymentDetails): number {
  return status === 'authorized' ? amount - capturedAmount : 0
}

/**
 * Refundable rest: the captured amount, less succeeded and pending refunds, and less open and lost disputes. Nothing is
 * refunded before the last capture.
 */
export function refundable(payment: PaymentDetails): number {
  if (payment.status === 'authorized') return 0
  const { capturedAmount, refunds, disputes } = payment
  const refunded = refunds.filter(({ status }) => status !== 'failed').reduce((sum, { amount }) => sum + amount, 0)
  const disputed = disputes.filter(({ status }) => status !== 'won').reduce((sum, { amount }) => sum + amount, 0)
  return capturedAmount - refunded - disputed
}
