import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { onTestFinished } from 'vitest'
import type { Over } from './place.ts'

/** A shop's server, which knows every webhook that has reached it. */
export interface Receiver {
  url: string
  /** How often each came whose signature is right, by its id. */
  received: ReadonlyMap<string, number>
  /** Deliveries with a wrong signature, and the reason. */
  refused: readonly string[]
  /** The endpoint's secret, which is known once the endpoint is. */
  trust(secret: string): void
  /** Whether it takes requests and answers none of them. */
  hang(hanging: boolean): void
  /** Resolves when all of these have come. */
  until(ids: readonly string[]): Promise<void>
}

/** Starts one that ends with the test, or when `over` says. */
export async function startReceiver(over: Over = onTestFinished): Promise<Receiver> {
  const received = new Map<string, number>()
  const refused: string[] = []
  const arrivals = new Set<(id: string) => void>()
  let webhook: Webhook | null = null
  let isHanging = false
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (isHanging) return // the sender gives up
    const id = String(request.headers['webhook-id'])
    try {
      webhook?.verify(
        body,
        Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      )
      received.set(id, (received.get(id) ?? 0) + 1)
      for (const arrived of arrivals) arrived(id)
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error
      refused.push(`${id}: ${error.message}`)
    }
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  over(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A TCP server always has a port.')
  return {
    url: `http://127.0.0.1:${address.port}/webhooks`,
    received,
    refused,
    trust: (secret) => void (webhook = new Webhook(secret)),
    hang: (hanging) => void (isHanging = hanging),
    until: (ids) =>
      new Promise((resolve) => {
        const missing = new Set(ids.filter((id) => !received.has(id)))
        function arrived(id: string): void {
          missing.delete(id)
          if (missing.size > 0) return
          arrivals.delete(arrived)
          resolve()
        }
        arrivals.add(arrived)
        arrived('')
      }),
  }
}
