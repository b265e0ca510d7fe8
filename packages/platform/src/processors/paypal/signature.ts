import { verify, X509Certificate } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { rootCertificates } from 'node:tls'
import { crc32 } from 'node:zlib'
import { withinTime } from '../time-limit.ts'

/** The inputs to checking a signature. */
export interface SignatureCheck {
  /** The webhook's id at PayPal, which is part of the signed text. */
  webhookId: string
  nowMs: number
  /** Fetches a certificate with its chain as PEM; empty if there is none. */
  fetchCertificates(url: URL): Promise<string>
  /** The trusted root certificates as PEM; those of Node by default. */
  roots?: readonly string[]
}

/**
 * Whether PayPal has signed a webhook. The certificate is looked for at PayPal alone, and has to lead to a root that is
 * trusted. Source: PayPal, "Integrate webhooks", verify the signature by yourself.
 */
export async function isSignedByPayPal(
  body: Buffer,
  headers: IncomingHttpHeaders,
  { webhookId, nowMs, fetchCertificates, roots = rootCertificates }: SignatureCheck,
): Promise<boolean> {
  const [id, time, algorithm, signature, certUrl] = NAMES.map((name) => headers[`paypal-${name}`])
  if (typeof id !== 'string' || typeof time !== 'string' || typeof signature !== 'string') return false
  const url = typeof certUrl === 'string' ? certificateUrl(certUrl) : null
  if (url === null || algorithm !== 'SHA256withRSA') return false
  const chain = certificatesOf(await fetchCertificates(url))
  const [leaf] = chain
  if (leaf === undefined || !isPayPals(leaf) || !isTrusted(chain, { nowMs, roots })) return false
  const message = `${id}|${time}|${webhookId}|${crc32(body)}`
  return verify('sha256', Buffer.from(message), leaf.publicKey, Buffer.from(signature, 'base64'))
}

const NAMES = ['transmission-id', 'transmission-time', 'auth-algo', 'transmission-sig', 'cert-url']

/** Where PayPal's certificates are; `null` for every other place. */
function certificateUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const isPayPal = url.hostname === 'paypal.com' || url.hostname.endsWith('.paypal.com')
  const isThere = url.protocol === 'https:' && url.port === '' && url.username === '' && isPayPal
  return isThere && url.search === '' && CERTIFICATE_PATH.test(url.pathname) ? url : null
}

const CERTIFICATE_PATH = /^\/v1\/notifications\/certs\/[\w-]{1,100}$/

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

function certificatesOf(pem: string): X509Certificate[] {
  try {
    return (pem.match(CERTIFICATE) ?? []).map((each) => new X509Certificate(each))
  } catch {
    return []
  }
}

/** The name that certificates for signing webhooks are made out to, in the sandbox and live. */
const NAME = /(?:^|\n)CN=messageverificationcerts\.(?:sandbox\.)?paypal\.com(?:$|\n)/

function isPayPals({ subject }: X509Certificate): boolean {
  return NAME.test(subject)
}

/** Whether each certificate was issued by the next, and the last by a root, and all are valid now. */
function isTrusted(
  [leaf, ...above]: readonly X509Certificate[],
  { nowMs, roots }: { nowMs: number; roots: readonly string[] },
): boolean {
  if (leaf === undefined || !isValid(leaf, nowMs)) return false
  const trusted = issuerAmong(roots, leaf)
  if (trusted !== undefined) return isValid(trusted, nowMs)
  const issuer = above.find((each) => isIssuer(each, leaf))
  const rest = above.filter((each) => each !== issuer)
  return issuer !== undefined && isTrusted([issuer, ...rest], { nowMs, roots })
}

function issuerAmong(roots: readonly string[], certificate: X509Certificate): X509Certificate | undefined {
  return parsedRoots(roots).find((root) => isIssuer(root, certificate))
}

/** Parsing Node's 150 roots takes a while; they stay the same. */
const parsed = new WeakMap<readonly string[], X509Certificate[]>()

function parsedRoots(roots: readonly string[]): X509Certificate[] {
  const known = parsed.get(roots) ?? roots.map((pem) => new X509Certificate(pem))
  parsed.set(roots, known)
  return known
}

function isIssuer(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

function isValid({ validFrom, validTo }: X509Certificate, nowMs: number): boolean {
  return Date.parse(validFrom) <= nowMs && nowMs <= Date.parse(validTo)
}

/** Certificates are the same for months; what is kept is bounded all the same. */
const CERTIFICATES_MAX = 20
const CERTIFICATE_MAX_BYTES = 64 * 1_024
const TIMEOUT_MS = 10_000
const NOT_FOUND = 404
const known = new Map<string, Promise<string>>()

/** Fetches certificates from PayPal, each once. Those that do not exist push none out that do: anybody may name them. */
export function certificatesOfPayPal(url: URL): Promise<string> {
  const found = known.get(url.href)
  if (found !== undefined) return found
  const fetched = download(url)
  known.set(url.href, fetched)
  fetched.then(keepSome, () => known.delete(url.href))
  return fetched

  function keepSome(pem: string): void {
    if (pem === '') known.delete(url.href)
    const [oldest] = known.keys()
    if (known.size > CERTIFICATES_MAX && oldest !== undefined) known.delete(oldest)
  }
}

async function download(url: URL): Promise<string> {
  const [response, pem] = await withinTime(TIMEOUT_MS, async (signal) => {
    const answer = await fetch(url, { redirect: 'error', signal })
    return [answer, await answer.text()] as const
  })
  if (response.status === NOT_FOUND) return ''
  if (response.ok && pem.length <= CERTIFICATE_MAX_BYTES) return pem
  throw new Error(`PayPal gave no certificate at ${url.pathname}: status ${response.status}.`)
}
