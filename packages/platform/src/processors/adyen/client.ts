import { setTimeout as delay } from 'node:timers/promises'
import clientModule from '@adyen/api-library/lib/src/client.js'
import { EnvironmentEnum } from '@adyen/api-library/lib/src/config.js'
import { ModificationsApi } from '@adyen/api-library/lib/src/services/checkout/modificationsApi.js'
import { PaymentsApi } from '@adyen/api-library/lib/src/services/checkout/paymentsApi.js'
import { z } from 'zod'
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

/** How often a request whose outcome is not known is repeated under its key. */
const MAX_RETRIES = 2
const RETRY_AFTER_MS = 500

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
      const retries = idempotencyKey === undefined ? 0 : MAX_RETRIES
      return withinTime(timeoutMs, (signal) => sendRepeatedly(placed(endpoint, apiUrl), { ...init, signal }, retries))
    },
  }
}

/** The address of an endpoint at whoever stands in for Adyen. */
function placed(endpoint: string, apiUrl: string | undefined): URL {
  const { pathname } = new URL(endpoint)
  return apiUrl === undefined ? new URL(endpoint) : new URL(pathname, apiUrl)
}

type Init = RequestInit & { signal: AbortSignal }

async function sendRepeatedly(url: URL, init: Init, retries: number): Promise<string> {
  try {
    return await send(url, init)
  } catch (error) {
    if (retries === 0 || !(error instanceof AdyenError && isUncertain(error))) throw error
    await delay(RETRY_AFTER_MS, undefined, { signal: init.signal }).catch(() => Promise.reject(error))
    return sendRepeatedly(url, init, retries - 1)
  }
}

async function send(url: URL, init: Init): Promise<string> {
  const [response, text] = await answerOf(url, init)
  if (response.ok) return text
  const isTransient = response.headers.get('transient-error') === 'true'
  throw new AdyenError({ status: response.status, errorCode: errorCodeOf(text), isTransient })
}

async function answerOf(url: URL, init: Init): Promise<[Response, string]> {
  try {
    const response = await fetch(url, init)
    return [response, await response.text()]
  } catch (cause) {
    throw new AdyenError({ status: null, errorCode: null, isTransient: false }, { cause })
  }
}

const serviceError = z.object({ errorCode: z.string() })

function errorCodeOf(text: string): string | null {
  try {
    return serviceError.safeParse(JSON.parse(text)).data?.errorCode ?? null
  } catch {
    return null
  }
}

interface Refused {
  /** `null` where there was no answer at all. */
  status: number | null
  errorCode: string | null
  /** Whether Adyen itself says that the same request may be sent again. */
  isTransient: boolean
}

/** Adyen has refused a request, or has not answered. It carries codes alone: answers may repeat what was sent. */
export class AdyenError extends Error {
  override readonly name = 'AdyenError'
  readonly status: number | null
  readonly errorCode: string | null
  readonly isTransient: boolean

  constructor({ status, errorCode, isTransient }: Refused, options?: ErrorOptions) {
    const parts = [status === null ? 'no answer' : `status ${status}`, errorCode !== null && `error ${errorCode}`]
    super(`Adyen gave no answer that settles it: ${parts.filter((part) => part !== false).join(', ')}.`, options)
    this.status = status
    this.errorCode = errorCode
    this.isTransient = isTransient
  }
}

/** A request with this key is at work or was answered. Source: Adyen, "Error codes and messages". */
const AT_WORK = '704'

/** Whether Adyen may have done what it was asked for. */
export function isUncertain({ status, errorCode, isTransient }: AdyenError): boolean {
  return status === null || status >= 500 || isTransient || errorCode === AT_WORK
}
