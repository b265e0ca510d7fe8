import type { IncomingMessage } from 'node:http'
import { isPromotedDomain, readHost } from '../../plugins/index.ts'
import { readAddress } from '../../runtime/index.ts'
import { DatabaseUnavailable } from '../../storage/index.ts'
import { type App, logUnavailable, type ServerContext, type TrustedProxies } from '../operations/index.ts'
import { senderOf } from './plugin-pages.ts'

/**
 * Answers a proxy that gets a certificate when a domain's first visitor comes: 200 for a domain that a plugin is promoted
 * to, 404 for every other name, so that no one uses up the authority's limits with names of their own. Hosts below the
 * plugins' own have their wildcard. Source: Caddy, `on_demand_tls`, `ask`.
 */
export function routeCertificates(app: App, { services, trustedProxies, takePageToken }: ServerContext): void {
  app.get('/certificates/ask', async (c) => {
    const domain = readHost(c.req.query('domain'))
    if (domain === null) return c.text('`domain` must be a host name, such as ?domain=pay.shop.example\n', 400)
    try {
      const { incoming } = c.env
      const quota = asksItself(incoming, trustedProxies)
        ? null
        : (await takePageToken(senderOf(incoming, trustedProxies))).quota
      if (quota?.allowed === false)
        return c.text('Too many questions.\n', 429, { 'Retry-After': String(quota.retryAfterS) })
      const isPromoted = await isPromotedDomain(domain, services.db)
      return isPromoted ? c.text(`${domain} is promoted.\n`) : c.text(`No plugin is promoted to ${domain}.\n`, 404)
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
      logUnavailable(services.log, error)
      return c.text('Ask again in a moment.\n', 503, { 'Retry-After': '1' })
    }
  })
}

/**
 * Whether a proxy asks, and not a client through it. It is not limited: strangers make it ask, by handshakes for names of their
 * own, and could use up what a merchant's new domain needs.
 */
function asksItself({ socket, headers }: IncomingMessage, trusted: TrustedProxies): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined
  return !isForwarded && trusted?.has(readAddress(socket.remoteAddress ?? '') ?? '') === true
}
