import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Services, Write } from '../request-context.ts'
import { findTransaction } from './session-records.ts'

/** The page of an issuer that has ended. */
export type NotificationStep = 'method' | 'challenge'

/**
 * Tells the frame around it that an issuer's page is done, and nothing more: the frame then asks for the result. Only a
 * window of the same origin hears it.
 */
const SCRIPT = "let{step,id}=document.body.dataset;parent.postMessage({tillwright:'threeds',step,id},location.origin)"

/** The page that a browser is sent to when an issuer's page is done. */
export interface NotificationPage {
  headers: Readonly<Record<string, string>>
  html: string
}

/**
 * Safe to frame from any page: it shows nothing and reveals nothing to the framing page.
 *
 * @param transactionId A UUID, which needs no escaping.
 */
export function notificationPage(step: NotificationStep, transactionId: string): NotificationPage {
  return {
    headers,
    html: `<!doctype html>\n<html lang="en"><title>3-D Secure</title><body data-step="${step}" data-id="${transactionId}"><script>${SCRIPT}</script></body></html>\n`,
  }
}

function policyOf(script: string): string {
  const hash = createHash('sha256').update(script).digest('base64')
  return `default-src 'none'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
}

/** Leads the browser on without the bank's page in its history. */
const RETURN_SCRIPT = 'location.replace(document.links[0].href)'

/** The page that leads a browser from the bank back to the address that the session's creator has named. */
export function returnPage(returnTo: string): NotificationPage {
  const href = returnTo.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return {
    headers: { ...headers, 'Content-Security-Policy': policyOf(RETURN_SCRIPT) },
    html: `<!doctype html>\n<html lang="en"><title>3-D Secure</title><body><a href="${href}">Back to the shop</a><script>${RETURN_SCRIPT}</script></body></html>\n`,
  }
}

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': policyOf(SCRIPT),
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  // A frame that isolates itself holds this page only when it sends both of these.
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
} as const

/** The form that an issuer's page posts back through the browser: one field, as it was sent. */
export interface Notification {
  /** The threeDSServerTransID in the address. */
  transactionId: string
  /** Base64url of JSON, or anything else; `null` when the field is not there. */
  field: string | null
}

/**
 * Puts on record that an issuer's method page has run to its end: the first time only. A message that does not fit the
 * session, or comes for none, leaves no trace.
 */
export async function recordMethod({ transactionId, field }: Notification, services: Pick<Services, 'db' | 'clock'>) {
  const session = await findTransaction(transactionId, services.db)
  const sent = methodData.safeParse(decode(field)).data
  if (session === null || sent?.threeDSServerTransID !== transactionId) return
  await keep(
    {
      sql: `UPDATE threeds_sessions SET method_notified_at = ?
        WHERE account_id = ? AND id = ? AND method_started_at IS NOT NULL AND method_notified_at IS NULL`,
      params: [services.clock.now(), session.accountId, session.id],
    },
    services,
  )
}

/**
 * Records the result that an issuer's challenge page posted through the browser, for later investigation. It decides
 * nothing: the browser is not trusted, and only the result from the directory server counts.
 *
 * @returns Where the browser is to go from there; `null` where the page around it is told instead. Only a post that names
 *   the bank's own id of the challenge learns the address.
 */
export async function recordChallenge(
  { transactionId, field }: Notification,
  services: Pick<Services, 'db' | 'clock'>,
): Promise<string | null> {
  const session = await findTransaction(transactionId, services.db)
  const sent = challengeResponse.safeParse(decode(field)).data
  if (session === null || sent?.threeDSServerTransID !== transactionId) return null
  if (sent.acsTransID !== session.authentication?.acsTransactionId) return null
  await keep(
    {
      // One of three words of our own; as a parameter it would stand before the account.
      sql: `UPDATE threeds_sessions SET notified_at = ?, cres_status = '${statusOf(sent)}'
        WHERE account_id = ? AND id = ? AND notified_at IS NULL`,
      params: [services.clock.now(), session.accountId, session.id],
    },
    services,
  )
  if (session.returnUrl === null) return null
  const returnTo = new URL(session.returnUrl)
  returnTo.searchParams.set('sessionId', session.id)
  return returnTo.href
}

async function keep(write: Write, { db }: Pick<Services, 'db'>): Promise<void> {
  await db.write([write])
}

/** Source: EMV 3DS 2.2.0, 3DS Method notification. */
const methodData = z.object({ threeDSServerTransID: z.string() })

/** Source: EMV 3DS 2.2.0, CRes; an Erro in its place has the same ids. */
const challengeResponse = z.union([
  z.object({
    messageType: z.literal('CRes'),
    threeDSServerTransID: z.string(),
    acsTransID: z.string(),
    transStatus: z.enum(['Y', 'N']),
  }),
  z.object({ messageType: z.literal('Erro'), threeDSServerTransID: z.string(), acsTransID: z.string() }),
])

function statusOf(sent: z.output<typeof challengeResponse>): 'Y' | 'N' | 'error' {
  return sent.messageType === 'CRes' ? sent.transStatus : 'error'
}

function decode(field: string | null): unknown {
  try {
    return JSON.parse(Buffer.from(field ?? '', 'base64url').toString())
  } catch {
    return undefined // which fits no schema
  }
}
