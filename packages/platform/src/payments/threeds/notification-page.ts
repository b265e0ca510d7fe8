import { createHash } from 'node:crypto'

/** Which of an issuer's pages has come to its end. */
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
 * It may stand in any page: it shows nothing, and whoever frames it learns nothing.
 *
 * @param transactionId A UUID, which needs no escaping.
 */
export function notificationPage(step: NotificationStep, transactionId: string): NotificationPage {
  return {
    headers,
    html: `<!doctype html>\n<html lang="en"><title>3-D Secure</title><body data-step="${step}" data-id="${transactionId}"><script>${SCRIPT}</script></body></html>\n`,
  }
}

const hash = createHash('sha256').update(SCRIPT).digest('base64')

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  // A frame that isolates itself holds this page only when it sends both of these.
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
} as const
