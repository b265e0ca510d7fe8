import type { PaymentStatus } from '@tillwright/contract'

/** Where a payment may go from each status. A status without a way on is final. */
const ways: Record<PaymentStatus, readonly PaymentStatus[]> = {
  created: ['requires_action', 'processing', 'canceled', 'failed'],
  requires_action: ['processing', 'declined', 'canceled', 'failed'],
  processing: ['requires_action', 'authorized', 'succeeded', 'declined', 'failed'],
  authorized: ['succeeded', 'canceled', 'failed'],
  succeeded: ['partially_refunded', 'refunded'],
  partially_refunded: ['partially_refunded', 'refunded'],
  declined: [],
  failed: [],
  canceled: [],
  refunded: [],
}

/** Whether a payment may move from one status to the other. */
export function mayMove(from: PaymentStatus, to: PaymentStatus): boolean {
  return ways[from].includes(to)
}

/** The statuses that a payment never leaves. */
export function isFinal(status: PaymentStatus): boolean {
  return ways[status].length === 0
}
