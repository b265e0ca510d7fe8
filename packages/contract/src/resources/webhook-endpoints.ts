import { z } from 'zod'
import { changeOf, revised } from '../changes.ts'
import { exampleId, idOf, reference } from '../ids.ts'
import { SECRET_OVERLAP_DEFAULT_H, SECRET_OVERLAP_MAX_H } from '../limits.ts'
import { pageQuery } from '../pagination.ts'
import { anyTimestamp, timestamp } from '../text.ts'
import { type EventType, eventTypes } from './event-types.ts'

const typeNames = Object.keys(eventTypes) as [EventType, ...EventType[]] // the table's keys are the types

const url = z
  .url({ protocol: /^https?$/ })
  .max(2_048)
  .meta({
    pattern: String.raw`^\s*[hH][tT][tT][pP][sS]?://`,
    description:
      'The address that events are sent to: `https:`, public and without a password. In the environment `local`, `http:` and this machine are allowed, too.',
    examples: ['https://shop.example/webhooks'],
  })

const subscribedTypes = z.union([z.literal('*'), z.array(z.enum(typeNames)).min(1).max(typeNames.length)]).meta({
  description:
    'The types of the events to send; `*` for all but those about the account, its keys, members, endpoints and hooks, and its audit log, which have to be named.',
  examples: [['s_order_paid', 's_order_refunded']],
})

const drafts = z
  .boolean()
  .meta({ description: 'Whether to send the events of previews and simulated ones as well.', examples: [false] })

/** An endpoint that events are sent to. Its secret is not among the fields. */
export const webhookEndpoint = z
  .object({
    id: idOf('webhookEndpoint', 'The id of the endpoint.'),
    accountId: idOf('account', 'The account whose events are sent.'),
    storeId: z
      .string()
      .nullable()
      .meta({
        description: 'The store whose events are sent; null for those of all stores and of the account itself.',
        examples: [null],
      }),
    url,
    eventTypes: subscribedTypes,
    drafts,
    enabled: z.boolean().meta({
      description: 'Whether events are sent. An endpoint that fails for long is disabled by the platform.',
      examples: [true],
    }),
    failingSince: timestamp
      .nullable()
      .meta({ description: 'The first failure since the last acknowledgement; null if none.', examples: [null] }),
    createdAt: timestamp.meta({ description: 'When the endpoint was created.' }),
    ...revised,
  })
  .meta({ id: 'WebhookEndpoint', description: 'A webhook endpoint, without its secret.' })
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>

/** The body of a new endpoint. */
export const newWebhookEndpoint = z
  .strictObject({
    url,
    eventTypes: subscribedTypes.default('*'),
    drafts: drafts.default(false),
    storeId: reference.optional().meta({
      description: 'The store whose events to send; by default those of all stores and of the account itself.',
      examples: [exampleId('store')],
    }),
  })
  .meta({ id: 'NewWebhookEndpoint', description: 'A webhook endpoint to create.' })

/** The body of a change of an endpoint. */
export const endpointChange = changeOf({
  url,
  eventTypes: subscribedTypes,
  drafts,
  enabled: webhookEndpoint.shape.enabled.meta({
    description:
      'Whether to send events. Enabling forgives failures; what has failed stays failed until it is replayed.',
    examples: [true],
  }),
}).meta({ id: 'WebhookEndpointChange', description: 'A change of a webhook endpoint.' })

/** An endpoint with a new secret. */
export const endpointSecret = z
  .object({
    endpoint: webhookEndpoint,
    secret: z.string().meta({
      description: 'The signing secret. It is shown once; verify signatures with it as Standard Webhooks 1.0.0 says.',
      examples: ['whsec_…'],
    }),
  })
  .meta({ id: 'EndpointSecret', description: 'A webhook endpoint with its new secret.' })

/** The body of rotating the secret of an endpoint. */
export const secretRotation = z
  .strictObject({
    overlapHours: z
      .int()
      .min(0)
      .max(SECRET_OVERLAP_MAX_H)
      .default(SECRET_OVERLAP_DEFAULT_H)
      .meta({
        description: 'How many hours the old secret signs as well; 0 ends it at once.',
        examples: [SECRET_OVERLAP_DEFAULT_H],
      }),
  })
  .meta({ id: 'SecretRotation', description: 'How to rotate a secret.' })

const deliveryState = z.enum(['pending', 'delivered', 'failed'])

/** An event on its way to an endpoint. */
export const delivery = z
  .object({
    eventId: idOf('event', 'The event.'),
    eventType: z.string().meta({ description: 'The type of the event.', examples: ['s_order_paid'] }),
    endpointId: idOf('webhookEndpoint', 'The endpoint, which may have been deleted since.'),
    state: deliveryState.meta({
      description: '`failed` after ten attempts, a 410, or when the endpoint was disabled or deleted.',
      examples: ['delivered'],
    }),
    attempts: z.int().meta({ description: 'Attempts since the event or its last replay.', examples: [1] }),
    nextAttemptAt: timestamp
      .nullable()
      .meta({ description: 'When a pending delivery is tried next; null for others.', examples: [null] }),
    lastStatus: z
      .int()
      .nullable()
      .meta({ description: 'The status of the last answer; null if there was none.', examples: [200] }),
    lastResponse: z
      .string()
      .nullable()
      .meta({ description: 'The first 2 kB of the last answer, or why there was none.', examples: ['ok'] }),
    tries: z
      .array(
        z.object({
          at: timestamp.meta({ description: 'When the attempt began.' }),
          ms: z.int().meta({ description: 'How long it took, in milliseconds.', examples: [120] }),
          status: z
            .int()
            .nullable()
            .meta({ description: 'The status of the answer.', examples: [200] }),
          failure: z
            .string()
            .nullable()
            .meta({ description: 'Why there was no answer.', examples: [null] }),
        }),
      )
      .meta({ description: 'The last ten attempts, oldest first.' }),
    createdAt: timestamp.meta({ description: 'When the delivery was created.' }),
  })
  .meta({ id: 'WebhookDelivery', description: 'An event on its way to a webhook endpoint.' })

/** The filters of deliveries. */
export const deliveryQuery = pageQuery.extend({
  after: pageQuery.shape.after.meta({
    description: 'The start of the page: `nextCursor` of the previous page.',
    examples: [`${exampleId('event')}/${exampleId('webhookEndpoint')}`],
  }),
  endpointId: reference.optional().meta({
    description: 'Only deliveries to this endpoint, which may have been deleted.',
    examples: [exampleId('webhookEndpoint')],
  }),
  eventId: reference.optional().meta({ description: 'Only deliveries of this event.', examples: [exampleId('event')] }),
  state: deliveryState.optional().meta({ description: 'Only deliveries in this state.', examples: ['failed'] }),
})

/** The body of replaying one event to one endpoint. */
export const deliveryReplay = z
  .strictObject({
    eventId: reference.meta({ description: 'The event to send again.', examples: [exampleId('event')] }),
  })
  .meta({ id: 'DeliveryReplay', description: 'An event to send to an endpoint again.' })

/** The body of replaying the events of a period. */
export const rangeReplay = z
  .strictObject({
    from: anyTimestamp.meta({ description: 'The start of the period.', examples: ['2026-11-20T00:00:00Z'] }),
    to: anyTimestamp.meta({ description: 'The end of the period, exclusive.', examples: ['2026-11-21T00:00:00Z'] }),
    which: z
      .enum(['all', 'failed'])
      .default('failed')
      .meta({
        description: '`failed`: events whose delivery failed; `all`: every event that the endpoint subscribes to.',
        examples: ['failed'],
      }),
    after: z
      .string()
      .regex(/^evt_[0-9A-Za-z]{22}$/, 'must be `after` of the answer before')
      .optional()
      .meta({ description: 'To go on: `after` of the answer before.', examples: [exampleId('event')] }),
  })
  .meta({ id: 'RangeReplay', description: 'A period whose events to send again.' })

/** A page of a replay. */
export const replayedPage = z
  .object({
    replayed: z.int().meta({ description: 'How many events of this page are sent again.', examples: [500] }),
    hasMore: z.boolean().meta({ description: 'Whether to go on with `after`.', examples: [false] }),
    after: z
      .string()
      .nullable()
      .meta({ description: 'The last event of the page; null if there was none.', examples: [exampleId('event')] }),
  })
  .meta({ id: 'ReplayedPage', description: `A page of a replay.` })
