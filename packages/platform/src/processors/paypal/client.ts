import {
  ApiError,
  Client,
  Environment,
  OrdersController,
  PaymentsController,
  type ApiResponse,
} from '@paypal/paypal-server-sdk'
import { z } from 'zod'
import { ProcessorError } from '../processor-error.ts'
import { withinTime } from '../time-limit.ts'

/** How an account at PayPal is reached. */
export interface PayPalAccess {
  clientId: string
  clientSecret: string
  mode: 'live' | 'sandbox'
  /** The address of a stand-in for PayPal, such as `http://127.0.0.1:12114`; PayPal's own by default. */
  apiUrl?: string
  timeoutMs?: number
}

/** The parts of PayPal's APIs that the driver uses. */
export interface PayPalClient {
  orders: OrdersController
  payments: PaymentsController
  /** Exchanges the client secret for a token, as each request does that has none. @throws {PayPalError} */
  authenticate(): Promise<string>
  /** Requests a path that PayPal's library does not cover, and parses the answer. */
  get<Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.output<Shape>>
}

const TIMEOUT_MS = 20_000

/**
 * PayPal's library for one account. Its HTTP client, axios, is replaced by `fetch`, which limits the time of the whole
 * request, follows no redirects, and can reach a stand-in.
 */
export function paypalClient({
  clientId,
  clientSecret,
  mode,
  apiUrl,
  timeoutMs = TIMEOUT_MS,
}: PayPalAccess): PayPalClient {
  const client = new Client({
    environment: mode === 'live' ? Environment.Production : Environment.Sandbox,
    clientCredentialsAuthCredentials: { oAuthClientId: clientId, oAuthClientSecret: clientSecret },
    timeout: 0,
    unstable_httpClientOptions: { adapter: fetchAdapter(apiUrl, timeoutMs) },
  })
  const authenticate = async () => {
    const { accessToken } = await client.clientCredentialsAuthManager.fetchToken().catch(failed)
    return accessToken
  }
  const host = mode === 'live' ? 'https://api-m.paypal.com' : 'https://api-m.sandbox.paypal.com'
  return {
    orders: new OrdersController(client),
    payments: new PaymentsController(client),
    authenticate,
    async get(path, shape) {
      const headers = { Authorization: `Bearer ${await authenticate()}` }
      return withinTime(timeoutMs, async (signal) => {
        const response = await fetch(new URL(path, apiUrl ?? host), { headers, redirect: 'error', signal })
        if (!response.ok) throw new PayPalError('PayPal', { status: response.status, codes: [] })
        return shape.parse(await response.json())
      })
    },
  }
}

/** A request of axios, as far as one is sent here. */
interface Sent {
  url: string
  method: string
  headers: { toJSON(): Record<string, string> }
  data?: string
}

function fetchAdapter(apiUrl: string | undefined, timeoutMs: number) {
  return (config: Sent) => {
    const { pathname, search } = new URL(config.url)
    const url = apiUrl === undefined ? config.url : new URL(pathname + search, apiUrl)
    const init = {
      method: config.method.toUpperCase(),
      headers: config.headers.toJSON(),
      redirect: 'error',
      ...(config.data !== undefined && { body: config.data }),
    } as const
    return withinTime(timeoutMs, async (signal) => {
      const response = await fetch(url, { ...init, signal })
      const { status, statusText, headers } = response
      return { data: await response.text(), status, statusText, headers: Object.fromEntries(headers), config }
    })
  }
}

/** Its codes are the issues, such as `ORDER_NOT_APPROVED`, and the error's own name, such as `UNPROCESSABLE_ENTITY`. */
class PayPalError extends ProcessorError {
  override readonly name = 'PayPalError'

  /** A 409 says that PayPal is at work on the same request. */
  get isUncertain(): boolean {
    return this.status === null || this.status >= 500 || this.status === AT_WORK
  }
}

const AT_WORK = 409

const errorBody = z.object({
  name: z.string().optional(),
  details: z.array(z.object({ issue: z.string().optional() })).catch([]),
})

/** Asks PayPal. @throws {PayPalError} Where it refuses, or does not answer. */
export async function ask<Answer>(answer: Promise<ApiResponse<Answer>>): Promise<Answer> {
  try {
    return (await answer).result
  } catch (error) {
    return failed(error)
  }
}

function failed(error: unknown): never {
  throw error instanceof ApiError
    ? new PayPalError('PayPal', { status: error.statusCode, codes: issuesOf(error.body) })
    : new PayPalError('PayPal', { status: null, codes: [] })
}

function issuesOf(body: unknown): string[] {
  try {
    const { name, details } = errorBody.parse(typeof body === 'string' ? JSON.parse(body) : body)
    return [...details.map(({ issue }) => issue), name].filter((issue) => issue !== undefined)
  } catch {
    return []
  }
}
