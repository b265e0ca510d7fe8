import { isIPv6 } from 'node:net'

const GROUPS = 8
/** A provider gives a customer at least 64 bits of addresses, to draw from at will. Source: RFC 6177, RFC 4291 2.5.4. */
const BLOCK_GROUPS = 4

/** Whose address it is, as far as one can tell: an IPv4 address itself, of an IPv6 address its first 64 bits. */
export function addressBlock(address: string): string {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const omitted = Array.from({ length: Math.max(GROUPS - head.length - tail.length, 0) }, () => '0')
  const groups = [...head, ...omitted, ...tail].slice(0, BLOCK_GROUPS)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
