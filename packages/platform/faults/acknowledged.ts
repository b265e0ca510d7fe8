import { isDeepStrictEqual } from 'node:util'
import type { NewProductInput, Product } from '@tillwright/contract'
import { send, type Sent } from './load.ts'
import { neverCharged } from './never-charged.ts'
import type { Shop } from './open-shop.ts'
import { get } from './post.ts'
import type { Records } from './read-records.ts'

/** A platform to ask, and the shop to ask it for. */
export interface Asking {
  apiUrl: string
  shop: Shop
}

/**
 * Sends what was not answered again, with its key, and notes the answers.
 *
 * @returns The requests still in progress, which the platform answers with 409.
 * @throws When one is answered anything else than success, or than a payment that came to nothing.
 */
export async function sendAgain(requests: readonly Sent[], { apiUrl, shop }: Asking): Promise<Sent[]> {
  const atWork: Sent[] = []
  for (const request of requests) {
    const answer = await send(apiUrl, shop, request)
    if (answer?.status === 201 || neverCharged(answer)) request.answer = answer
    else if (answer?.status === 409 && answer.body.includes('idempotency_key_in_use')) atWork.push(request)
    else throw new Error(`${request.path} was answered ${answer?.status} ${answer?.body} when it was sent again.`)
  }
  return atWork
}

/** The keys of acknowledged requests whose answer is not stored byte for byte. (Each answer holds an id, so no two are equal.) */
export function lostAnswers(sent: readonly Sent[], { keys }: Records): string[] {
  const stored = new Set(keys.map(({ status, body }) => `${status} ${body}`))
  return sent
    .filter(({ answer }) => answer !== null && !stored.has(`${answer.status} ${answer.body}`))
    .map(({ key }) => key)
}

/** The keys of acknowledged requests whose product or payment cannot be read, or is other than what was acknowledged. */
export async function unreadable(sent: readonly Sent[], asking: Asking): Promise<string[]> {
  const acknowledged = sent.filter(({ answer }) => answer?.status === 201)
  const intact = await Promise.all(acknowledged.map((request) => isIntact(request, asking)))
  return acknowledged.filter((_, index) => intact[index] !== true).map(({ key }) => key)
}

async function isIntact({ path, body, answer }: Sent, { apiUrl, shop }: Asking): Promise<boolean> {
  const acknowledged: { id: string; productId: string; status?: string } = JSON.parse(answer?.body ?? '{}')
  const isProduct = path === '/api/public/v1/products/create'
  const readPath = isProduct ? `/api/public/v1/products/${acknowledged.productId}` : `${path}/${acknowledged.id}`
  const read = await get(`${apiUrl}${readPath}`, shop.apiKey)
  if (read?.status !== 200) return false
  if (isProduct) return isProductOf(JSON.parse(body), JSON.parse(read.body))
  const payment: { id: string } = JSON.parse(read.body)
  // A payment that was answered as `processing` has gone on since.
  return acknowledged.status === 'processing'
    ? payment.id === acknowledged.id
    : isDeepStrictEqual(payment, acknowledged)
}

function isProductOf(sent: NewProductInput, product: Product): boolean {
  const amountOf = ({ variants: [variant] }: Product | NewProductInput) =>
    variant?.prices[0]?.currencyOptions['USD']?.amount
  return product.name === sent.name && amountOf(product) === amountOf(sent)
}
