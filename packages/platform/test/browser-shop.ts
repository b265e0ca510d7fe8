import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { contract, type EventType } from '@tillwright/contract'
import { expect } from 'vitest'
import { commit } from '../src/http/operations/commit.ts'
import { SHOP_URL, type TestPlatform } from './test-platform.ts'

/** An event as its webhook tells it. */
export interface DeliveredEvent {
  id: string
  customerId: string | null
  eventType: EventType
  properties: Record<string, unknown>
  /** ISO 8601. */
  createdAt: string
}

/** A shop's server: its page holds the checkout, and the account's webhooks come to it. */
export interface BrowserShop {
  /** The page under the strictest policy that lets the checkout and its frames in. */
  url: string
  /** The same under a policy that keeps all frames out. */
  framelessUrl: string
  /** The events of a customer, oldest first, once the account's webhooks have delivered all of them. */
  eventsOf(customerId: string): Promise<DeliveredEvent[]>
  close(): void
}

/** Opens a shop for the local account of a platform, besides the one at which the platform's own tests type cards. */
export async function openBrowserShop(platform: TestPlatform): Promise<BrowserShop> {
  const delivered = new Map<string, DeliveredEvent>()
  const server = createServer((request, response) => {
    if (request.method === 'POST') void take(request, response)
    else show(request, response, platform)
  })
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { data } = (await json(request)) as { data: DeliveredEvent } // the platform's own webhook
    delivered.set(data.id, data)
    response.writeHead(204).end()
  }
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A TCP server always has a port.')
  const origin = `http://127.0.0.1:${address.port}`
  await pointAt(origin, platform)
  return {
    url: `${origin}/`,
    framelessUrl: `${origin}/frameless`,
    async eventsOf(customerId) {
      const statistics = () => platform.call(contract.events.statistics, { body: { customerId } })
      await expect.poll(statistics, { timeout: 60_000 }).toMatchObject({ unprocessedCount: 0 })
      const events = [...delivered.values()].filter((event) => event.customerId === customerId)
      expect(events).toHaveLength((await statistics()).totalEvents)
      return events.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt))
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function show({ url = '/' }: IncomingMessage, response: ServerResponse, { vaultUrl }: TestPlatform): void {
  const frames = url.startsWith('/frameless') ? "'none'" : vaultUrl
  const policy = `default-src 'none'; script-src ${vaultUrl}; frame-src ${frames}; require-trusted-types-for 'script'; trusted-types 'none'`
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy })
  const place = '<div id="card"></div>'
  response.end(`<!doctype html><title>Shop</title>${place}<script src="${vaultUrl}/v1/tillwright.js"></script>`)
}

/** Sends the account's webhooks to an origin, and lets its page hold the checkout. */
async function pointAt(origin: string, { local, services }: TestPlatform): Promise<void> {
  await commit(
    [
      {
        sql: 'UPDATE webhook_endpoints SET url = ? WHERE account_id = ?',
        params: [`${origin}/webhooks`, local.accountId],
      },
      allowOrigins([SHOP_URL, origin], local),
    ],
    services,
  )
}

/** The statement that lets these pages, and no others, hold what the account's publishable key opens. */
export function allowOrigins(origins: readonly string[], { accountId }: Pick<TestPlatform['local'], 'accountId'>) {
  return {
    sql: "UPDATE api_keys SET allowed_origins = ? WHERE account_id = ? AND kind = 'publishable'",
    params: [JSON.stringify(origins), accountId],
  }
}
