import type { Contract, ResponseOf } from '@tillwright/contract'

/** A payment as the API answers it. */
export type PaymentDetails = ResponseOf<Contract['payments']['get']>

/** Refundable rest: the captured amount, less succeeded and pending refunds, and less open and lost disputes. */
export function refundable({ capturedAmount, refunds, disputes }: PaymentDetails): number {
  const refunded = refunds.filter(({ status }) => status !== 'failed').reduce((sum, { amount }) => sum + amount, 0)
  const disputed = disputes.filter(({ status }) => status !== 'won').reduce((sum, { amount }) => sum + amount, 0)
  return capturedAmount - refunded - disputed
}
