import { routePath } from 'hono/route'
import { noSpan, secondsSince, type Telemetry } from '../telemetry/index.ts'
import type { App } from './operations/index.ts'

/** Source: OpenTelemetry, "Semantic conventions for HTTP metrics": other methods are `_OTHER`. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Measures every request to an origin and begins its trace, or goes on with its caller's. To be routed before everything
 * else. The path itself is never recorded, only the template of its route: paths hold ids and what a caller makes up.
 */
export function observeRequests(app: App, origin: 'api' | 'vault', telemetry: Telemetry): void {
  if (!telemetry.enabled) return
  app.use(async (c, next) => {
    const startedAt = performance.now()
    const method = METHODS.has(c.req.method) ? c.req.method : '_OTHER'
    const traceparent = c.req.header('traceparent')
    const about = { 'tillwright.origin': origin, 'http.request.method': method }
    await telemetry.span(method, { begins: true, kind: 'server', traceparent, attributes: about }, async (span) => {
      await next()
      const { status } = c.res
      const route = templateOf(routePath(c, -1))
      const labels = { ...about, 'http.route': route, 'http.response.status_code': status }
      telemetry.record('http.server.request.duration', secondsSince(startedAt), labels)
      // Headers of an answer are made into an object only when they are read.
      if (span === noSpan) return
      const requestId = c.res.headers.get('x-request-id')
      span.rename(`${method} ${route}`)
      span.set({ ...labels, ...(requestId !== null && { 'tillwright.request.id': requestId }) })
      if (status >= 500) span.fail(String(status))
    })
  })
}

/** The path as the contract writes it. `other` for a plugin's page or an unknown path, which callers choose. */
function templateOf(path: string): string {
  const known = templates.get(path)
  if (known !== undefined) return known
  const isAny = path === '*' || path === '/*'
  const template = isAny ? 'other' : path.replaceAll(/:(\w+)(?:\{.*?\}(?=\/|$))?/g, '{$1}')
  templates.set(path, template)
  return template
}

/** As many as there are routes. */
const templates = new Map<string, string>()
