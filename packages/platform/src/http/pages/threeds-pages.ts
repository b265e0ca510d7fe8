import { X509Certificate } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { ThreedsProviderName } from '@tillwright/contract'
import type { EmvMessage } from '@tillwright/emv-3ds'
import { ApiError } from '../../runtime/index.ts'
import {
  type Notification,
  type NotificationPage,
  notificationPage,
  type NotificationStep,
  recordChallenge,
  recordMethod,
  RESULTS_PATH,
  type ResultSenders,
  returnPage,
} from '../../threeds/index.ts'
import { type App, clientAddress, type HttpContext, type ServerContext } from '../operations/index.ts'
import { readWithin, readBody } from '../bodies/index.ts'

/** Limit for an issuer's form, which has a few hundred bytes. */
const FORM_MAX_BYTES = 64 * 1024

/**
 * The pages that issuers send a buyer's browser back to, by a form that it posts. Their messages are put on record, and
 * answered the same whether the transaction is known or not.
 */
export function routeThreedsPages(app: App, serverContext: ServerContext): void {
  app.post('/v1/threeds/method/:id', (c) => answer(c, 'method', serverContext))
  app.post('/v1/threeds/notify/:id', (c) => answer(c, 'challenge', serverContext))
}

async function answer(c: HttpContext, step: NotificationStep, serverContext: ServerContext): Promise<Response> {
  const { services, trustedProxies, frameLimits } = serverContext
  const transactionId = c.req.param('id') ?? ''
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(transactionId)) return c.notFound()
  try {
    const address = clientAddress(c.env.incoming, trustedProxies)
    const { allowed, retryAfterS } = await frameLimits.takePage(address)
    if (!allowed) return c.text('Too many pages were loaded from here.', 429, { 'Retry-After': String(retryAfterS) })
    const body = await readWithin(serverContext.bodies, address, (room) =>
      readBody(c.env.incoming, FORM_MAX_BYTES, room),
    )
    const form = new URLSearchParams(body.toString())
    const returnTo = await record(step, { transactionId, field: form.get(fields[step]) }, services)
    if (returnTo !== null) return page(c, returnPage(returnTo))
  } catch (error) {
    if (error instanceof ApiError) return c.text(error.message, plainStatus(error), error.details.headers)
    throw error
  }
  return page(c, notificationPage(step, transactionId))
}

/** Issuers and directory servers know two answers: that a message is wrong, and that it may be sent again. */
function plainStatus({ status }: ApiError): 400 | 503 {
  return status === 503 || status === 429 ? 503 : 400
}

function page(c: HttpContext, { html, headers }: NotificationPage): Response {
  return c.body(html, 200, headers)
}

/** Source: EMV 3DS 2.2.0, 3DS Method and browser challenge flow. */
const fields: Record<NotificationStep, string> = { method: 'threeDSMethodData', challenge: 'cres' }

/** Puts a notification on record; the address that the browser is to go to, or `null`. */
async function record(
  step: NotificationStep,
  notification: Notification,
  services: ServerContext['services'],
): Promise<string | null> {
  switch (step) {
    case 'method':
      await recordMethod(notification, services)
      return null
    case 'challenge':
      return recordChallenge(notification, services)
  }
}

/** The longest result: ten extensions of eight kilobytes, and room. */
const RESULT_MAX_BYTES = 128 * 1024

/** Dependencies for receiving results. */
export interface ThreedsResults {
  serverContext: Pick<ServerContext, 'trustedProxies' | 'services' | 'takeAnonymousToken' | 'bodies'>
  /** The header in which the proxy hands on the client certificate that it has verified, in lower case. */
  certificateHeader: string | undefined
  senders: ResultSenders
  receive: (text: string, from: readonly ThreedsProviderName[]) => Promise<EmvMessage>
}

/**
 * The door that directory servers bring results of challenges to, on the vault's origin. It opens to the holder of a
 * client certificate that an operator has named for a provider: the ids of a transaction are no secret. The answer is a
 * message of the standard, with 200.
 *
 * Source: EMV 3DS 2.2.0, 6.1: TLS between directory server and 3DS server authenticates both.
 */
export function routeThreedsResults(app: App, results: ThreedsResults): void {
  const { serverContext, receive } = results
  app.post(RESULTS_PATH, async (c) => {
    try {
      const from = await sendersOf(c, results)
      if (from.length === 0) return await refused(c, serverContext)
      const address = clientAddress(c.env.incoming, serverContext.trustedProxies)
      const body = await readWithin(serverContext.bodies, address, (room) =>
        readBody(c.env.incoming, RESULT_MAX_BYTES, room),
      )
      return c.json(await receive(body.toString(), from), 200, { 'Cache-Control': 'no-store' })
    } catch (error) {
      if (error instanceof ApiError) return c.text(error.message, plainStatus(error), error.details.headers)
      serverContext.services.log.error({ err: error }, 'a result of a challenge could not be received')
      return c.text('The result could not be received; send it again.', 503, { 'Retry-After': '10' })
    }
  })
}

async function sendersOf(c: HttpContext, { serverContext, certificateHeader, senders }: ThreedsResults) {
  const { incoming } = c.env
  clientAddress(incoming, serverContext.trustedProxies) // throws for what has not come from a trusted proxy over HTTPS
  const certificate =
    certificateHeader === undefined ? null : readClientCertificate(incoming.headers, certificateHeader)
  return certificate === null ? [] : senders(certificate)
}

async function refused(
  c: HttpContext,
  { services, trustedProxies, takeAnonymousToken }: ThreedsResults['serverContext'],
) {
  const address = clientAddress(c.env.incoming, trustedProxies)
  const { quota } = await takeAnonymousToken(address)
  if (!quota.allowed) return c.text('Too many requests.', 429, { 'Retry-After': String(quota.retryAfterS) })
  services.log.warn({ address }, 'a result of a challenge came without the certificate of a directory server')
  return c.text('Results are taken from directory servers that show their client certificate.', 403)
}

/**
 * The client certificate that the proxy in front has verified and hands on in a header. Only a trusted proxy's word counts,
 * which `clientAddress` has to have checked before. Proxies write it as
 *
 * - `:MIIC...:`, the base64 of its DER between colons: RFC 9440, `Client-Cert`;
 * - the base64 of its DER: HAProxy's `ssl_c_der,base64`, Traefik's `X-Forwarded-Tls-Client-Cert`;
 * - PEM with percent signs: nginx's `$ssl_client_escaped_cert`, AWS's `X-Amzn-Mtls-Clientcert`.
 *
 * @param name The header's, in lower case.
 * @returns `null` where the header is absent, was sent twice or holds anything else.
 */
export function readClientCertificate(headers: IncomingHttpHeaders, name: string): X509Certificate | null {
  const header = headers[name]
  if (typeof header !== 'string') return null
  const base64 = unescaped(header).replaceAll(MARKS, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'))
  } catch {
    return null // no certificate
  }
}

/** Markers and whitespace around the base64: PEM's lines, RFC 9440's colons. */
const MARKS = /^\s*(?:-----BEGIN CERTIFICATE-----|:)|(?:-----END CERTIFICATE-----|:)\s*$|\s/g

function unescaped(text: string): string {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text
  } catch {
    return ''
  }
}
