import { getDomain } from 'tldts'

/**
 * The registrable domain of a host name, such as `example.com` of `api.example.com`: a page may set cookies for all hosts
 * of its site. A host that has no such domain (an IP address, `localhost`, a public suffix) is a site of its own.
 *
 * Source: HTML, "same site"; Public Suffix List, with its private section, as browsers read it for cookies.
 */
export function siteOf(hostname: string): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname
}

/**
 * Whether pages on hosts below `pagesHost` can set cookies that a browser sends to `hostname`, or could be served on it.
 */
export function sharesCookies(hostname: string, pagesHost: string): boolean {
  const isBelow = hostname === pagesHost || hostname.endsWith(`.${pagesHost}`)
  return isBelow || siteOf(hostname) === siteOf(`page.${pagesHost}`)
}
