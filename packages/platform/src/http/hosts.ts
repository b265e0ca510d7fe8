import type { Services } from '../request-context.ts'
import type { App } from './operations/index.ts'

/** Names that only this machine has, as they stand in a `Host` header without the port. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'] as const

/**
 * Refuses in `local` what is addressed to another name than this machine's or one of its settings. A page elsewhere could
 * have its own name point at 127.0.0.1 (DNS rebinding), and would then read what a developer's platform shows without a
 * key. To be routed behind the pages of plugins, whose hosts are known to the database.
 *
 * @param ownUrls The URLs of the platform's origins.
 */
export function refuseOtherHosts(app: App, ownUrls: readonly string[]): void {
  const own: ReadonlySet<string> = new Set([...LOOPBACK, ...ownUrls.map((url) => new URL(url).hostname)])
  app.use(async (c, next) => {
    const sent = c.env.incoming.headersDistinct['host'] ?? []
    const [host = ''] = sent
    // Of two hosts others may read the other one (RFC 9112 section 3.2).
    if (sent.length === 1 && own.has(withoutPort(host))) return next()
    return c.text(refusal(own), 421, { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' })
  })
}

/** A port tells nothing: it may have been mapped on the way. A name may end in a dot (RFC 9110 section 4.2.3). */
function withoutPort(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d{0,5}$/, '')
    .replace(/\.$/, '')
}

function refusal(own: ReadonlySet<string>): string {
  const names = [...own].join(', ')
  return `This platform runs as "local" and answers to ${names}, hosts of plugins and promoted domains alone. Use one of them, or name yours in TILLWRIGHT_API_URL or TILLWRIGHT_VAULT_URL.\n`
}

/** Two years, as browsers' lists of such hosts ask for. */
const HTTPS_FOR = 'max-age=63072000'

/**
 * Tells browsers, outside `local`, to ask this host over HTTPS only (HSTS). For routes that are added later: hosts of
 * plugins are their merchants', who may want to leave. Source: RFC 6797.
 */
export function keepToHttps(app: App, environment: Services['environment']): void {
  if (environment === 'local') return
  app.use(async (c, next) => {
    await next()
    c.res.headers.set('Strict-Transport-Security', HTTPS_FOR)
  })
}

/**
 * Asks browsers to keep this origin's documents apart from those of its site's other origins, in memory and, where they
 * can, in processes. Source: HTML, "Origin-keyed agent clusters".
 */
export function isolateOrigin(app: App): void {
  app.use(async (c, next) => {
    await next()
    c.res.headers.set('Origin-Agent-Cluster', '?1')
  })
}
