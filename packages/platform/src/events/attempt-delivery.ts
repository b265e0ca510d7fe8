import { fraction } from '../ambient/randomness.ts'
import type { Parts } from '../call.ts'
import type { Claim } from './claim-deliveries.ts'
import type { CountedEvent } from './count-events.ts'
import { deliveryTry, type DeliveryTry } from './delivery-log.ts'
import type { Answer, Deliver } from './egress.ts'
import { openSecrets } from './endpoint-secrets.ts'
import { eventColumns, eventFromRow, type EventRow } from './event-row.ts'
import { afterAttempt, type Verdict } from './retry-schedule.ts'
import { signDelivery } from './sign-delivery.ts'
import { wantsEvent } from './subscription.ts'

/**
 * What became of a claim. `unwanted`: the endpoint is gone, disabled, or no longer asks for such events. `released`: it
 * was not tried, or the try was broken off by us.
 */
export type Outcome = TriedDelivery | { kind: 'unwanted'; claim: Claim } | { kind: 'released'; claim: Claim }

/** A try with what came of it and what follows from that. */
export interface TriedDelivery {
  kind: 'tried'
  claim: Claim
  event: CountedEvent
  verdict: Verdict
  answer: Answer
  logged: DeliveryTry
  endpointWasFailing: boolean
}

/**
 * Tries a delivery once, after another look at its subscription.
 *
 * @param way `signal` breaks the try off.
 * @throws {DatabaseUnavailable}
 */
export async function attemptDelivery(
  claim: Claim,
  parts: Pick<Parts, 'db' | 'clock' | 'randomness' | 'secrets' | 'environment'>,
  way: { deliver: Deliver; signal: AbortSignal },
): Promise<Outcome> {
  const [row] = await parts.db.read(selectSubscription, [claim.accountId, claim.eventId, claim.endpointId])
  if (row === undefined) return { kind: 'unwanted', claim }
  const subscription = row as SubscriptionRow // the columns of `selectSubscription`
  const startMs = parts.clock.now()
  const answer = await send(subscription, parts, way)
  if (way.signal.aborted && 'failure' in answer) return { kind: 'released', claim }
  const nowMs = parts.clock.now()
  return {
    kind: 'tried',
    claim,
    event: countedEvent(subscription),
    verdict: afterAttempt(claim.attempts + 1, answer, { nowMs, random: fraction(parts.randomness) }),
    answer,
    logged: deliveryTry(answer, { startMs, endMs: nowMs }),
    endpointWasFailing: subscription.failing_since !== null,
  }
}

/** The event with the endpoint, if that still wants it. */
const selectSubscription = `SELECT ${eventColumns}, w.id AS endpoint_id, w.url, w.secrets, w.failing_since
  FROM events e JOIN webhook_endpoints w ON ${wantsEvent}
  WHERE e.account_id = ? AND e.id = ? AND w.id = ?`

type SubscriptionRow = EventRow & {
  endpoint_id: string
  url: string
  secrets: string
  failing_since: number | null
}

function countedEvent(row: SubscriptionRow): CountedEvent {
  return {
    accountId: row.event_account_id,
    id: row.event_id,
    storeId: row.store_id,
    eventType: row.event_type,
    draft: row.draft === 1,
    createdMs: row.created_at,
  }
}

async function send(
  row: SubscriptionRow,
  { clock, secrets: box, environment }: Pick<Parts, 'clock' | 'secrets' | 'environment'>,
  { deliver, signal }: { deliver: Deliver; signal: AbortSignal },
): Promise<Answer> {
  const nowMs = clock.now()
  let secrets: string[]
  try {
    secrets = openSecrets(row.endpoint_id, box, { column: row.secrets, nowMs })
  } catch {
    return { failure: 'The secret cannot be opened with the key that the platform was started with.' }
  }
  return deliver(row.url, signDelivery(eventFromRow(row), { environment, secrets, nowMs: clock.machineNow() }), signal)
}
