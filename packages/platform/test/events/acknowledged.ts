import type { TriedDelivery } from '../../src/events/attempt-delivery.ts'
import type { Claim } from '../../src/events/claim-deliveries.ts'
import { deliveryTry } from '../../src/events/deliveries.ts'
import type { TestEvents } from './open-events.ts'

/** A worker's report of a claim whose receiver has answered 200. */
export async function acknowledged(claim: Claim, { event, clock }: TestEvents): Promise<TriedDelivery> {
  const row = await event(claim.eventId)
  const answer = { status: 200, retryAfter: null, excerpt: '' }
  return {
    kind: 'tried',
    claim,
    event: {
      accountId: claim.accountId,
      id: claim.eventId,
      storeId: row?.['store_id'] == null ? null : String(row['store_id']),
      eventType: String(row?.['event_type']),
      draft: row?.['draft'] === 1,
      createdMs: Number(row?.['created_at']),
    },
    verdict: { outcome: 'delivered' },
    answer,
    logged: deliveryTry(answer, { startMs: clock.now(), endMs: clock.now() }),
    failingSinceMs: null,
  }
}
