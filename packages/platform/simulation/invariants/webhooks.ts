import { createHmac } from 'node:crypto'
import type { Town } from '../world/people.ts'
import type { Site } from '../world/platforms.ts'

/** Each event has reached each endpoint under its own id, and nothing was told that is no event. */
export function wrongWebhooks({ site, town }: { site: Site; town: Town }): string[] {
  const { server, receivers } = site
  const events = new Map(
    server.rows('SELECT id, account_id, event_type FROM events', []).map((row) => [String(row['id']), row]),
  )
  const taken = new Set<string>()
  const problems: string[] = []
  const bodies = new Map<string, string>()
  for (const { url, id, body, signature, atS, isTaken } of receivers.received) {
    const event = events.get(id)
    const payload: { id?: unknown; type?: unknown } = JSON.parse(body)
    if (event === undefined) problems.push(`${url} was told of ${id}, which is no event`)
    else if (payload.id !== id || payload.type !== event['event_type'])
      problems.push(`${url} was told of ${id} as ${String(payload.id)} ${String(payload.type)}`)
    if ((bodies.get(id) ?? body) !== body) problems.push(`${id} was told in other bytes`)
    bodies.set(id, body)
    const secret = town.shop.webhookSecrets[town.shop.webhookUrls.indexOf(url)] ?? ''
    if (!signature.split(' ').includes(signatureOf({ id, atS, body }, secret)))
      problems.push(`${id} was told to ${url} without its signature`)
    if (isTaken) taken.add(`${id} ${url}`)
  }
  const deliveries = server.rows(
    'SELECT d.event_id, w.url, d.state FROM webhook_deliveries d JOIN webhook_endpoints w ON w.account_id = d.account_id AND w.id = d.endpoint_id',
    [],
  )
  const known = new Set(deliveries.map(({ event_id: id, url }) => `${id} ${url}`))
  for (const { event_id: id, url, state } of deliveries) {
    const isThere = taken.has(`${id} ${url}`)
    if (state === 'delivered' && !isThere) problems.push(`${id} counts as delivered to ${url}, which has not taken it`)
    if (state !== 'delivered') problems.push(`${id} is ${state} for ${url}`)
  }
  for (const [id, event] of events) {
    if (event['account_id'] !== town.shop.accountId) continue
    for (const url of town.shop.webhookUrls) {
      if (!known.has(`${id} ${url}`) && !isFromBefore(id, town))
        problems.push(`${event['event_type']} ${id} is on its way to nobody at ${url}`)
    }
  }
  return problems
}

/** Events of the shop's own opening come before its endpoints. */
function isFromBefore(id: string, { shop }: Town): boolean {
  return shop.lastOwnEventId >= id
}

/** Source: Standard Webhooks 1.0.0, "Signature scheme". */
function signatureOf({ id, atS, body }: { id: string; atS: number; body: string }, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${atS}.${body}`).digest('base64')}`
}
