import { BlockList, isIP, SocketAddress } from 'node:net'

/** `1.2.3.4:5555`, as Azure's gateways and IIS write an address into `X-Forwarded-For`. */
const IPV4_WITH_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/
/** `[2001:db8::1]` and `[2001:db8::1]:5555`. Source: RFC 3986, 3.2.2; RFC 7239, 6. */
const BRACKETED = /^\[([^[\]]+)\](?::\d{1,5})?$/
const IPV4_MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/

/**
 * Reads an IP address as a proxy or a socket reports it, with or without a port.
 *
 * @returns The canonical form (IPv4-mapped IPv6 as IPv4, IPv6 as in RFC 5952; no port, brackets or zone), so that one
 *   client is never counted twice, or `null` if the text is not an address.
 */
export function readAddress(text: string): string | null {
  const bare = (BRACKETED.exec(text) ?? IPV4_WITH_PORT.exec(text))?.[1] ?? text
  const family = isIP(bare)
  if (family === 0) return null
  const { address } = new SocketAddress({ address: bare, family: family === 4 ? 'ipv4' : 'ipv6' })
  return IPV4_MAPPED.exec(address)?.[1] ?? address
}

/** IP addresses and ranges of them. */
export interface AddressSet {
  /** @param address As returned by `readAddress`; anything else is in no set. */
  has: (address: string) => boolean
}

/** A shorter prefix would trust whole continents: a mistake, and any host there could then name any client address. */
const PREFIX_MIN_BITS = { ipv4: 8, ipv6: 16 }

/**
 * A set of addresses such as `10.0.0.5` and ranges in CIDR notation such as `10.0.0.0/24`.
 *
 * @returns Or the first entry that is neither, with what is wrong about it.
 */
export function addressSet(entries: readonly string[]): AddressSet | { invalid: string; why: string } {
  const list = new BlockList()
  for (const entry of entries) {
    const [, start = entry, bits] = /^([^/]*)\/(\d{1,3})$/.exec(entry) ?? []
    const address = readAddress(start)
    if (address === null) return { invalid: entry, why: 'no IP address' }
    const family = familyOf(address)
    if (bits === undefined) list.addAddress(address, family)
    else if (Number(bits) > (family === 'ipv4' ? 32 : 128)) return { invalid: entry, why: 'no range of IP addresses' }
    else if (Number(bits) < PREFIX_MIN_BITS[family]) return { invalid: entry, why: 'too large a range' }
    else list.addSubnet(address, Number(bits), family)
  }
  return { has: (address) => isIP(address) !== 0 && list.check(address, familyOf(address)) }
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}

/** IPv6 prefix lengths that clients are counted by, in bits; the smallest block comes first. */
export const BLOCK_BITS = [64, 56, 48] as const
const GROUPS = 8
const GROUP_BITS = 16

/**
 * Returns the IPv6 block that one customer of a provider controls: at least a /64, commonly a /56 at home and a /48 in
 * a company. An IPv4 address is its own block. Source: RFC 6177; RIPE-690, 4.2.
 *
 * @param address As returned by `readAddress`; anything else is its own block.
 */
export function addressBlock(address: string, bits: (typeof BLOCK_BITS)[number] = 64): string {
  const canonical = readAddress(address)
  if (canonical === null || isIP(canonical) === 4) return canonical ?? address
  const [head = [], tail = []] = canonical.split('::').map((part) => part.split(':').filter(Boolean))
  const omitted = Array.from({ length: Math.max(GROUPS - head.length - tail.length, 0) }, () => '0')
  const groups = [...head, ...omitted, ...tail].slice(0, Math.ceil(bits / GROUP_BITS)).map((group, index) => {
    const ignoredBits = Math.max((index + 1) * GROUP_BITS - bits, 0)
    return ((Number.parseInt(group, 16) >> ignoredBits) << ignoredBits).toString(16)
  })
  return `${groups.join(':')}::/${bits}`
}

/** Matches every port of a developer's own machine, in Content-Security-Policy syntax. */
const ANY_PORT = /^https?:\/\/(?:localhost|127\.0\.0\.1):\*$/

/** Whether an allowed origin covers every port of this machine. Production keys have no such entry. */
export function isAnyPort(allowed: string): boolean {
  return ANY_PORT.test(allowed)
}

/**
 * Whether a key may be used on pages of an origin.
 *
 * @param allowed Origins as browsers send them, or patterns such as `http://localhost:*`.
 */
export function allowsOrigin(allowed: readonly string[], origin: string): boolean {
  return allowed.some((each) => each === origin || (isAnyPort(each) && isPortOf(each.slice(0, -2), origin)))
}

function isPortOf(host: string, origin: string): boolean {
  return origin.startsWith(host) && /^(?::\d{1,5})?$/.test(origin.slice(host.length))
}
