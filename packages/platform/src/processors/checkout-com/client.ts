import { Disputes, Payments } from 'checkout-sdk-node'
import { z } from 'zod'
import { ProcessorError } from '../processor-error.ts'

/** How an account at Checkout.com is reached. */
export interface CheckoutAccess {
  secretKey: string
  /** The first eight characters of the client id, which its addresses begin with; the shared ones unless given. */
  subdomain?: string
  /** Such as `http://127.0.0.1:12113`, where somebody stands in for Checkout.com. */
  apiUrl?: string
  timeoutMs?: number
}

/** The part of Checkout.com's library that is used: its own types say nothing of bodies and answers. */
export interface CheckoutClient {
  payments: {
    request(body: object, idempotencyKey: string): Promise<unknown>
    get(id: string): Promise<unknown>
    getPaymentList(query: { reference: string }): Promise<unknown>
    getActions(id: string): Promise<unknown>
    capture(id: string, body: object, idempotencyKey: string): Promise<unknown>
    refund(id: string, body: object, idempotencyKey: string): Promise<unknown>
    void(id: string, body: object, idempotencyKey: string): Promise<unknown>
  }
  disputes: {
    getDetails(id: string): Promise<unknown>
    provideEvidence(id: string, body: object): Promise<unknown>
    submit(id: string): Promise<unknown>
  }
}

/** A card's issuer may take long; what fails sooner is repeated. */
const TIMEOUT_MS = 20_000

/**
 * The parts of Checkout.com's library that are needed. They are made one by one: made as a whole, the library takes the
 * key of whatever `CKO_SECRET_KEY` is in the environment before the account's own. Of its two ways of sending only
 * axios keeps to a time limit.
 */
export function checkoutClient({ secretKey, subdomain, apiUrl, timeoutMs }: CheckoutAccess): CheckoutClient {
  const config = {
    host: apiUrl?.replace(/\/$/, '') ?? hostOf(secretKey, subdomain),
    sk: `Bearer ${secretKey}`,
    timeout: timeoutMs ?? TIMEOUT_MS,
    httpClient: 'axios',
    headers: {},
  }
  return { payments: new Payments(config), disputes: new Disputes(config) }
}

/** Source: Checkout.com, API reference, "Base URLs". */
function hostOf(secretKey: string, subdomain: string | undefined): string {
  const host = secretKey.startsWith('sk_sbox_') ? 'api.sandbox.checkout.com' : 'api.checkout.com'
  return subdomain === undefined ? `https://${host}` : `https://${subdomain}.${host}`
}

/** Its codes are the `error_codes`. */
class CheckoutError extends ProcessorError {
  override readonly name = 'CheckoutError'

  /** Another request with the key may be at work, which is a 429. */
  get isUncertain(): boolean {
    return this.status === null || this.status >= 500 || this.status === TOO_MANY || this.status === TIMED_OUT
  }
}

const TOO_MANY = 429
const TIMED_OUT = 408

const libraryError = z.object({
  http_code: z.number().nullish(),
  body: z.object({ error_codes: z.array(z.string()).catch([]) }).catch({ error_codes: [] }),
})

/** Asks Checkout.com for an answer of a shape. @throws {CheckoutError} Where it refuses, or does not answer. */
export async function ask<Shape extends z.ZodType>(answer: Promise<unknown>, shape: Shape): Promise<z.output<Shape>> {
  const found = await answer.catch((error: unknown) => {
    const { http_code: status, body } = libraryError.catch({ body: { error_codes: [] } }).parse(error)
    throw new CheckoutError('Checkout.com', { status: status ?? null, codes: body.error_codes })
  })
  return shape.parse(found)
}
