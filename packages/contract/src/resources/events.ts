import { z } from 'zod'
import { reference } from '../ids.ts'
import { anyTimestamp, timestamp } from '../text.ts'
import { customer } from './customers.ts'

/** Something that happened. `properties` depend on `eventType`: see `eventTypes`. */
export const event = z
  .object({
    id: z.string(),
    accountId: z.string(),
    storeId: z.string().nullable(),
    customerId: z.string().nullable(),
    eventType: z.string(),
    properties: z.record(z.string(), z.unknown()),
    draft: z.boolean(),
    processedAt: timestamp.nullable(),
    createdAt: timestamp,
    customer: customer.nullable(),
    store: z.object({ id: z.string(), name: z.string() }).nullable(),
  })
  .meta({ id: 'Event' })
export type Event = z.infer<typeof event>

/** The body of `POST /events/statistics`: every filter may be left out. `from` is inclusive, `to` exclusive. */
export const statisticsFilter = z.object({
  storeId: reference.optional(),
  customerId: reference.optional(),
  eventType: reference.or(z.array(reference).min(1).max(50)).optional(),
  from: anyTimestamp.optional(),
  to: anyTimestamp.optional(),
  draft: z.boolean().optional(),
})
export type StatisticsFilter = z.output<typeof statisticsFilter>

/** total = processed + unprocessed = the sum of the counts. */
export const eventStatistics = z
  .object({
    totalEvents: z.int(),
    eventsByType: z.array(z.object({ eventType: z.string(), count: z.int() })),
    processedCount: z.int(),
    unprocessedCount: z.int(),
  })
  .meta({ id: 'EventStatistics' })
export type EventStatistics = z.infer<typeof eventStatistics>
