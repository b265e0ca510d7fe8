import clientModule from '@adyen/api-library/lib/src/client.js'
import { EnvironmentEnum } from '@adyen/api-library/lib/src/config.js'
import { ModificationsApi } from '@adyen/api-library/lib/src/services/checkout/modificationsApi.js'
import { PaymentsApi } from '@adyen/api-library/lib/src/services/checkout/paymentsApi.js'
import { z } from 'zod'
import { ProcessorError, type Said } from '../processor-error.ts'
import { repeatUnderKey } from '../repeat-under-key.ts'
import { REQUEST_MS, withinTime } from '../time-limit.ts'

/** How a merchant account at Adyen is reached. */
export interface AdyenAccess {
  apiKey: string
  merchantAccount: string
  /** The merchant's own prefix of the live addresses; the test platform unless given. */
  liveUrlPrefix?: string
  /** Such as `http://127.0.0.1:12112`, where somebody stands in for Adyen. */
  apiUrl?: string
  /** Until when an answer has to be there, repetitions included. */
  timeoutMs?: number
}

/** Adyen's Checkout API for one merchant account. */
export interface AdyenClient {
  merchantAccount: string
  payments: PaymentsApi
  modifications: ModificationsApi
}

/**
 * The parts of Adyen's library that are needed. Loaded as a whole it is ten times as large, and its own way of sending
 * opens a connection for each request, repeats nothing and speaks TLS alone; so requests are sent from here.
 */
export function adyenClient({ apiKey, merchantAccount, liveUrlPrefix, ...sending }: AdyenAccess): AdyenClient {
  const config = {
    apiKey,
    environment: liveUrlPrefix === undefined ? EnvironmentEnum.TEST : EnvironmentEnum.LIVE,
    ...(liveUrlPrefix !== undefined && { liveEndpointUrlPrefix: liveUrlPrefix }),
  }
  const client = new Client(config, sender({ apiKey, ...sending }))
  return { merchantAccount, payments: new PaymentsApi(client), modifications: new ModificationsApi(client) }
}

/** The default export of a module that was compiled to CommonJS, which Node wraps once more than other loaders do. */
export function defaultExport<Exported extends object>(module: Exported | { default: Exported }): Exported {
  return 'default' in module ? module.default : module
}

const Client = defaultExport(clientModule)

/** How Adyen's library sends. */
type HttpClient = NonNullable<ConstructorParameters<typeof Client>[1]>

type Sending = Pick<AdyenAccess, 'apiKey' | 'apiUrl' | 'timeoutMs'>

function sender({ apiKey, apiUrl, timeoutMs = REQUEST_MS }: Sending): HttpClient {
  return {
    request(endpoint, json, ...[, , { method = 'POST', idempotencyKey } = {}]) {
      const init: RequestInit = {
        method,
        headers: {
          'Content-Type': 'application/json',
          'X-API-Key': apiKey,
          ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
        },
        body: json.toString(),
        redirect: 'error',
      }
      return withinTime(timeoutMs, (signal) => {
        const sendOnce = () => send(placed(endpoint, apiUrl), { ...init, signal })
        return idempotencyKey === undefined ? sendOnce() : repeatUnderKey(sendOnce)
      })
    },
  }
}

/** The address of an endpoint at whoever stands in for Adyen. */
function placed(endpoint: string, apiUrl: string | undefined): URL {
  const { pathname } = new URL(endpoint)
  return apiUrl === undefined ? new URL(endpoint) : new URL(pathname, apiUrl)
}

async function send(url: URL, init: RequestInit): Promise<string> {
  const [response, text] = await answerOf(url, init)
  if (response.ok) return text
  const isTransient = response.headers.get('transient-error') === 'true'
  throw new AdyenError({ status: response.status, codes: errorCodesOf(text), isTransient })
}

async function answerOf(url: URL, init: RequestInit): Promise<[Response, string]> {
  try {
    const response = await fetch(url, init)
    return [response, await response.text()]
  } catch (cause) {
    throw new AdyenError({ status: null, codes: [], isTransient: false }, { cause })
  }
}

const serviceError = z.object({ errorCode: z.string() })

function errorCodesOf(text: string): string[] {
  try {
    return [serviceError.parse(JSON.parse(text)).errorCode]
  } catch {
    return []
  }
}

interface Refused extends Said {
  /** Whether Adyen itself says that the same request may be sent again. */
  isTransient: boolean
}

/** A request with this key is at work or was answered. Source: Adyen, "Error codes and messages". */
const AT_WORK = '704'

/** Its code is the `errorCode`. */
export class AdyenError extends ProcessorError {
  override readonly name = 'AdyenError'
  readonly #isTransient: boolean

  constructor({ isTransient, ...said }: Refused, options?: ErrorOptions) {
    super('Adyen', said, options)
    this.#isTransient = isTransient
  }

  get isUncertain(): boolean {
    return this.status === null || this.status >= 500 || this.#isTransient || this.has(AT_WORK)
  }
}
