import type { Dispute, EventProperties, Payment } from '@tillwright/contract'
import type { EventSubject } from '../../events/emit.ts'

/** What the events of a dispute say of it. */
export function disputeFacts(
  { id: disputeId, kind, status, reason, amount, currency }: Dispute,
  { id: paymentId, orderId, storeId, customerId }: Payment,
): EventSubject & { properties: EventProperties<'s_dispute_opened'> } {
  return { storeId, customerId, properties: { disputeId, orderId, paymentId, kind, status, reason, amount, currency } }
}
