import type { Shop } from '../faults/open-shop.ts'
import type { Started } from './start-process.ts'

/** One resource under measurement: how it is made, and where one of it is read; `null` where no read by id exists. */
export interface BenchResource {
  name: string
  path: string
  /** `{n}` in it is another text each time. */
  body: string
  read: string | null
}

const prices = [{ currencyOptions: { USD: { amount: 2400 }, EUR: { amount: 2200 } } }]

/** Makes one of each, so that there is something to read. */
export async function resourcesOf(shop: Shop, platform: Started): Promise<BenchResource[]> {
  const { storeId, instrumentId: paymentInstrumentId } = shop
  const made = async (path: string, body: object) => {
    const headers = { Authorization: `Bearer ${shop.apiKey}`, 'Content-Type': 'application/json' }
    const answer = await fetch(platform.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path} answered ${await answer.text()}`)
    return answer.json()
  }
  const product = { storeId, name: 'Canvas tote', variants: [{ name: 'Natural', grams: 320, prices }] }
  const payment = { storeId, paymentInstrumentId, currency: 'USD', amount: 1999 }
  const { productId } = await made('/api/public/v1/products/create', product)
  const { id: paymentId, orderId } = await made('/api/payments/v1/payments', payment)
  const resource = (name: string, path: string, body: object, read: string | null): BenchResource => ({
    name,
    path,
    body: JSON.stringify(body),
    read,
  })
  return [
    resource('store', '/api/public/v1/stores/create', { name: 'Second shop' }, null),
    resource('product', '/api/public/v1/products/create', product, `/api/public/v1/products/${productId}`),
    resource('payment', '/api/payments/v1/payments', payment, `/api/payments/v1/payments/${paymentId}`),
    resource('order (by paying)', '/api/payments/v1/payments', payment, `/api/payments/v1/orders/${orderId}`),
  ]
}
