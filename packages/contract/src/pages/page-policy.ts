import { isScriptType } from '../content-type-of.ts'
import type { PageSecurity } from '../resources/page-security.ts'

/** The origins that a page works with. */
export interface PageOrigins {
  apiUrl: string
  vaultUrl: string
}

/** What of a document itself may work, as sources of a policy: `'sha256-...'`. */
export interface InlineSources {
  scripts: readonly string[]
  styles: readonly string[]
}

/** What the scripts of no document are: for files that are run by themselves, such as workers. */
const nothingInline: InlineSources = { scripts: [], styles: [] }

/**
 * The Content-Security-Policy of a plugin's page: its own files, the scripts and styles that it was deployed with, the
 * card form, the API, and the origins of others that its manifest names.
 */
export function pagePolicy(
  origins: PageOrigins,
  { scripts, styles }: InlineSources = nothingInline,
  { connect = [], image = [], font = [], frame = [] }: PageSecurity = {},
): string {
  const api = new URL(origins.apiUrl).origin
  const vault = new URL(origins.vaultUrl).origin
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scripts, vault].join(' '),
    ["style-src 'self'", ...styles].join(' '),
    ["img-src 'self' data: https:", ...image].join(' '),
    ["font-src 'self' data:", ...font].join(' '),
    "media-src 'self' https:",
    [`connect-src 'self' ${api} ${vault}`, ...connect].join(' '),
    [`frame-src ${vault}`, ...frame].join(' '),
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    `frame-ancestors 'self' ${api}`,
    "object-src 'none'",
  ].join('; ')
}

/** What a picture or a tree of XML may do when somebody opens it as a document: nothing but look right. */
const inertPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

/**
 * The policy of a file of a plugin, `null` for one that needs none. A worker takes its policy from its own file; XML and
 * what is made of it could run scripts as a document.
 */
export function filePolicy(contentType: string, origins: PageOrigins): string | null {
  if (isScriptType(contentType)) return pagePolicy(origins)
  return /xml/i.test(contentType) ? inertPolicy : null
}

/** The headers of everything that a plugin's host answers. Deployments have no cookies and share no window. */
export const pageHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), usb=()',
} as const
