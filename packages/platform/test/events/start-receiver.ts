import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A webhook as it came in. */
export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/**
 * Answers of a receiver. `hang`: nothing at all; `reset`: it takes the webhook and then breaks the connection; `drip`:
 * a byte at a time, without an end.
 */
export type ReceiverAnswer =
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'hang'
  | 'reset'
  | 'drip'

/** An account's server. */
export interface Receiver {
  url: string
  received: Received[]
  /** The `webhook-id` of each that came in. */
  ids(): string[]
  /** Resolves when so many webhooks have come in, with all of them. */
  until(count: number): Promise<Received[]>
}

const DRIP_EVERY_MS = 20

function drip(response: ServerResponse): void {
  const dripping = setInterval(() => response.write(' '), DRIP_EVERY_MS)
  response.once('close', () => clearInterval(dripping))
}

/** Starts a receiver on a free port of loopback; it answers 204 unless told otherwise, and ends with the test. */
export async function startReceiver(
  answer: (webhook: Received, count: number) => ReceiverAnswer | Promise<ReceiverAnswer> = () => ({ status: 204 }),
): Promise<Receiver> {
  const received: Received[] = []
  const watchers = new Set<() => void>()
  const server = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1')
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const webhook = { path: request.url ?? '', headers: request.headers, body: await text(request) }
    const count = received.push(webhook)
    for (const watch of watchers) watch()
    const reply = await answer(webhook, count)
    if (reply === 'reset') request.socket.resetAndDestroy()
    else if (reply === 'drip') drip(response.writeHead(200))
    else if (reply !== 'hang') response.writeHead(reply.status, reply.headers).end(reply.body)
  }
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A TCP server always has a port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    received,
    ids: () => received.map(({ headers }) => String(headers['webhook-id'])),
    until: (count) =>
      new Promise((resolve) => {
        function watch(): void {
          if (received.length < count) return
          watchers.delete(watch)
          resolve(received)
        }
        watchers.add(watch)
        watch()
      }),
  }
}
