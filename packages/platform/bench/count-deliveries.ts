import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A receiver of webhooks that acknowledges each at once. */
export interface CountedReceiver {
  port: number
  /** How many came. */
  readonly count: number
  /** When the last one came, by `performance.now()`. */
  readonly lastAtMs: number
  close: () => void
}

/** Starts to count deliveries. */
export async function countDeliveries(): Promise<CountedReceiver> {
  const seen = { count: 0, lastAtMs: 0 }
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      seen.count += 1
      seen.lastAtMs = performance.now()
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return {
    port: (server.address() as AddressInfo).port, // a TCP server that listens has one
    get count() {
      return seen.count
    },
    get lastAtMs() {
      return seen.lastAtMs
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
