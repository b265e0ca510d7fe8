import { z } from 'zod'

/** What every message of a form says beside its session: `iat` is Unix time in seconds, `origin` the page's. */
export const messageFields = {
  iat: z.int(),
  jti: z.string().regex(/^[A-Za-z0-9_-]{22,64}$/),
  origin: z.string(),
} as const
