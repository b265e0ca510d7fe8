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
