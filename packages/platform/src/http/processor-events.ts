import { ApiError } from '../ambient/api-error.ts'
import type { ReceivedEvent } from '../payments/processor-events/receive-stripe-event.ts'
import type { App } from './api-app.ts'
import { clientAddress } from './client-address.ts'
import { plainFailure } from './plain-failure.ts'
import { readBody } from './read-body.ts'
import type { Serving } from './serving.ts'

/** An event holds one object; the largest are a tenth of this. */
const EVENT_MAX_BYTES = 512 * 1024

/**
 * The doors that processors bring their events to, one for each processor. Who knocks has no key of ours: the event is
 * signed. Stripe sends again whatever is not answered with a 2xx, for three days.
 */
export function routeProcessorEvents(app: App, serving: Serving): void {
  app.post('/api/processors/v1/:accountId/:processorId/stripe-events', async (c) => {
    try {
      clientAddress(c.env.incoming, serving.trustedProxies) // throws for what has not come over HTTPS
      const body = await readBody(c.env.incoming, EVENT_MAX_BYTES)
      const signature = c.req.header('stripe-signature') ?? ''
      const { accountId, processorId } = c.req.param()
      // Stripe's package is large: it is loaded by the first event.
      const { receiveStripeEvent } = await import('../payments/processor-events/receive-stripe-event.ts')
      const received = await receiveStripeEvent({ body, signature }, { accountId, processorId }, serving.parts)
      const { status, text } = answers[received]
      return c.text(text, status)
    } catch (error) {
      if (error instanceof ApiError) return plainFailure(error, serving)
      throw error
    }
  })
}

const answers = {
  taken: { status: 200, text: 'Taken.' },
  unknown: { status: 404, text: 'No processor takes events here; look at its address and set its signing secret.' },
  unsigned: { status: 400, text: 'The signature is not that of the signing secret, or too old.' },
  later: { status: 503, text: 'The event cannot be acted on yet; send it again.' },
} as const satisfies Record<ReceivedEvent, { status: number; text: string }>
