import { cors } from 'hono/cors'
import type { App } from './api-app.ts'

/** How long a browser may keep the answer to a preflight: as long as any does. */
const PREFLIGHT_MAX_AGE_S = 7_200

/**
 * Lets pages of any origin call the session API. What opens a session is a token that the page holds and no cookie that a
 * browser would add by itself, so that no origin gains anything by another's visit.
 */
export function allowPages(app: App): void {
  app.use(
    '/api/session/v1/*',
    cors({
      origin: '*',
      allowMethods: ['GET', 'POST', 'PUT', 'DELETE'],
      allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'Tillwright-Fault'],
      exposeHeaders: ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'Idempotent-Replayed'],
      maxAge: PREFLIGHT_MAX_AGE_S,
    }),
  )
}
