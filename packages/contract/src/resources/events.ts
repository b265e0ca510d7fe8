import { z } from 'zod'
import { smallFreeForm } from '../free-form.ts'
import { exampleId, idOf, reference } from '../ids.ts'
import { EVENT_LOG_WAIT_MAX_S, PAGE_DEFAULT, PAGE_MAX } from '../limits.ts'
import { anyTimestamp, timestamp } from '../text.ts'
import { environment } from './accounts.ts'
import { customer } from './customers.ts'

import { eventTypes, type EventType } from './event-types.ts'

const EVENT_TYPES_MAX = 50

const eventType = z.string().meta({ description: 'What kind of thing happened.', examples: ['s_order_paid'] })

const store = z.object({
  id: idOf('store', 'The id of the store.'),
  name: z.string().meta({ description: 'The name of the store as it is now.', examples: ['Weaver & Byrne'] }),
})

/** Something that happened. `properties` depend on `eventType`: see `eventTypes`. */
export const event = z
  .object({
    id: idOf('event', 'The id of the event, which its webhooks carry as `webhook-id`.'),
    accountId: idOf('account', 'The account in which it happened.'),
    storeId: z
      .string()
      .nullable()
      .meta({
        description: 'The store in which it happened; null for what belongs to the account.',
        examples: [exampleId('store')],
      }),
    customerId: z
      .string()
      .nullable()
      .meta({ description: 'The buyer whom it is about; null for nobody.', examples: [exampleId('customer')] }),
    eventType,
    properties: z.record(z.string(), z.unknown()).meta({
      description: 'What there is to tell of such an event; the keys depend on its type.',
      examples: [
        {
          orderId: exampleId('order'),
          amount: 4200,
          currency: 'EUR',
          paymentId: exampleId('payment'),
        },
      ],
    }),
    draft: z.boolean().meta({ description: 'Whether it happened in a preview, not to a buyer.', examples: [false] }),
    processedAt: timestamp.nullable().meta({
      description: 'When every endpoint that wanted it had acknowledged it, at once if none did; null until then.',
      examples: ['2026-11-20T09:30:02.000Z'],
    }),
    createdAt: timestamp.meta({ description: 'When it happened.', examples: ['2026-11-20T09:30:00.000Z'] }),
    customer: customer.nullable().meta({ description: 'The buyer as known now; null for nobody or one that is gone.' }),
    store: store.nullable().meta({ description: 'The store as it is now; null for none or one that is gone.' }),
  })
  .meta({ id: 'Event', description: 'Something that happened in an account.' })
export type Event = z.infer<typeof event>

/** The body of `POST /events/statistics`: every filter may be left out. `from` is inclusive, `to` exclusive. */
export const statisticsFilter = z.object({
  storeId: reference.optional().meta({ description: 'Only events of this store.', examples: [exampleId('store')] }),
  customerId: reference
    .optional()
    .meta({ description: 'Only events about this buyer.', examples: [exampleId('customer')] }),
  eventType: reference
    .or(z.array(reference).min(1).max(EVENT_TYPES_MAX))
    .optional()
    .meta({ description: 'Only events of this type, or of these.', examples: ['s_order_paid'] }),
  from: anyTimestamp
    .optional()
    .meta({ description: 'Only events of this time or later.', examples: ['2026-11-01T00:00:00.000Z'] }),
  to: anyTimestamp
    .optional()
    .meta({ description: 'Only events before this time.', examples: ['2026-12-01T00:00:00.000Z'] }),
  draft: z
    .boolean()
    .optional()
    .meta({ description: 'Only events of previews, or only those that are of none.', examples: [false] }),
})
export type StatisticsFilter = z.output<typeof statisticsFilter>

/** total = processed + unprocessed = the sum of the counts. */
export const eventStatistics = z
  .object({
    totalEvents: z.int().meta({ description: 'How many events there are.', examples: [128] }),
    eventsByType: z
      .array(
        z.object({
          eventType,
          count: z.int().meta({ description: 'How many events of this type there are.', examples: [96] }),
        }),
      )
      .meta({ description: 'The types that occur, the most frequent first, then by name.' }),
    processedCount: z
      .int()
      .meta({ description: 'How many of them every endpoint that wanted them has acknowledged.', examples: [120] }),
    unprocessedCount: z.int().meta({ description: 'How many of them are still to be acknowledged.', examples: [8] }),
  })
  .meta({ id: 'EventStatistics', description: 'Events, counted.' })
export type EventStatistics = z.infer<typeof eventStatistics>

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

/**
 * The body of a webhook delivery. `data` is the event; one over 20 kB is sent as its id alone, to be fetched with
 * `GET /events/{eventId}`. Source: Standard Webhooks 1.0.0, "Payload".
 */
export const webhookPayload = z
  .object({
    id: event.shape.id.meta({ description: 'The id of the event, the same at every try.' }),
    type: event.shape.eventType.meta({ description: 'The type of the event.' }),
    timestamp: timestamp.meta({ description: 'When it happened.', examples: ['2026-11-20T09:30:00.000Z'] }),
    environment: environment.meta({ description: 'Where it happened.', examples: ['production'] }),
    accountId: event.shape.accountId,
    storeId: event.shape.storeId,
    data: event
      .omit({ customer: true, store: true })
      .or(z.object({ id: event.shape.id }))
      .meta({ description: 'The event; of one that would make the body larger than 20 kB only its id, to be read.' }),
  })
  .meta({ id: 'WebhookPayload', description: 'What is sent to a webhook endpoint.' })
export type WebhookPayload = z.infer<typeof webhookPayload>

/** A payload over this many bytes carries only the event's id. */
export const WEBHOOK_DATA_MAX_BYTES = 20_000
