import type { Event, TriggeredEvent } from '@tillwright/contract'
import pc from 'picocolors'
import { facts } from '../terminal/output.ts'
import type { Receipt } from './forward.ts'

/** A line for a received event: `2030-01-31T12:00:00.000Z  s_order_paid  evt_...  draft  200 in 12 ms`. */
export function eventLine({ event, receipt }: { event: Event; receipt: Receipt | null }): string {
  const { createdAt, eventType, id, draft } = event
  const columns = [
    pc.dim(createdAt),
    eventType,
    id,
    ...(draft ? ['draft'] : []),
    ...(receipt === null ? [] : [formatReceipt(receipt)]),
  ]
  return `${columns.join('  ')}\n`
}

/** Formats a receipt as `200 in 12 ms`. */
export function formatReceipt({ status, ms }: Receipt): string {
  if (status === null) return pc.red(`no answer in ${ms} ms`)
  const text = `${status} in ${ms} ms`
  return status >= 200 && status < 300 ? pc.green(text) : pc.red(text)
}

/** An event with all its properties. */
export function showEvent({ properties, ...event }: Event | TriggeredEvent): string {
  return facts([
    ['event', event.id],
    ['type', event.eventType],
    ['happened', event.createdAt],
    ['store', event.storeId ?? 'none'],
    ['customer', event.customerId ?? 'none'],
    ['draft', event.draft ? 'yes' : 'no'],
    ...('processedAt' in event ? [['processed', event.processedAt ?? 'not yet'] as const] : []),
    ...Object.entries(properties).map(
      ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
    ),
  ])
}
