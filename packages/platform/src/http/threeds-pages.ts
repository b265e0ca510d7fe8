import { ApiError } from '../ambient/api-error.ts'
import { notificationPage, type NotificationStep } from '../payments/threeds/notification-page.ts'
import { recordChallenge, recordMethod, type Notification } from '../payments/threeds/record-notification.ts'
import type { App } from './api-app.ts'
import { clientAddress } from './client-address.ts'
import { readBody } from './read-body.ts'
import type { HttpContext } from './serve-operation.ts'
import type { Serving } from './serving.ts'

/** What an issuer sends along is a few hundred bytes. */
const FORM_MAX_BYTES = 64 * 1024

/**
 * The pages that issuers send a buyer's browser back to, by a form that it posts. What they bring is put on record, and
 * answered the same whether anybody knows the transaction or not.
 */
export function routeThreedsPages(app: App, serving: Serving): void {
  app.post('/v1/threeds/method/:id', (c) => answer(c, 'method', serving))
  app.post('/v1/threeds/notify/:id', (c) => answer(c, 'challenge', serving))
}

async function answer(c: HttpContext, step: NotificationStep, serving: Serving): Promise<Response> {
  const { parts, trustedProxies, frameLimits } = serving
  const transactionId = c.req.param('id') ?? ''
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(transactionId)) return c.notFound()
  try {
    const { allowed, retryAfterS } = await frameLimits.takePage(clientAddress(c.env.incoming, trustedProxies))
    if (!allowed) return c.text('Too many pages were loaded from here.', 429, { 'Retry-After': String(retryAfterS) })
    const form = new URLSearchParams((await readBody(c.env.incoming, FORM_MAX_BYTES)).toString())
    await record(step, { transactionId, field: form.get(fields[step]) }, parts)
  } catch (error) {
    if (error instanceof ApiError) return c.text(error.message, 400, error.details.headers)
    throw error
  }
  const { html, headers } = notificationPage(step, transactionId)
  return c.body(html, 200, headers)
}

/** Source: EMV 3DS 2.2.0, 3DS Method and browser challenge flow. */
const fields: Record<NotificationStep, string> = { method: 'threeDSMethodData', challenge: 'cres' }

function record(step: NotificationStep, notification: Notification, parts: Serving['parts']): Promise<void> {
  switch (step) {
    case 'method':
      return recordMethod(notification, parts)
    case 'challenge':
      return recordChallenge(notification, parts)
  }
}
