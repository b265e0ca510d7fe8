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
    id: z.string(),
    type: z.string(),
    timestamp,
    environment,
    accountId: z.string(),
    storeId: z.string().nullable(),
    data: event.omit({ customer: true, store: true }).or(z.object({ id: z.string() })),
  })
  .meta({ id: 'WebhookPayload' })
export type WebhookPayload = z.infer<typeof webhookPayload>

/** A payload over this many bytes carries only the event's id. */
export const WEBHOOK_DATA_MAX_BYTES = 20_000
