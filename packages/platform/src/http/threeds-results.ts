import type { ThreedsProviderName } from '@tillwright/contract'
import type { EmvMessage } from '@tillwright/emv-3ds'
import { ApiError } from '../ambient/api-error.ts'
import type { ResultSenders } from '../payments/threeds/directory/result-senders.ts'
import { RESULTS_PATH } from '../payments/threeds/emv-request.ts'
import type { App } from './api-app.ts'
import { clientAddress } from './client-address.ts'
import { readClientCertificate } from './client-certificate.ts'
import { readBody } from './read-body.ts'
import type { HttpContext } from './serve-operation.ts'
import type { Serving } from './serving.ts'

/** The longest result: ten extensions of eight kilobytes, and room. */
const RESULT_MAX_BYTES = 128 * 1024

/** What stands behind the door. */
export interface ThreedsResults {
  serving: Pick<Serving, 'trustedProxies' | 'parts' | 'takeAnonymousToken'>
  /** The header in which the proxy hands on the client certificate that it has verified, in lower case. */
  certificateHeader: string | undefined
  senders: ResultSenders
  receive: (text: string, from: readonly ThreedsProviderName[]) => Promise<EmvMessage>
}

/**
 * The door that directory servers bring results of challenges to, on the vault's origin. It opens to the holder of a
 * client certificate that an operator has named for a provider: the ids of a transaction are no secret. What is answered
 * is a message of the standard, with 200.
 *
 * Source: EMV 3DS 2.2.0, 6.1: TLS between directory server and 3DS server authenticates both.
 */
export function routeThreedsResults(app: App, results: ThreedsResults): void {
  const { serving, receive } = results
  app.post(RESULTS_PATH, async (c) => {
    try {
      const from = await sendersOf(c, results)
      if (from.length === 0) return await refused(c, serving)
      const text = (await readBody(c.env.incoming, RESULT_MAX_BYTES)).toString()
      return c.json(await receive(text, from), 200, { 'Cache-Control': 'no-store' })
    } catch (error) {
      if (error instanceof ApiError) return c.text(error.message, 400, error.details.headers)
      serving.parts.log.error({ err: error }, 'a result of a challenge could not be received')
      return c.text('The result could not be received; send it again.', 503, { 'Retry-After': '10' })
    }
  })
}

async function sendersOf(c: HttpContext, { serving, certificateHeader, senders }: ThreedsResults) {
  const { incoming } = c.env
  clientAddress(incoming, serving.trustedProxies) // throws for what has not come from a trusted proxy over HTTPS
  const certificate =
    certificateHeader === undefined ? null : readClientCertificate(incoming.headers, certificateHeader)
  return certificate === null ? [] : senders(certificate)
}

async function refused(c: HttpContext, { parts, trustedProxies, takeAnonymousToken }: ThreedsResults['serving']) {
  const address = clientAddress(c.env.incoming, trustedProxies)
  const { quota } = await takeAnonymousToken(address)
  if (!quota.allowed) return c.text('Too many requests.', 429, { 'Retry-After': String(quota.retryAfterS) })
  parts.log.warn({ address }, 'a result of a challenge came without the certificate of a directory server')
  return c.text('Results are taken from directory servers that show their client certificate.', 403)
}
