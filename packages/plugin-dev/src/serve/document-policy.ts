import { pagePolicy, type PageOrigins, type PageSecurity } from '@tillwright/contract'
import { inlineHashes } from '@tillwright/contract/inline-hashes'

/** What a document is allowed by. */
export interface PolicedDocument {
  /** Before its data were written into it. */
  html: string
  origins: PageOrigins
  security: PageSecurity
  /** Lets the styles be that Vite puts into the page, and no others. */
  nonce: string
}

/**
 * The policy of a document: that of the page where it is hosted, and beside it no more than what hot reload lives of, so that
 * nothing works here that would not when it is published.
 */
export function documentPolicy({ html, origins, security, nonce }: PolicedDocument): string {
  const { scripts, styles } = inlineHashes(html)
  const inline = { scripts, styles: [...styles, `'nonce-${nonce}'`] }
  // Not every browser takes 'self' for web sockets too.
  const socket = new URL(origins.apiUrl).origin.replace(/^http/, 'ws')
  return pagePolicy(origins, inline, { ...security, connect: [...(security.connect ?? []), socket] })
}
