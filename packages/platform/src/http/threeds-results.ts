import type { EmvMessage } from '@tillwright/emv-3ds'
import { ApiError } from '../ambient/api-error.ts'
import { RESULTS_PATH } from '../payments/threeds/emv-request.ts'
import type { App } from './api-app.ts'
import { clientAddress } from './client-address.ts'
import { readBody } from './read-body.ts'
import type { Serving } from './serving.ts'

/** The longest result: ten extensions of eight kilobytes, and room. */
const RESULT_MAX_BYTES = 128 * 1024

/**
 * The door that directory servers bring results of challenges to, on the vault's origin. Who comes here is not asked: a
 * result counts when it names the three ids of a session, of which the browser never learns the directory's. The proxy in
 * front may ask for the directory's certificate on this path. What is answered is a message of the standard, with 200.
 */
export function routeThreedsResults(
  app: App,
  receive: (text: string) => Promise<EmvMessage>,
  { trustedProxies, parts }: Pick<Serving, 'trustedProxies' | 'parts'>,
): void {
  app.post(RESULTS_PATH, async (c) => {
    try {
      clientAddress(c.env.incoming, trustedProxies) // throws for what has not come over HTTPS
      const text = (await readBody(c.env.incoming, RESULT_MAX_BYTES)).toString()
      return c.json(await receive(text), 200, { 'Cache-Control': 'no-store' })
    } catch (error) {
      if (error instanceof ApiError) return c.text(error.message, 400, error.details.headers)
      parts.log.error({ err: error }, 'a result of a challenge could not be received')
      return c.text('The result could not be received; send it again.', 503, { 'Retry-After': '10' })
    }
  })
}
