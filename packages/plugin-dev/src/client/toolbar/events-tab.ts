import type { Found, InspectedEvent } from '../../inspect/inspection.ts'
import { fold, part } from './fold.ts'
import { missingNote } from './missing-note.ts'
import { writtenAmount } from './written-amount.ts'

/** The tab with what has happened in the session, as the platform has it on record, the newest first. */
export function eventsTab(events: Found<InspectedEvent>): HTMLElement[] {
  const lines = events.items.map(({ id, type, at, properties }) =>
    fold({
      id: `event-${id}`,
      summary: [part('time', timeOf(at)), part(`path ${toneOf(type)}`, type), part('brief', briefly(properties))],
      values: [{ id, ...Object(properties) }],
    }),
  )
  return [...missingNote(events, 'Nothing has happened yet.'), ...lines.toReversed()]
}

function timeOf(at: string): string {
  return new Date(at).toLocaleTimeString('en-GB')
}

function toneOf(type: string): string {
  if (/_(?:failed|past_due|lost)$/.test(type)) return 'bad'
  return /_(?:paid|succeeded|won)$/.test(type) ? 'good' : ''
}

/** What of an event tells one from the next. */
const telling = ['name', 'stepId', 'status', 'transStatus', 'brand', 'last4'] as const

function briefly(properties: unknown): string {
  const fields = new Map(Object.entries(Object(properties)))
  const [amount, currency] = [fields.get('amount'), fields.get('currency')]
  const money = typeof amount === 'number' && typeof currency === 'string' ? [writtenAmount(amount, currency)] : []
  const words = telling.flatMap((name) => (typeof fields.get(name) === 'string' ? [String(fields.get(name))] : []))
  return [...money, ...words].join(' · ')
}
