import { acceptedEncoding } from '../../runtime/index.ts'

/** Whether an `Accept-Encoding` header takes Brotli. */
export function acceptsBrotli(header: string | undefined): boolean {
  return acceptedEncoding(header) === 'br'
}

/**
 * Whether a browser has what it asks for: an `If-None-Match` header that names the tag, weakly or not, or is `*`.
 *
 * @param etag With its quotes. Source: RFC 9110 section 13.1.2.
 */
export function isUnchanged(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || header?.trim() === '*'
}
