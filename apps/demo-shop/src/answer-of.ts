import type { Payment } from '@tillwright/contract'
import { receiptPath } from './receipt-page.ts'
import { declined, type Refusal } from './refusal.ts'

/** Response to the page for a payment that succeeded or needs another step. */
export interface Answer {
  paymentId: string
  /** Opens the bank's page to the buyer; `null` unless the bank wants to see the buyer first. */
  actionToken: string | null
  /** The address of the receipt; `null` while there is none. */
  receipt: string | null
}

/** A payment as the page needs it. One that has ended without money, as another tab may find it, is a refusal. */
export function answerOf({ id: paymentId, status, declineCode, nextAction }: Payment): Answer | Refusal {
  if (status === 'declined' || status === 'failed' || status === 'canceled') return declined(declineCode)
  const actionToken = nextAction?.actionToken ?? null
  return { paymentId, actionToken, receipt: actionToken === null ? receiptPath(paymentId) : null }
}
