import { z } from 'zod'
import { referenceTo } from '../ids.ts'
import { EVENT_STREAM_HEARTBEAT_S, EVENT_STREAMS_PER_ACCOUNT } from '../limits.ts'
import type { Operation } from '../operation.ts'
import { type EventType, eventTypes } from '../resources/event-types.ts'
import {
  event,
  eventLogPage,
  eventLogQuery,
  eventReplayed,
  eventStatistics,
  eventStreamQuery,
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
    scope: 'events:read',
    summary: 'Read an event',
    description:
      'Returns the event with its customer and store. The fields of `properties` depend on the event’s type: see Webhooks.',
    params: z.object({ eventId: referenceTo('event', 'The id of the event.') }),
    status: 200,
    response: event,
    errors: ['resource_missing'],
  },
  statistics: {
    method: 'POST',
    path: '/api/public/v1/events/statistics',
    audience: 'admin',
    scope: 'events:read',
    summary: 'Count events by type',
    description:
      '`totalEvents` is the number of all events, processed or not, without drafts unless `draft` asks for those. An event is processed once every endpoint that subscribes to it has acknowledged it.',
    body: statisticsFilter,
    status: 200,
    response: eventStatistics,
    errors: [],
  },
} as const satisfies Record<string, Operation>

/** Not in the reference: following events as they happen, and testing webhook endpoints. */
export const eventLog = {
  list: {
    method: 'GET',
    path: '/api/events/v1/events',
    audience: 'admin',
    scope: 'events:read',
    summary: 'List events',
    description:
      'Returns events by id, oldest first. With `waitSeconds`, the request waits until there is an event or the time is over; the list is empty in the second case. Requests that run at the same time may record their events slightly out of order. To miss none, read the last minute again and skip the ids you know.',
    query: eventLogQuery,
    status: 200,
    response: eventLogPage,
    errors: [],
  },
  stream: {
    method: 'GET',
    path: '/api/events/v1/stream',
    audience: 'admin',
    scope: 'events:read',
    summary: 'Follow events as they happen',
    description: `Sends Server-Sent Events until the caller leaves: \`event\` is the type, \`data\` the event as in the list, and \`id\` the cursor to go on from, in the header \`Last-Event-ID\` or in \`after\`. An event arrives within a second of being recorded, also one that was recorded slightly out of order. A stream that goes on from a cursor misses nothing; in rare cases it repeats an event of the last minute, under the same id. A comment and the cursor are sent every ${EVENT_STREAM_HEARTBEAT_S} seconds. The stream ends when the key or the session does, when its rights change, and when the platform restarts: connect again. An account can have ${EVENT_STREAMS_PER_ACCOUNT} streams open at a time on each process of the platform.`,
    query: eventStreamQuery,
    status: 200,
    response: event,
    eventStream: true,
    errors: ['concurrency_exceeded'],
  },
  trigger: {
    method: 'POST',
    path: '/api/events/v1/trigger',
    audience: 'admin',
    scope: 'events:write',
    summary: 'Simulate an event (not in production)',
    description:
      'Records a draft event with the example properties of its type, overridden by `properties`. It is delivered like any event to the webhook endpoints that accept drafts, and has no other effect. Returns 404 in production.',
    body: eventTrigger,
    status: 201,
    response: triggeredEvent,
    errors: ['route_not_found'],
    emits: Object.keys(eventTypes) as EventType[], // the table's keys are the types
    idempotent: 'transaction',
  },
  replay: {
    method: 'POST',
    path: '/api/events/v1/events/{eventId}/replay',
    audience: 'admin',
    scope: 'events:write',
    summary: 'Resend an event',
    description:
      'Sends the event to every endpoint that subscribes to it now, with its original `webhook-id` and a full set of retries. Repeating the request sends it at most twice.',
    params: z.object({ eventId: referenceTo('event', 'The event to resend.') }),
    status: 200,
    response: eventReplayed,
    errors: ['resource_missing'],
  },
} as const satisfies Record<string, Operation>
