import { isIP } from 'node:net'

/** What a name on the internet looks like in lower case: labels of letters, digits and hyphens, parted by dots. */
const hostname = /^(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/
const HOSTNAME_MAX_CHARS = 253

/**
 * The host name of a `Host` header, in lower case, without the port and without a last dot (RFC 9110 section 7.2);
 * `null` for an address of numbers and for what is no name at all.
 */
export function readHost(header: string | undefined): string | null {
  const name = (header ?? '')
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '')
  return name.length <= HOSTNAME_MAX_CHARS && hostname.test(name) && isIP(name) === 0 ? name : null
}
