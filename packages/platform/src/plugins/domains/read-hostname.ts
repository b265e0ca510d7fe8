import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { ApiError } from '../../ambient/api-error.ts'

/** RFC 1035 allows 253 characters; the name of the record that proves the ownership is longer by 12. */
const HOSTNAME_MAX_CHARS = 241

/**
 * A host name as browsers send it: lower-case ASCII by IDNA (UTS #46), without a last dot.
 *
 * @param param The field that it comes from.
 * @throws {ApiError} For a scheme, a port, a path, a wildcard, an IP address, a name of one label, or no name at all.
 */
export function readHostname(sent: string, param: string): string {
  // What the parser of addresses would cut off or decode is not part of a name.
  const ascii = /[/\\:@?#%\s[\]]/.test(sent) ? '' : domainToASCII(sent).replace(/\.$/, '')
  const labels = ascii.split('.')
  const fits = labels.length >= 2 && labels.every(isLabel) && ascii.length <= HOSTNAME_MAX_CHARS && isIP(ascii) === 0
  if (fits) return ascii
  throw new ApiError(
    'parameter_invalid',
    `${param} must be a host name such as "shop.example.com": without scheme, port or path, and no IP address.`,
    { param },
  )
}

function isLabel(label: string): boolean {
  return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label)
}
