import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { serveStatic } from '@hono/node-server/serve-static'
import { secureHeaders } from 'hono/secure-headers'
import type { Offer } from './offer.ts'

const folder = new URL('../page/', import.meta.url)

/**
 * The shop's page with the offer in it.
 *
 * @param settings Nothing of this is secret: it is in the page's source.
 */
export async function shopPage(
  offer: Offer,
  { vaultUrl, publishableKey }: { vaultUrl: string; publishableKey: string },
): Promise<string> {
  const page = await readFile(new URL('index.html', folder), 'utf8')
  // In a script element only `<` could end the JSON early.
  const data = JSON.stringify({ ...offer, publishableKey }).replaceAll('<', '\\u003c')
  const checkout = new URL('/v1/tillwright.js', vaultUrl).href
  return page.replace('{{checkout}}', () => checkout).replace('{{offer}}', () => data)
}

/** Serves the page's styles, scripts and pictures. */
export const pageFiles = serveStatic({ root: fileURLToPath(folder) })

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
