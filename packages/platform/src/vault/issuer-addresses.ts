import type { Parts } from '../call.ts'

/**
 * What the addresses of a bank's pages begin with, and the same as a source list of a Content-Security-Policy. They come
 * over HTTPS; on a developer's machine those of the built-in bank come from there.
 */
export interface IssuerAddresses {
  issuers: readonly string[]
  sources: string
}

const SECURE: IssuerAddresses = { issuers: ['https://'], sources: 'https:' }

const LOCAL: IssuerAddresses = {
  issuers: [...SECURE.issuers, 'http://localhost:', 'http://127.0.0.1:', 'http://[::1]:'],
  sources: 'https: http:',
}

/** The addresses that a browser may be sent to for its bank. */
export function issuerAddresses(environment: Parts['environment']): IssuerAddresses {
  return environment === 'local' ? LOCAL : SECURE
}

/** Whether a browser may be sent to this address, as the 3-D Secure frame judges it too. */
export function isIssuerAddress(address: string, environment: Parts['environment']): boolean {
  return issuerAddresses(environment).issuers.some((beginning) => address.startsWith(beginning))
}
