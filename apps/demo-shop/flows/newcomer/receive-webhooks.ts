import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { verifyWebhook } from '@tillwright/client'
import { vi } from 'vitest'

/** A shop's server, which does nothing but take webhooks. */
export interface WebhookReceiver {
  /** The shop's address; webhooks come to its `/webhooks`. */
  url: string
  /** Waits for the signed news of a paid order. */
  paid: (secret: string) => Promise<void>
  stop: () => Promise<void>
}

interface Delivery {
  headers: IncomingMessage['headers']
  body: string
}

export async function receiveWebhooks(): Promise<WebhookReceiver> {
  const deliveries: Delivery[] = []
  const server = createServer(async (request, response) => {
    deliveries.push({ headers: request.headers, body: await text(request) })
    response.end()
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    url: `http://localhost:${port}`,
    paid: (secret) =>
      vi.waitFor(
        () => {
          const types = deliveries.map(({ headers, body }) => verifyWebhook(body, headers, secret).type)
          if (!types.includes('s_order_paid')) throw new Error(`Came so far: ${types.join(', ')}.`)
        },
        { timeout: 60_000 },
      ),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
