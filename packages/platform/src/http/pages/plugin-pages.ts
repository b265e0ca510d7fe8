import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context, Next } from 'hono'
import {
  accountOfHost,
  isHostOfPages,
  BytesMissing,
  type PageAnswer,
  pageKeys,
  type PageRequest,
  type PageServing,
  type PluginHosting,
  readHost,
  servePage,
  statusPage,
} from '../../plugins/index.ts'
import { findDomainAssociation } from '../../vault/index.ts'
import { BlobsUnavailable, DatabaseUnavailable } from '../../storage/index.ts'
import {
  type App,
  clientAddress,
  type TrustedProxies,
  logUnavailable,
  type ServerContext,
} from '../operations/index.ts'

/** Dependencies of plugin pages. */
interface PluginPages {
  serverContext: ServerContext
  hosting: PluginHosting
  apiUrl: string
  vaultUrl: string
  /** Whether the operations of pages are answered on their hosts too. */
  answersSessions: boolean
}

/** Where the operations of pages are on the hosts of pages too. */
const SESSION_API = '/api/session/v1/'

/**
 * Answers what a page asks its own host for its session. To be routed before requests are observed: the operations have
 * routes of their own, by which they are observed there.
 */
export function routeSessionsOfPages(
  app: App,
  sessionApi: App,
  { serverContext, hosting }: Pick<PluginPages, 'serverContext' | 'hosting'>,
): void {
  const places = { db: serverContext.services.db, pluginsHost: new URL(hosting.pluginsUrl).hostname }
  const own = ownHosts(hosting)
  app.use(`${SESSION_API}*`, async (c: Context<{ Bindings: HttpBindings }>, next: Next) => {
    const [host, another] = c.env.incoming.headersDistinct['host'] ?? []
    const hostname = readHost(host)
    if (another !== undefined || hostname === null || own.has(hostname)) return next()
    return (await isHostOfPages(hostname, places)) ? sessionApi.fetch(c.req.raw, c.env) : next()
  })
}

/** Hosts that are the platform's and no plugin's. */
function ownHosts({ ownHostnames }: PluginHosting): ReadonlySet<string> {
  return new Set([...ownHostnames, 'localhost'])
}

/**
 * Answers what comes for a plugin's host: a deployment's, an alias's, or a domain's. Everything else goes on to the API.
 * To be routed before all of it, so that no path of the API stands on a host of others.
 */
export function routePluginPages(
  app: App,
  { serverContext, hosting, answersSessions, apiUrl, vaultUrl }: PluginPages,
): void {
  const { services, requestLog } = serverContext
  const own = ownHosts(hosting)
  const pages: PageServing = {
    services,
    blobs: hosting.blobs,
    pageKeys: pageKeys(services),
    pluginsUrl: hosting.pluginsUrl,
    answersSessions,
    apiUrl,
    vaultUrl,
  }
  app.use(async (c: Context<{ Bindings: HttpBindings }>, next: Next) => {
    const { headers, url: target = '/', method = 'GET' } = c.env.incoming
    const hostname = readHost(headers.host)
    if (hostname === null || own.has(hostname)) return next()
    const header = (name: string) => headers[name]?.toString()
    // Of two hosts others may read the other one (RFC 9112 section 3.2).
    if ((c.env.incoming.headersDistinct['host']?.length ?? 0) > 1) return respond(statusPage('unreadable'), method)
    const answer = await servedPage({ method, hostname, target, header }, c.env.incoming)
    if (answer === null) return next()
    requestLog.info({ method, hostname, status: answer.status }, 'page')
    return respond(answer, method)
  })

  async function servedPage(request: PageRequest, incoming: IncomingMessage): Promise<PageAnswer | null> {
    try {
      const { quota } = await serverContext.takePageToken(senderOf(incoming, serverContext.trustedProxies))
      if (!quota.allowed) return statusPage('busy', quota.retryAfterS)
      return (await domainAssociation(request, pages)) ?? (await servePage(request, pages))
    } catch (error) {
      return failedPage(error, request)
    }
  }

  /** An unreachable store or database is a temporary failure on our side; bytes that are gone are not. */
  function failedPage(error: unknown, { hostname, target }: PageRequest): PageAnswer {
    if (error instanceof BytesMissing) {
      services.log.error({ sha256: error.sha256, hostname, target }, error.message)
      return statusPage('lost')
    }
    if (error instanceof BlobsUnavailable) services.log.error({ err: error }, 'a file could not be read')
    else if (error instanceof DatabaseUnavailable) logUnavailable(services.log, error)
    else throw error
    return statusPage('unavailable')
  }
}

/** Where Apple looks for the file that ties a domain to a merchant. Source: Apple Pay on the Web, "Configuring your environment". */
const DOMAIN_ASSOCIATION = '/.well-known/apple-developer-merchantid-domain-association'

/** The file of the account that a host's deployment belongs to; `null` for any other address, and where it has none. */
async function domainAssociation(
  { method, target, hostname }: PageRequest,
  { services: { db }, pluginsUrl }: PageServing,
): Promise<PageAnswer | null> {
  if (target !== DOMAIN_ASSOCIATION || (method !== 'GET' && method !== 'HEAD')) return null
  const accountId = await accountOfHost(hostname, { db, pluginsHost: new URL(pluginsUrl).hostname })
  const file = accountId === null ? null : await findDomainAssociation(accountId, db)
  if (file === null) return null
  const headers = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'public, max-age=300',
    'X-Content-Type-Options': 'nosniff',
  }
  return { status: 200, headers, body: file }
}

/** The address whose rate limit a request counts towards: the peer's own if it did not come through a trusted proxy. */
export function senderOf(incoming: IncomingMessage, trusted: TrustedProxies): string {
  try {
    return clientAddress(incoming, trusted)
  } catch {
    return incoming.socket.remoteAddress ?? ''
  }
}

function respond({ status, headers, body }: PageAnswer, method: string): Response {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const length = bytes === null ? {} : { 'Content-Length': String(bytes.length) }
  const sent = method === 'HEAD' || bytes === null ? null : new Uint8Array(bytes)
  return new Response(sent, { status, headers: { ...headers, ...length } })
}
