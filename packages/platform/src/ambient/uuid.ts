/**
 * Sixteen bytes written as a UUID of version 4.
 *
 * @param bytes 16 or more, random or a digest; six bits of them give way to version and variant. Source: RFC 9562, 5.4.
 */
export function uuidOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.subarray(0, 16)).toString('hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0b0011) | 0b1000).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
