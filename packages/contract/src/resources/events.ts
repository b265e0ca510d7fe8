import { z } from 'zod'
import { exampleId, idOf, reference } from '../ids.ts'
import { anyTimestamp, timestamp } from '../text.ts'
import { customer } from './customers.ts'

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
