import type { Parts } from '../call.ts'
import type { App } from './api-app.ts'

/** Two years, as browsers' lists of such hosts ask for. */
const HTTPS_FOR = 'max-age=63072000'

/**
 * Tells browsers, outside `local`, to ask this host over HTTPS only (HSTS). For routes that are added later: hosts of
 * plugins are their merchants', who may want to leave. Source: RFC 6797.
 */
export function keepToHttps(app: App, environment: Parts['environment']): void {
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
