import { request } from 'node:https'
import type { SecureContextOptions } from 'node:tls'

/**
 * The hosts at which Apple validates merchants, its sandbox's among them. Source: Apple Pay on the Web, "Setting up your
 * server".
 */
const hosts: ReadonlySet<string> = new Set([
  'apple-pay-gateway.apple.com',
  'cn-apple-pay-gateway.apple.com',
  'apple-pay-gateway-cert.apple.com',
  'cn-apple-pay-gateway-cert.apple.com',
  ...['nc', 'pr'].flatMap((region) => [1, 2, 3, 4, 5].map((pod) => `apple-pay-gateway-${region}-pod${pod}.apple.com`)),
  ...['sh', 'tj'].flatMap((region) => [1, 2, 3].map((pod) => `cn-apple-pay-gateway-${region}-pod${pod}.apple.com`)),
])

/** Whether a page's address is one at which Apple validates merchants: the platform goes to no other. */
export function isAppleAddress(address: string): boolean {
  const url = URL.parse(address)
  if (url === null || url.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '')
    return false
  return hosts.has(url.hostname) && /^\/paymentservices\/\w+$/.test(url.pathname) && url.search === ''
}

/** The merchant identity certificate with its key, PEM. */
export interface AppleIdentity {
  certificate: string
  privateKey: string
}

/** The merchant's fields in a request for a session at Apple. */
export interface MerchantSessionRequest {
  merchantIdentifier: string
  displayName: string
  /** The host name of the page, which is registered with the merchant identifier. */
  domain: string
}

/** How long the sheet may wait for the answer: Apple closes it after 30 seconds. */
const TIMEOUT_MS = 10_000
/** A session is about 5 kB. */
const ANSWER_MAX_BYTES = 65_536

/** Where Apple is, and by which certificates it is known; the machine's own by default. */
export type WayToApple = Pick<SecureContextOptions, 'ca'> & { hostname?: string; port?: number }

/**
 * Asks Apple for a merchant session. A redirect is an answer like any other, so that the certificate goes nowhere else.
 *
 * @param address One that `isAppleAddress` has let through.
 * @returns Apple's answer, JSON.
 * @throws {Error} When it is none, or refuses: with Apple's status and reason.
 */
export function askApple(
  address: string,
  { identity, ...merchant }: MerchantSessionRequest & { identity: AppleIdentity },
  way: WayToApple = {},
): Promise<string> {
  const { merchantIdentifier, displayName, domain } = merchant
  const body = JSON.stringify({ merchantIdentifier, displayName, initiative: 'web', initiativeContext: domain })
  const { hostname } = new URL(address)
  const options = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
    cert: identity.certificate,
    key: identity.privateKey,
    agent: false,
    servername: hostname,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...way,
  } as const
  return new Promise((resolve, reject) => {
    const asking = request(address, options, (response) => {
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > ANSWER_MAX_BYTES) asking.destroy(new Error('Apple answered more than a session has.'))
        else chunks.push(chunk)
      })
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        if (response.statusCode === 200 && isJson(text)) resolve(text)
        else reject(new Error(`Apple answered ${response.statusCode}: ${text.slice(0, 200)}`))
      })
    })
    asking.on('error', reject)
    asking.end(body)
  })
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}
