import { getDomain } from 'tldts'

/**
 * Returns the registrable domain of a host name, such as `example.com` for `api.example.com`: a page can set cookies
 * for every host of its site. A host without one (an IP address, `localhost`, a public suffix) is its own site.
 *
 * Source: HTML, "same site"; Public Suffix List, including its private section, as browsers apply it to cookies.
 */
export function siteOf(hostname: string): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname
}

/**
 * Whether pages on subdomains of `pagesHost` can set cookies that browsers send to `hostname`, or could be served on
 * it.
 */
export function sharesCookies(hostname: string, pagesHost: string): boolean {
  const isBelow = hostname === pagesHost || hostname.endsWith(`.${pagesHost}`)
  return isBelow || siteOf(hostname) === siteOf(`page.${pagesHost}`)
}
