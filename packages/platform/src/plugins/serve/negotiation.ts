/** Whether an `Accept-Encoding` header takes Brotli: named, or by `*`, and not with a quality of 0 (RFC 9110 12.5.3). */
export function acceptsBrotli(header: string | undefined): boolean {
  const qualities = new Map<string, number>()
  for (const each of (header ?? '').toLowerCase().split(',')) {
    const [coding = '', ...parameters] = each.split(';').map((part) => part.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    qualities.set(coding, quality === undefined ? 1 : Number(quality))
  }
  return (qualities.get('br') ?? qualities.get('*') ?? 0) > 0
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
