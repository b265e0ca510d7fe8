import { allowsOrigin, isAnyPort } from '../ambient/allows-origin.ts'
import type { FrameHashes } from './frame-files.ts'
import type { Caller } from '../call.ts'

/** What a shop's page asks for, in the address of the frame: its publishable key, its origin, and the frame's id. */
export interface FrameQuery {
  key: string
  origin: string
  id: string
}

/** Whom the key in a frame's address belongs to; `null` when it is nobody's. */
export type FrameCaller = Pick<Caller, 'kind' | 'keyId' | 'allowedOrigins'> | null

/** A page to answer. */
export interface Page {
  status: number
  headers: Readonly<Record<string, string>>
  html: string
}

/** The headers of every frame's document, besides its policy. */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const

/** Any script that is loaded needs a hash of its own. A frame's one is inline, which this leaves to its policy. */
export const scriptIntegrity = { 'Integrity-Policy': 'blocked-destinations=(script)' } as const

/** The origins whose pages may hold a frame that was asked for like this, or a plain page that says why there are none. */
export function admitFrame(
  caller: FrameCaller,
  { origin, id }: FrameQuery,
): { outcome: 'admitted'; keyId: string; origins: string[] } | { outcome: 'refused'; page: Page } {
  const refuse = (status: number, why: string) => ({ outcome: 'refused', page: refusedFrame(status, why) }) as const
  if (caller?.kind !== 'publishable') return refuse(404, 'This is not the publishable key of a shop.')
  const origins = caller.allowedOrigins.filter((each) => isOrigin(each) || isAnyPort(each))
  if (!isOrigin(origin) || !allowsOrigin(origins, origin))
    return refuse(403, "The page's origin is not one that the key allows.")
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) return refuse(400, 'The id must be 1 to 64 letters, digits, "_" and "-".')
  return { outcome: 'admitted', keyId: caller.keyId, origins }
}

/**
 * What a frame's document may do.
 *
 * @param ancestors The origins of pages that may hold it.
 * @param issuers The sources of banks' pages, for the frame that opens them.
 */
export function framePolicy({ script, style }: FrameHashes, ancestors: readonly string[], issuers?: string): string {
  return [
    "default-src 'none'",
    `script-src '${script}'`,
    `style-src '${style}'`,
    "connect-src 'self'",
    ...(issuers === undefined ? ["form-action 'none'"] : [`frame-src ${issuers}`, `form-action ${issuers}`]),
    "base-uri 'none'",
    `frame-ancestors ${ancestors.join(' ')}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

/** Writes values into a built document, where `{{name}}` stands in an attribute; a place without a value stays. */
export function fillFrame(html: string, values: Readonly<Record<string, string | undefined>>): string {
  return html.replace(/\{\{(\w+)\}\}/g, (place, name: string) => {
    const value = values[name]
    return value === undefined ? place : escapeAttribute(value)
  })
}

/** A text as the value of an attribute. */
function escapeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

/** A plain page that says why there is no frame, and that no page may hold. */
export function refusedFrame(status: number, why: string): Page {
  return {
    status,
    headers: { ...pageHeaders, 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" },
    html: `<!doctype html>\n<html lang="en">\n<title>Nothing to show</title>\n<p>${why}</p>\n</html>\n`,
  }
}

/** As browsers write it: `null` and wildcards are none. It holds no space, `;` or `,`, so that none can add to the policy. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
}
