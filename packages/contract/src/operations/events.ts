import { z } from 'zod'
import { referenceTo } from '../ids.ts'
import type { Operation } from '../operation.ts'
import { type EventType, eventTypes } from '../resources/event-types.ts'
import {
  event,
  eventLogPage,
  eventLogQuery,
  eventReplayed,
  eventStatistics,
  eventTrigger,
  statisticsFilter,
  triggeredEvent,
} from '../resources/events.ts'

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

/** Beside the public API: following events as they happen, and trying out what receives them. */
export const eventLog = {
  list: {
    method: 'GET',
    path: '/api/events/v1/events',
    audience: 'admin',
    summary: 'Follow what happens',
    description:
      'Events in the order of their ids, which is that of their times. With `waitSeconds` the answer comes with the first event, or empty when the time is over. An event stands in the log when its request is done, so that of requests at the same time an event may come to stand before one that was read already: whoever must not miss any reads the last minute again and leaves out the ids it knows.',
    query: eventLogQuery,
    status: 200,
    response: eventLogPage,
    errors: [],
  },
  trigger: {
    method: 'POST',
    path: '/api/events/v1/trigger',
    audience: 'admin',
    summary: 'Have an event happen, to try out its receivers (not in production)',
    description:
      'The event is a draft and tells what the example of its type tells, with `properties` put over it. It goes the way of every event, so that webhook endpoints which ask for drafts receive it; nothing else happens. In production the answer is a 404.',
    body: eventTrigger,
    status: 201,
    response: triggeredEvent,
    errors: ['route_not_found'],
    emits: Object.keys(eventTypes) as EventType[], // the keys of the table are the types
    idempotent: 'unit',
  },
  replay: {
    method: 'POST',
    path: '/api/events/v1/events/{eventId}/replay',
    audience: 'admin',
    summary: 'Send an event to its webhook endpoints again',
    description:
      'To every endpoint that wants it now, under the `webhook-id` of the first time and with all tries before it. Doing it twice sends it twice at most.',
    params: z.object({ eventId: referenceTo('event', 'The event to send again.') }),
    status: 200,
    response: eventReplayed,
    errors: ['resource_missing'],
  },
} as const satisfies Record<string, Operation>
