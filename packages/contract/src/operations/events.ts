import { z } from 'zod'
import { referenceTo } from '../ids.ts'
import type { Operation } from '../operation.ts'
import { event, eventStatistics, statisticsFilter } from '../resources/events.ts'

/** Source: reference, "GET /events/{eventId}" and "POST /events/statistics". */
export const events = {
  get: {
    method: 'GET',
    path: '/api/public/v1/events/{eventId}',
    audience: 'admin',
    summary: 'Read an event with its customer and store',
    description: 'What an event tells in `properties` depends on its type: see Webhooks.',
    params: z.object({ eventId: referenceTo('event', 'The id of the event.') }),
    status: 200,
    response: event,
    errors: ['resource_missing'],
  },
  statistics: {
    method: 'POST',
    path: '/api/public/v1/events/statistics',
    audience: 'admin',
    summary: 'Count events by type',
    description:
      '`totalEvents` is the sum of all counts, and of processed and unprocessed events. An event is processed when every endpoint that asked for it has acknowledged it.',
    body: statisticsFilter,
    status: 200,
    response: eventStatistics,
    errors: [],
  },
} as const satisfies Record<string, Operation>
