import type { Caller, Services } from '../request-context.ts'
import { allowsOrigin, isAnyPort, type SharedBeginning } from '../runtime/index.ts'
import type { FrameHashes, ThreedsFiles } from './frame-files.ts'
import { newFrameSession } from './frame-sessions.ts'
import type { PublicJwk } from './jwe.ts'

/** Query parameters of a frame's URL: the shop's publishable key, its origin, and the frame's id. */
export interface FrameQuery {
  key: string
  origin: string
  id: string
}

/** An origin other than those of the key that may embed a frame's page. */
export interface Onlookers {
  /** The platform's console, as it is configured, for the page of a preview; `null` for every other. */
  consoleOrigin: string | null
}

/** The owner of the key in a frame's URL; `null` for an unknown key. */
export type FrameCaller = Pick<Caller, 'kind' | 'keyId' | 'allowedOrigins'> | null

/** A page to answer. */
export interface Page {
  status: number
  headers: Readonly<Record<string, string>>
  html: string
  /** What stands before `html`, and is the same in every answer. */
  beginning?: SharedBeginning
}

/** The headers of every frame's document, besides its policy. */
const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const

/** Any script that is loaded needs a hash of its own. A frame's own are inline, which this leaves to its policy. */
const scriptIntegrity = { 'Integrity-Policy': 'blocked-destinations=(script)' } as const

/** The origins whose pages may hold a frame that was asked for like this, or a plain page that says why there are none. */
function admitFrame(
  caller: FrameCaller,
  { origin, id }: FrameQuery,
  { consoleOrigin }: Onlookers,
): { outcome: 'admitted'; keyId: string; origins: string[] } | { outcome: 'refused'; page: Page } {
  const refuse = (status: number, why: string) => ({ outcome: 'refused', page: refusedFrame(status, why) }) as const
  if (caller?.kind !== 'publishable') return refuse(404, 'This is not the publishable key of a shop.')
  const origins = caller.allowedOrigins.filter((each) => isOrigin(each) || isAnyPort(each))
  if (!isOrigin(origin) || !allowsOrigin(origins, origin))
    return refuse(403, "The page's origin is not one that the key allows.")
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) return refuse(400, 'The id must be 1 to 64 letters, digits, "_" and "-".')
  const onlookers = consoleOrigin === null ? [] : [consoleOrigin]
  return { outcome: 'admitted', keyId: caller.keyId, origins: [...origins, ...onlookers] }
}

/**
 * The Content-Security-Policy of a frame's document.
 *
 * @param ancestors Origins of pages that may embed it.
 * @param issuers Sources of banks' pages, for the frame that opens them.
 */
function framePolicy({ scripts, style }: FrameHashes, ancestors: readonly string[], issuers?: string): string {
  return [
    "default-src 'none'",
    `script-src ${scripts.map((each) => `'${each}'`).join(' ')}`,
    `style-src '${style}'`,
    "connect-src 'self'",
    ...(issuers === undefined ? ["form-action 'none'"] : [`frame-src ${issuers}`, `form-action ${issuers}`]),
    "base-uri 'none'",
    `frame-ancestors ${ancestors.join(' ')}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

/** Fills `{{name}}` placeholders in the attributes of a built document; placeholders without a value stay. */
function fillFrame(html: string, values: Readonly<Record<string, string | undefined>>): string {
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

/**
 * The frame while the database is away, in the buyer's words. Any page may show it, since who may is not known now; it has
 * nothing to type into and nothing to click.
 */
export function frameLater(): Page {
  const page = refusedFrame(503, 'Card payments are interrupted for a moment. Nothing was charged. Please try again.')
  const policy = "default-src 'none'; frame-ancestors *"
  return { ...page, headers: { ...page.headers, 'Content-Security-Policy': policy, 'Retry-After': '2' } }
}

/** The parts of the card frame. */
export interface CardFrameParts extends Onlookers {
  /** The built page up to its settings. */
  beginning: SharedBeginning
  /** The rest of it; the settings replace `{{frame}}` in an attribute. */
  end: string
  hashes: FrameHashes
  caller: FrameCaller
  query: FrameQuery
  jwk: PublicJwk
  services: Pick<Services, 'clock' | 'secrets' | 'randomness'>
}

/**
 * The card frame for one page of a shop, or a plain page that says why not. Nothing of a refused request is repeated.
 */
export function cardFramePage(parts: CardFrameParts): Page {
  const { beginning, end, hashes, caller, query, jwk, services } = parts
  const admission = admitFrame(caller, query, parts)
  if (admission.outcome === 'refused') return admission.page
  const { alg: _alg, ...point } = jwk // The frame knows one algorithm.
  const session = newFrameSession({ keyId: admission.keyId, origin: query.origin }, services)
  // The frame says when a card was typed by the vault's time: a buyer's clock may be wrong, and ours may have been moved.
  const frame = JSON.stringify({ session, jwk: point, now: services.clock.now() })
  return {
    status: 200,
    headers: {
      ...pageHeaders,
      'Content-Security-Policy': framePolicy(hashes, admission.origins),
      ...scriptIntegrity,
      // A page that isolates itself holds frames of another origin only when they send this.
      'Cross-Origin-Embedder-Policy': 'require-corp',
    },
    beginning,
    html: fillFrame(end, { frame }),
  }
}

/** The page for an address that loads forms faster than buyers do. */
export function tooManyFrames(retryAfterS: number): Page {
  const page = refusedFrame(429, `Too many card forms were loaded from here; try again in ${retryAfterS} s.`)
  return { ...page, headers: { ...page.headers, 'Retry-After': String(retryAfterS) } }
}

/** The parts of the 3-D Secure frame. */
export interface ThreedsFrameParts extends Onlookers {
  files: ThreedsFiles
  caller: FrameCaller
  query: ThreedsFrameQuery
  environment: Services['environment']
}

/** Query parameters of the 3-D Secure frame's URL. */
export interface ThreedsFrameQuery extends FrameQuery {
  /** A language of `ThreedsFiles.texts`; anything else is served in English. */
  locale: string
  /**
   * Where a buyer goes afterwards whom the shop sends here because its page cannot hold the frame: an address of
   * `origin`. Empty for a frame.
   */
  returnUrl: string
}

/** The 3-D Secure frame for one page of a shop, the same as a page of its own, or a plain page that says why not. */
export function threedsFramePage(parts: ThreedsFrameParts): Page {
  const { files, caller, query, environment } = parts
  const { key, origin, id, locale, returnUrl } = query
  const admission = admitFrame(caller, query, parts)
  if (admission.outcome === 'refused') return admission.page
  if (returnUrl !== '' && !isOf(origin, returnUrl))
    return refusedFrame(400, "The way back must lead to the page's origin.")
  const { issuers, sources } = issuerAddresses(environment)
  const ancestors = returnUrl === '' ? admission.origins : ["'none'"]
  const frame = JSON.stringify({ id, origin, key, issuers, returnUrl })
  const texts = files.texts.get(locale) ?? files.texts.get('en')
  return {
    status: 200,
    headers: {
      ...pageHeaders,
      // A bank's server may refuse a form without an origin, which is what `no-referrer` would make of it.
      'Referrer-Policy': 'strict-origin',
      'Content-Security-Policy': framePolicy(files.hashes, ancestors, sources),
      ...scriptIntegrity,
    },
    html: fillFrame(files.html, { ...texts, frame }),
  }
}

/** Whether an address leads to an origin; that of a `blob:` is the origin that made it. */
function isOf(origin: string, url: string): boolean {
  return /^https?:/.test(url) && URL.canParse(url) && new URL(url).origin === origin
}

/**
 * URL prefixes of banks' pages, and the same as a source list of a Content-Security-Policy. They use HTTPS, except for
 * those of the built-in bank on a developer's machine.
 */
export interface IssuerAddresses {
  issuers: readonly string[]
  sources: string
}

const SECURE: IssuerAddresses = { issuers: ['https://'], sources: 'https:' }

const LOCAL: IssuerAddresses = {
  issuers: [...SECURE.issuers, 'http://localhost:', 'http://127.0.0.1:', 'http://[::1]:'],
  sources: 'https: http:',
}

/** The addresses that a browser may be sent to for its bank. */
function issuerAddresses(environment: Services['environment']): IssuerAddresses {
  return environment === 'local' ? LOCAL : SECURE
}

/** Whether a browser may be sent to this address, as the 3-D Secure frame judges it too. */
export function isIssuerAddress(address: string, environment: Services['environment']): boolean {
  return issuerAddresses(environment).issuers.some((beginning) => address.startsWith(beginning))
}
