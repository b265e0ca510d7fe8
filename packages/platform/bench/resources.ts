import type { Shop } from '../faults/open-shop.ts'
import type { Started } from './start-process.ts'

/** One resource under measurement: how it is made, and where one of it is read; `null` where no read by id exists. */
export interface BenchResource {
  name: string
  path: string
  /** `{n}` in a text of it is another text each time. */
  body: object
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
  const [stores, products] = ['/api/public/v1/stores/create', '/api/public/v1/products/create']
  const [payments, orders] = ['/api/payments/v1/payments', '/api/payments/v1/orders']
  return [
    { name: 'store', path: stores, body: { name: 'Second shop' }, read: null },
    { name: 'product', path: products, body: product, read: `/api/public/v1/products/${productId}` },
    { name: 'payment', path: payments, body: payment, read: `${payments}/${paymentId}` },
    { name: 'order (by paying)', path: payments, body: payment, read: `${orders}/${orderId}` },
  ]
}
