import type { NewProductInput } from '@tillwright/contract'
import { fraction, type Randomness } from '../src/runtime/randomness.ts'
import type { Shop } from './open-shop.ts'
import { type Answer, post } from './post.ts'

/** A request that writes, with all that is needed to send the very same again. */
export interface Order {
  path: '/api/public/v1/products/create' | '/api/payments/v1/payments'
  key: string
  body: string
}

/** A request with its answer; `null` if there was none. */
export interface Sent extends Order {
  answer: Answer | null
}

/** Clients at work. */
export interface Load {
  /** Everything that was sent and has ended. */
  sent: readonly Sent[]
  /** Ends the clients after the request that each is at. */
  stop(): void
  /** Resolves when all of them have ended, each at the latest when the platform does not answer any more. */
  ended: Promise<void>
}

/** How many clients write at once, unless a test says otherwise. */
const CLIENTS = 8

/** Lets clients create products and pay, each one request after the other, until they are stopped or not answered. */
export function startLoad(
  apiUrl: string,
  shop: Shop,
  { randomness, clients = CLIENTS }: { randomness: Randomness; clients?: number },
): Load {
  const sent: Sent[] = []
  let stopped = false
  async function client(): Promise<void> {
    while (!stopped) {
      const order = fraction(randomness) < 0.3 ? newPayment(shop, randomness) : newProduct(shop, randomness)
      const answer = await send(apiUrl, shop, order)
      sent.push({ ...order, answer })
      if (answer === null) return
    }
  }
  const ended = Promise.all(Array.from({ length: clients }, client)).then(() => {})
  return { sent, ended, stop: () => void (stopped = true) }
}

/** Sends a request. */
export function send(
  apiUrl: string,
  { apiKey }: Pick<Shop, 'apiKey'>,
  { path, key, body }: Order,
): Promise<Answer | null> {
  return post(`${apiUrl}${path}`, { apiKey, body, idempotencyKey: key })
}

/** A product that no other request creates. Its name is the request's key. */
export function newProduct({ storeId }: Pick<Shop, 'storeId'>, randomness: Randomness): Order {
  const key = newKey(randomness)
  const prices = [{ currencyOptions: { USD: { amount: amountOf(randomness) } } }]
  const product: NewProductInput = { storeId, name: key, variants: [{ name: 'Only', sku: key, prices }] }
  return { path: '/api/public/v1/products/create', key, body: JSON.stringify(product) }
}

/** A payment that no other request makes. */
export function newPayment(
  { storeId, instrumentId }: Pick<Shop, 'storeId' | 'instrumentId'>,
  randomness: Randomness,
): Order {
  const payment = { storeId, paymentInstrumentId: instrumentId, currency: 'USD', amount: amountOf(randomness) }
  return { path: '/api/payments/v1/payments', key: newKey(randomness), body: JSON.stringify(payment) }
}

/** Letters alone: with digits one in a few hundred would look like a card number, which the platform refuses. */
function newKey(randomness: Randomness): string {
  return Array.from(randomness.bytes(24), (byte) => 'bcdfghjklmnpqrst'[byte % 16]).join('')
}

function amountOf(randomness: Randomness): number {
  return 1 + Math.floor(fraction(randomness) * 100_000)
}
