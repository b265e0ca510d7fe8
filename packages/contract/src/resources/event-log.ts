import { z } from 'zod'
import { eventTypes, type EventType } from '../event-types.ts'
import { smallFreeForm } from '../free-form.ts'
import { exampleId, idOf } from '../ids.ts'
import { EVENT_LOG_WAIT_MAX_S, PAGE_DEFAULT, PAGE_MAX } from '../limits.ts'
import { event } from './events.ts'

/** Room for every type that there is, with commas between. */
const TYPES_MAX_CHARS = 2_000

const cursor = z
  .string()
  .regex(/^[A-Za-z0-9_]{1,64}$/, 'must be the nextCursor of a page, the id of an event, or latest')

/** The query of the event log. */
export const eventLogQuery = z.object({
  after: cursor.optional().meta({
    description:
      'Where to begin: behind this `nextCursor` or this event; `latest` for what happens from now on. The first event unless given.',
    minLength: 1,
    maxLength: 64,
    examples: [exampleId('event')],
  }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(PAGE_MAX)
    .default(PAGE_DEFAULT)
    .meta({ description: 'How many events a page has at most.', examples: [PAGE_DEFAULT] }),
  types: z
    .string()
    .min(1)
    .max(TYPES_MAX_CHARS)
    .optional()
    .meta({
      description: 'Only events of these types, separated by commas.',
      examples: ['s_order_paid,s_order_refunded'],
    }),
  drafts: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: "Whether previews' events and triggered ones are among them.", examples: ['true'] }),
  waitSeconds: z.coerce
    .number()
    .int()
    .min(0)
    .max(EVENT_LOG_WAIT_MAX_S)
    .default(0)
    .meta({
      description: 'For how many seconds to wait for the first event where there is none yet.',
      examples: [0],
    }),
})
export type EventLogQuery = z.output<typeof eventLogQuery>

/** A page of the event log, the oldest first. */
export const eventLogPage = z.object({
  data: z.array(event).meta({ description: 'The events, oldest first; none where nothing has happened.' }),
  hasMore: z.boolean().meta({
    description: 'Whether there may be more at once; a page with a filter can be empty and have more behind it.',
    examples: [false],
  }),
  nextCursor: z.string().meta({
    description: 'What to send as `after` to go on from here, on the last page too: events that happen later follow.',
    examples: [exampleId('event')],
  }),
})

const typeNames = Object.keys(eventTypes) as [EventType, ...EventType[]] // the keys of the table are the types

/** An event that somebody wants to try out. */
export const eventTrigger = z.object({
  eventType: z.enum(typeNames).meta({ description: 'What kind of event.', examples: ['s_order_paid'] }),
  properties: smallFreeForm.optional().meta({
    description: 'What the event tells, where it shall differ from the example of its type.',
    examples: [{ amount: 9900 }],
  }),
})
export type EventTrigger = z.output<typeof eventTrigger>

/** An event just triggered. */
export const triggeredEvent = event.omit({ processedAt: true, customer: true, store: true })
export type TriggeredEvent = z.output<typeof triggeredEvent>

/** To whom an event is sent again. */
export const eventReplayed = z.object({
  eventId: idOf('event', 'The event that is sent again.'),
  endpointIds: z
    .array(idOf('webhookEndpoint', 'A webhook endpoint.'))
    .meta({ description: 'The webhook endpoints that it is sent to: all that want it now.' }),
})
