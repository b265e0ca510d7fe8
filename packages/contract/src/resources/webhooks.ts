import { z } from 'zod'
import { environment } from './accounts.ts'
import { event } from './events.ts'
import { timestamp } from '../text.ts'

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
