import { z } from 'zod'
import { changeErrors, howToChange } from '../changes.ts'
import { decidedElsewhere } from '../decided-elsewhere.ts'
import { referenceTo } from '../ids.ts'
import { createdBetween, howToList, listOf, ofResource } from '../lists.ts'
import type { Operation } from '../operation.ts'
import { pageOf } from '../pagination.ts'
import { eventReplayed } from '../resources/events.ts'
import {
  delivery,
  deliveryQuery,
  deliveryReplay,
  endpointChange,
  endpointSecret,
  newWebhookEndpoint,
  rangeReplay,
  replayedPage,
  secretRotation,
  webhookEndpoint,
} from '../resources/webhook-endpoints.ts'

const ofEndpoint = z.object({ endpointId: referenceTo('webhookEndpoint', 'The id of the endpoint.') })

/** Not in the reference. Where an account wants its events sent, and what was sent there. */
export const webhookEndpoints = {
  list: {
    method: 'GET',
    path: '/api/events/v1/endpoints',
    audience: 'admin',
    scope: 'events:read',
    summary: 'List webhook endpoints',
    description: `Secrets are not shown. ${howToList}`,
    ...listOf(webhookEndpoint, {
      ...createdBetween,
      storeId: ofResource('store', 'Only endpoints of this store.'),
    }),
    status: 200,
    errors: [],
  },
  get: {
    method: 'GET',
    path: '/api/events/v1/endpoints/{endpointId}',
    audience: 'admin',
    scope: 'events:read',
    summary: 'Read a webhook endpoint',
    description: 'Returns all but the secret.',
    params: ofEndpoint,
    status: 200,
    response: webhookEndpoint,
    errors: ['resource_missing'],
  },
  create: {
    method: 'POST',
    path: '/api/events/v1/endpoints/create',
    audience: 'admin',
    scope: 'events:write',
    summary: 'Create a webhook endpoint',
    description:
      'Returns the signing secret once. Outside `local`, the address must be `https:` and public: it is looked up now and again before each delivery. An account has at most 100 endpoints.',
    body: newWebhookEndpoint,
    status: 201,
    response: endpointSecret,
    errors: ['resource_missing', 'state_conflict'],
    emits: ['s_webhook_endpoint_created'],
    idempotent: 'transaction',
    secretAnswer: true,
  },
  update: {
    method: 'PATCH',
    path: '/api/events/v1/endpoints/{endpointId}',
    audience: 'admin',
    scope: 'events:write',
    summary: 'Update a webhook endpoint',
    description: `A new address is checked as that of a new endpoint, and gets pending deliveries too. The store cannot be changed: create another endpoint. ${howToChange}`,
    params: ofEndpoint,
    body: endpointChange,
    decided: decidedElsewhere.webhookEndpoint,
    status: 200,
    response: webhookEndpoint,
    errors: changeErrors,
    emits: ['s_webhook_endpoint_updated'],
    idempotent: 'transaction',
  },
  rotateSecret: {
    method: 'POST',
    path: '/api/events/v1/endpoints/{endpointId}/rotate-secret',
    audience: 'admin',
    scope: 'events:write',
    summary: 'Rotate the secret of a webhook endpoint',
    description:
      'Returns the new signing secret once. For `overlapHours`, deliveries are signed with the old one as well.',
    params: ofEndpoint,
    body: secretRotation,
    status: 201,
    response: endpointSecret,
    errors: ['resource_missing', 'state_conflict'],
    emits: ['s_webhook_endpoint_updated'],
    idempotent: 'transaction',
    secretAnswer: true,
  },
  delete: {
    method: 'POST',
    path: '/api/events/v1/endpoints/{endpointId}/delete',
    audience: 'admin',
    scope: 'events:write',
    summary: 'Delete a webhook endpoint',
    description: 'For good, with its secret. Pending deliveries to it are dropped; those of the past stay in the list.',
    params: ofEndpoint,
    status: 200,
    response: webhookEndpoint,
    errors: ['resource_missing'],
    emits: ['s_webhook_endpoint_deleted'],
    idempotent: 'transaction',
  },
  listDeliveries: {
    method: 'GET',
    path: '/api/events/v1/deliveries',
    audience: 'admin',
    scope: 'events:read',
    summary: 'List webhook deliveries',
    description:
      'Those of the newest events first. `state=failed` lists what no endpoint has acknowledged. Each page looks at 2,000 deliveries at most: where few match, it may have none and still a cursor that goes on.',
    query: deliveryQuery,
    status: 200,
    response: pageOf(delivery),
    errors: [],
  },
  replay: {
    method: 'POST',
    path: '/api/events/v1/endpoints/{endpointId}/replay',
    audience: 'admin',
    scope: 'events:write',
    summary: 'Resend an event to an endpoint',
    description:
      'Sends the event to this endpoint alone, with its original `webhook-id` and a full set of retries. Returns 409 if the endpoint does not subscribe to it. To resend it to all endpoints, use `POST /api/events/v1/events/{eventId}/replay`.',
    params: ofEndpoint,
    body: deliveryReplay,
    status: 200,
    response: eventReplayed,
    errors: ['resource_missing', 'state_conflict'],
  },
  replayRange: {
    method: 'POST',
    path: '/api/events/v1/endpoints/{endpointId}/replay-range',
    audience: 'admin',
    scope: 'events:write',
    summary: 'Resend the events of a period to an endpoint',
    description:
      'Sends up to 500 events, oldest first. While `hasMore` is true, repeat the request with `after` of the answer.',
    params: ofEndpoint,
    body: rangeReplay,
    status: 200,
    response: replayedPage,
    errors: ['resource_missing', 'state_conflict'],
  },
} as const satisfies Record<string, Operation>
