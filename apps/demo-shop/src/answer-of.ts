import type { Payment } from '@tillwright/contract'

/** What the page is told of a payment. */
export interface Answer extends Pick<Payment, 'orderId' | 'amount' | 'currency'> {
  paymentId: string
  /** Opens the bank's page to the buyer; `null` unless the bank wants to see the buyer first. */
  actionToken: string | null
}

/** A payment as the page needs it. */
export function answerOf({ id: paymentId, orderId, amount, currency, nextAction }: Payment): Answer {
  return { paymentId, orderId, amount, currency, actionToken: nextAction?.actionToken ?? null }
}
