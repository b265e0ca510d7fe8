import { z } from 'zod'
import { smallFreeForm } from '../free-form.ts'
import { exampleId, idOf, reference } from '../ids.ts'
import { EVENT_LOG_WAIT_MAX_S, PAGE_DEFAULT, PAGE_MAX } from '../limits.ts'
import { anyTimestamp, timestamp } from '../text.ts'
import { environment } from './accounts.ts'
import { customer } from './customers.ts'

import { eventTypes, type EventType } from './event-types.ts'

const EVENT_TYPES_MAX = 50

const eventType = z.string().meta({ description: 'The type of the event.', examples: ['s_order_paid'] })

const store = z.object({
  id: idOf('store', 'The id of the store.'),
  name: z.string().meta({ description: 'The current name of the store.', examples: ['Weaver & Byrne'] }),
})

/** An event. Its `properties` depend on `eventType`: see `eventTypes`. */
export const event = z
  .object({
    id: idOf('event', 'The id of the event, sent as `webhook-id` with its webhooks.'),
    accountId: idOf('account', 'The account in which it happened.'),
    storeId: z
      .string()
      .optional()
      .meta({
        description: 'The store in which it happened; left out for events of the account.',
        examples: [exampleId('store')],
      }),
    customerId: z
      .string()
      .optional()
      .meta({ description: 'The customer it concerns; left out if there is none.', examples: [exampleId('customer')] }),
    eventType,
    properties: z.record(z.string(), z.unknown()).meta({
      description: 'Details of the event; the keys depend on its type.',
      examples: [
        {
          orderId: exampleId('order'),
          amount: 4_098,
          currency: 'USD',
          paymentId: exampleId('payment'),
        },
      ],
    }),
    draft: z
      .boolean()
      .meta({ description: 'Whether it happened in a preview rather than to a buyer.', examples: [false] }),
    processedAt: timestamp.optional().meta({
      description:
        'When every subscribed endpoint had acknowledged it, at once if there are none; left out before that.',
      examples: ['2026-11-20T09:30:02.000Z'],
    }),
    createdAt: timestamp.meta({ description: 'When it happened.', examples: ['2026-11-20T09:30:00.000Z'] }),
    customer: customer
      .optional()
      .meta({ description: 'The customer’s current details; left out if there is none or it was deleted.' }),
    store: store
      .optional()
      .meta({ description: 'The store’s current details; left out if there is none or it was deleted.' }),
  })
  .meta({ id: 'Event', description: 'Something that happened in an account.' })
export type Event = z.infer<typeof event>

/** The body of `POST /events/statistics`: all filters are optional. `from` is inclusive, `to` exclusive. */
export const statisticsFilter = z.object({
  storeId: reference.optional().meta({ description: 'Only events of this store.', examples: [exampleId('store')] }),
  customerId: reference
    .optional()
    .meta({ description: 'Only events of this customer.', examples: [exampleId('customer')] }),
  eventType: reference
    .or(z.array(reference).min(1).max(EVENT_TYPES_MAX))
    .optional()
    .meta({ description: 'Only events of this type, or of these types.', examples: ['s_order_paid'] }),
  from: anyTimestamp
    .optional()
    .meta({ description: 'Only events at or after this time.', examples: ['2026-11-01T00:00:00.000Z'] }),
  to: anyTimestamp
    .optional()
    .meta({ description: 'Only events before this time.', examples: ['2026-12-01T00:00:00.000Z'] }),
  draft: z
    .boolean()
    .default(false)
    .meta({
      description: 'Whether to count draft events, those of previews and simulated ones, instead of real ones.',
      examples: [false],
    }),
})
export type StatisticsFilter = z.output<typeof statisticsFilter>

/** `totalEvents` = processed + unprocessed = the sum of the counts. */
export const eventStatistics = z
  .object({
    totalEvents: z.int().meta({ description: 'The number of events.', examples: [128] }),
    eventsByType: z
      .array(
        z.object({
          eventType,
          count: z.int().meta({ description: 'The number of events of this type.', examples: [96] }),
        }),
      )
      .meta({ description: 'The types that occurred, most frequent first, then by name.' }),
    processedCount: z
      .int()
      .meta({ description: 'The number of events that every subscribed endpoint has acknowledged.', examples: [120] }),
    unprocessedCount: z
      .int()
      .meta({ description: 'The number of events with acknowledgements outstanding.', examples: [8] }),
  })
  .meta({ id: 'EventStatistics', description: 'Events, counted.' })
export type EventStatistics = z.infer<typeof eventStatistics>

/** Enough for every existing type, separated by commas. */
const TYPES_MAX_CHARS = 2_000

const cursor = z
  .string()
  .regex(/^[A-Za-z0-9_]{1,64}$/, 'must be the nextCursor of a page, the id of an event, or latest')

/** Where a reader of the log starts. */
const startAt = (byDefault: string) =>
  cursor.optional().meta({
    description: `Where to start: after this cursor or event id, or \`latest\` for events from now on. \`evt_\` and the eight characters that follow the prefix of another object’s id stand for the time when that object was created. ${byDefault}`,
    minLength: 1,
    maxLength: 64,
    examples: [exampleId('event')],
  })

/** The filters of the event log. */
const logFilters = {
  storeId: reference.optional().meta({ description: 'Only events of this store.', examples: [exampleId('store')] }),
  types: z
    .string()
    .min(1)
    .max(TYPES_MAX_CHARS)
    .refine(
      (list) => list.split(',').every((type) => Object.hasOwn(eventTypes, type)),
      'must be types of events with commas between, such as s_order_paid,s_order_refunded; one of these is none',
    )
    .optional()
    .meta({
      description: 'Only events of these types, separated by commas.',
      examples: ['s_order_paid,s_order_refunded'],
    }),
  drafts: z
    .enum(['true', 'false'])
    .default('false')
    .meta({
      description: 'Whether to include draft events: those of previews and simulated ones.',
      examples: ['true'],
    }),
}

/** The query of the event log. */
export const eventLogQuery = z.object({
  after: startAt('Starts at the first event by default.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(PAGE_MAX)
    .default(PAGE_DEFAULT)
    .meta({ description: 'The maximum number of events per page.', examples: [PAGE_DEFAULT] }),
  ...logFilters,
  waitSeconds: z.coerce
    .number()
    .int()
    .min(0)
    .max(EVENT_LOG_WAIT_MAX_S)
    .default(0)
    .meta({
      description: 'How many seconds to wait for an event if there is none yet.',
      examples: [0],
    }),
})
export type EventLogQuery = z.output<typeof eventLogQuery>

/** The query of the stream of events. */
export const eventStreamQuery = z.object({
  after: startAt('Starts with what happens from now on by default.'),
  ...logFilters,
})
export type EventStreamQuery = z.output<typeof eventStreamQuery>

/** A page of the event log, oldest event first. */
export const eventLogPage = z.object({
  data: z.array(event).meta({ description: 'The events, oldest first.' }),
  hasMore: z.boolean().meta({
    description: 'Whether more events may be available now. A filtered page can be empty although more follow.',
    examples: [false],
  }),
  nextCursor: z.string().meta({
    description: 'The value of `after` for the next page. Also set on the last page, to continue with later events.',
    examples: [exampleId('event')],
  }),
})

const typeNames = Object.keys(eventTypes) as [EventType, ...EventType[]] // the table's keys are the types

/** The body for simulating an event. */
export const eventTrigger = z.object({
  eventType: z.enum(typeNames).meta({ description: 'The type of the event.', examples: ['s_order_paid'] }),
  properties: smallFreeForm.optional().meta({
    description: 'Properties that override those of the type’s example.',
    examples: [{ amount: 9900 }],
  }),
})
export type EventTrigger = z.output<typeof eventTrigger>

/** A simulated event. */
export const triggeredEvent = event.omit({ processedAt: true, customer: true, store: true })
export type TriggeredEvent = z.output<typeof triggeredEvent>

/** The response to resending an event. */
export const eventReplayed = z.object({
  eventId: idOf('event', 'The event being resent.'),
  endpointIds: z
    .array(idOf('webhookEndpoint', 'A webhook endpoint.'))
    .meta({ description: 'The endpoints that receive it: all that subscribe to it now.' }),
})

/**
 * The body of a webhook delivery. `data` is the event; an event over 20 kB is sent as its id only, to be fetched with
 * `GET /events/{eventId}`. Source: Standard Webhooks 1.0.0, "Payload".
 */
export const webhookPayload = z
  .object({
    id: event.shape.id.meta({ description: 'The id of the event, the same for every attempt.' }),
    type: event.shape.eventType.meta({ description: 'The type of the event.' }),
    timestamp: timestamp.meta({ description: 'When it happened.', examples: ['2026-11-20T09:30:00.000Z'] }),
    environment: environment.meta({ description: 'The account in which it happened.', examples: ['production'] }),
    accountId: event.shape.accountId,
    storeId: event.shape.storeId,
    data: event
      .omit({ processedAt: true, customer: true, store: true })
      .or(z.object({ id: event.shape.id }))
      .meta({ description: 'The event, or only its id if the body would exceed 20 kB: fetch the event in that case.' }),
  })
  .meta({ id: 'WebhookPayload', description: 'The body sent to a webhook endpoint.' })
export type WebhookPayload = z.infer<typeof webhookPayload>

/** Payloads above this size contain only the event's id. */
export const WEBHOOK_DATA_MAX_BYTES = 20_000
