import { Stripe } from 'stripe'

/** How an account at Stripe is reached. */
export interface StripeAccess {
  secretKey: string
  /** The address of a stand-in for Stripe, such as `http://127.0.0.1:12111`; Stripe's own by default. */
  apiUrl?: string
  /** Until when an answer has to be there; a card's issuer may take long. */
  timeoutMs?: number
}

/** Three requests in a row have to fit into the half minute that an attempt may take, if none of them hangs. */
const TIMEOUT_MS = 20_000
/** The package repeats what broke under its idempotency key, with pauses of half a second and more. */
const MAX_RETRIES = 2

/** Stripe's own client, with the version of its API that the package is written for. */
export function stripeClient({ secretKey, apiUrl, timeoutMs = TIMEOUT_MS }: StripeAccess): Stripe {
  return new Stripe(secretKey, {
    maxNetworkRetries: MAX_RETRIES,
    timeout: timeoutMs,
    telemetry: false,
    ...(apiUrl !== undefined && placeOf(new URL(apiUrl))),
  })
}

function placeOf({ protocol, hostname, port }: URL): { protocol: 'http' | 'https'; host: string; port: string } {
  const isPlain = protocol === 'http:'
  return { protocol: isPlain ? 'http' : 'https', host: hostname, port: port || (isPlain ? '80' : '443') }
}
