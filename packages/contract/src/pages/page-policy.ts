import { isScriptType } from '../content-type-of.ts'
import type { PageSecurity } from '../resources/page-security.ts'

/** The origins that a page uses. */
export interface PageOrigins {
  apiUrl: string
  vaultUrl: string
}

/** Policy sources for a document's own inline scripts and styles: `'sha256-...'`. */
export interface InlineSources {
  scripts: readonly string[]
  styles: readonly string[]
}

/** Sources of others that a page may run and frame, besides those of its manifest. */
export interface ForeignSources {
  scripts: readonly string[]
  frames: readonly string[]
  connect: readonly string[]
}

/** Where Google Pay's script and its sheet come from. Source: Google Pay API for web, "Content Security Policy". */
export const googlePaySources: ForeignSources = {
  scripts: ['https://pay.google.com'],
  frames: ['https://pay.google.com'],
  connect: ['https://pay.google.com', 'https://google.com'],
}

/** Sources that a page may use besides its own: those of its manifest, and those of a wallet. */
export type PagePolicySources = PageSecurity & { readonly foreign?: ForeignSources | undefined }

const nobody: ForeignSources = { scripts: [], frames: [], connect: [] }

/** For files that are not documents, such as workers. */
const nothingInline: InlineSources = { scripts: [], styles: [] }

/**
 * The Content-Security-Policy of a plugin's page: its own files, the scripts and styles it was deployed with, the card
 * form, the API, the third-party origins in its manifest, and those that a wallet needs.
 */
export function pagePolicy(
  origins: PageOrigins,
  { scripts, styles }: InlineSources = nothingInline,
  { connect = [], image = [], font = [], frame = [], foreign = nobody }: PagePolicySources = {},
): string {
  const api = new URL(origins.apiUrl).origin
  const vault = new URL(origins.vaultUrl).origin
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scripts, vault, ...foreign.scripts].join(' '),
    ["style-src 'self'", ...styles].join(' '),
    ["img-src 'self' data: https:", ...image].join(' '),
    ["font-src 'self' data:", ...font].join(' '),
    "media-src 'self' https:",
    [`connect-src 'self' ${api} ${vault}`, ...connect, ...foreign.connect].join(' '),
    [`frame-src ${vault}`, ...frame, ...foreign.frames].join(' '),
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    `frame-ancestors 'self' ${api}`,
    "object-src 'none'",
  ].join('; ')
}

/** The policy of an image or XML file opened as a document: it can be displayed and nothing else. */
const inertPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

/**
 * The policy of a plugin's file, or `null` if it needs none. A worker's policy comes from its own file, and XML
 * documents could run scripts.
 */
export function filePolicy(contentType: string, origins: PageOrigins): string | null {
  if (isScriptType(contentType)) return pagePolicy(origins)
  return /xml/i.test(contentType) ? inertPolicy : null
}

/** Headers of all responses from a plugin's host. Deployments have no cookies and share no window. */
export const pageHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), usb=()',
} as const
