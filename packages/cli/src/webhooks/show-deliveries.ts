import type { Delivery, DeliveryPage } from '@tillwright/platform'
import { table } from '../terminal/align.ts'

/** A page of deliveries, and how to get the next. */
export function showDeliveries({ data, nextCursor }: DeliveryPage): string {
  if (data.length === 0) return 'There are no such deliveries.\n'
  const rows = data.map((delivery) => [
    delivery.eventId,
    delivery.eventType,
    delivery.endpointId,
    delivery.state,
    String(delivery.attempts),
    lastAnswer(delivery),
    delivery.nextAttemptAt ?? '-',
  ])
  const page = table(['event', 'type', 'endpoint', 'state', 'attempts', 'last status', 'next attempt'], rows)
  return nextCursor === null ? page : `${page}\nThere are more: add --after ${nextCursor}\n`
}

function lastAnswer({ lastStatus, attempts }: Delivery): string {
  if (lastStatus !== null) return String(lastStatus)
  return attempts === 0 ? '-' : 'no answer'
}
