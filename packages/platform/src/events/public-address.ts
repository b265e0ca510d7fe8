import { BlockList, isIP } from 'node:net'

/**
 * Whether an address is public, so that requests may be sent to it: not a private, loopback, link-local, carrier,
 * metadata, multicast, documentation, benchmark, unspecified or reserved one. Of IPv6 only global unicast passes,
 * without the ranges that wrap an IPv4 address, mapped ones included.
 *
 * Source: IANA, "IPv4 and IPv6 Special-Purpose Address Registries" (RFC 6890 and successors).
 *
 * @param address As a resolver returns it; anything but an IP address is not public.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4')
    case 6:
      return !address.includes('%') && global.check(address, 'ipv6') && !special.check(address, 'ipv6')
    default:
      return false
  }
}

const special = new BlockList()
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')

const specialIpv4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // answers every virtual machine on Azure
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Within global unicast: protocol assignments with Teredo, documentation, 6to4. */
const specialIpv6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

for (const [network, bits] of specialIpv4) special.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of specialIpv6) special.addSubnet(network, bits, 'ipv6')
