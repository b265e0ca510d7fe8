import type { Caller, Parts } from '../call.ts'
import type { FrameHashes } from './frame-files.ts'
import { newFrameSession } from './frame-session.ts'
import type { PublicJwk } from './jwe-keys.ts'

/** What a shop's page asks for, in the address of the frame: its publishable key, its origin, and the frame's id. */
export interface CardFrameQuery {
  key: string
  origin: string
  id: string
}

/** What the card frame is made of. */
export interface CardFrameParts {
  /** The built page; `{{frame}}` stands in an attribute where its settings go. */
  html: string
  hashes: FrameHashes
  /** Whom the key belongs to; `null` when it is nobody's. */
  caller: Pick<Caller, 'kind' | 'keyId' | 'allowedOrigins'> | null
  query: CardFrameQuery
  jwk: PublicJwk
  parts: Pick<Parts, 'environment' | 'secrets' | 'randomness'>
}

/** A page to answer. */
export interface Page {
  status: number
  headers: Readonly<Record<string, string>>
  html: string
}

/**
 * The card frame for one page of a shop, or a plain page that says why not. Nothing of a refused request is repeated.
 */
export function cardFramePage({ html, hashes, caller, query, jwk, parts }: CardFrameParts): Page {
  const { key, origin, id } = query
  if (caller?.kind !== 'publishable') return refusedFrame(404, 'This is not the publishable key of a shop.')
  const origins = caller.allowedOrigins.filter(isOrigin)
  if (!origins.includes(origin)) return refusedFrame(403, "The page's origin is not one that the key allows.")
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id))
    return refusedFrame(400, 'The id must be 1 to 64 letters, digits, "_" and "-".')
  const session = newFrameSession({ keyId: caller.keyId, origin }, parts)
  const frame = JSON.stringify({ v: 1, id, origin, key, session, jwk, environment: parts.environment })
  return {
    status: 200,
    headers: {
      ...pageHeaders,
      'Content-Security-Policy': cardPolicy(hashes, origins),
      ...scriptIntegrity,
    },
    // A function, because `$` has a meaning in a replacement's text.
    html: html.replace('{{frame}}', () => escapeAttribute(frame)),
  }
}

/** The page for an address that loads forms faster than buyers do. */
export function tooManyFrames(retryAfterS: number): Page {
  const page = refusedFrame(429, `Too many card forms were loaded from here; try again in ${retryAfterS} s.`)
  return { ...page, headers: { ...page.headers, 'Retry-After': String(retryAfterS) } }
}

const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  // A page that isolates itself holds frames of another origin only when they send both of these.
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
} as const

/** Any script that is loaded needs a hash of its own. The frame's one is inline, which this leaves to the policy above. */
const scriptIntegrity = { 'Integrity-Policy': 'blocked-destinations=(script)' } as const

function cardPolicy({ script, style }: FrameHashes, origins: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src '${script}'`,
    `style-src '${style}'`,
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${origins.join(' ')}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

/** As browsers write it: `null` and wildcards are none. It holds no space, `;` or `,`, so that none can add to the policy. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

function escapeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

/** A plain page that says why there is no form, and that no page may hold. */
export function refusedFrame(status: number, why: string): Page {
  return {
    status,
    headers: { ...pageHeaders, 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" },
    html: `<!doctype html>\n<html lang="en">\n<title>No card form</title>\n<p>${why}</p>\n</html>\n`,
  }
}
