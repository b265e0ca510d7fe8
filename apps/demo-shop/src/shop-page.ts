import { readFile } from 'node:fs/promises'
import { secureHeaders } from 'hono/secure-headers'
import type { Offer } from './offer.ts'

/**
 * The shop's page with the offer in it.
 *
 * @param settings Nothing of this is secret: it is in the page's source.
 */
export async function shopPage(
  offer: Offer,
  { vaultUrl, publishableKey }: { vaultUrl: string; publishableKey: string },
): Promise<string> {
  const page = await readFile(new URL('../page/index.html', import.meta.url), 'utf8')
  // In a script element only `<` could end the JSON early.
  const data = JSON.stringify({ ...offer, publishableKey }).replaceAll('<', '\\u003c')
  return page.replace('{{checkout}}', () => `${new URL('/v1/tillwright.js', vaultUrl)}`).replace('{{offer}}', () => data)
}

/** Lets the page run the shop's own files and the checkout, and nothing else. */
export function pageHeaders(vaultUrl: string) {
  const self = "'self'"
  const vault = new URL(vaultUrl).origin
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: [self, vault],
      frameSrc: [vault],
      styleSrc: [self],
      imgSrc: [self],
      connectSrc: [self],
      formAction: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  })
}
