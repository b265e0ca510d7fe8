import { z } from 'zod'
import { reference } from '../ids.ts'
import type { Operation } from '../operation.ts'
import { event, eventStatistics, statisticsFilter } from '../resources/events.ts'

/** Source: reference, "GET /events/{eventId}" and "POST /events/statistics". */
export const events = {
  get: {
    method: 'GET',
    path: '/api/public/v1/events/{eventId}',
    audience: 'admin',
    summary: 'Read an event with its customer and store',
    params: z.object({ eventId: reference }),
    status: 200,
    response: event,
    errors: ['resource_missing'],
  },
  statistics: {
    method: 'POST',
    path: '/api/public/v1/events/statistics',
    audience: 'admin',
    summary: 'Count events by type',
    body: statisticsFilter,
    status: 200,
    response: eventStatistics,
    errors: [],
  },
} as const satisfies Record<string, Operation>
