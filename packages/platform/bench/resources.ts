import type { Shop } from '../faults/open-shop.ts'
import type { Started } from './start-process.ts'

/** One resource under measurement: how it is made, and where one of it is read; `null` where no read by id exists. */
export interface BenchResource {
  name: string
  path: string
  /** `{n}` in a text of it is another text each time. */
  body: object
  read: string | null
  /** For a read by POST: what is sent. */
  readBody?: object
}

const prices = [{ currencyOptions: { USD: { amount: 2400 }, EUR: { amount: 2200 } } }]
const actions = [{ type: 'OrderPercentageAdjustment', adjustmentPercentage: 10 }]
const steps = [{ type: 'checkout', name: 'Checkout', path: '/checkout' }]
const pages = [{ id: 'checkout', path: '/checkout' }]
const API = '/api/public/v1'

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
  const promotion = { storeId, name: 'Sale', code: 'SALE-{n}', actions }
  const payment = { storeId, paymentInstrumentId, currency: 'USD', amount: 1999 }
  const funnel = { storeId, name: 'Funnel', steps }
  const session = { paymentInstrumentId, storeId }
  const plugin = { storeId, manifest: { name: 'Plugin {n}', version: '1.0.0', pages } }
  const [products, promotions] = [`${API}/products/create`, `${API}/promotions/create`]
  const [payments, funnels] = ['/api/payments/v1/payments', '/api/funnels/v1/funnels']
  const { productId } = await made(products, product)
  const { id: promotionId } = await made(promotions, { ...promotion, code: 'FIRST' })
  const { id: paymentId, orderId } = await made(payments, payment)
  const { id: funnelId, steps: madeSteps } = await made(funnels, funnel)
  const preview = { storeId, stepId: madeSteps[0].id }
  const previews = `${API}/funnels/${funnelId}/preview-session`
  const { sessionId } = await made(previews, preview)
  return [
    { name: 'store', path: `${API}/stores/create`, body: { name: 'Second shop' }, read: null },
    { name: 'product', path: products, body: product, read: `${API}/products/${productId}` },
    {
      name: 'promotion',
      path: promotions,
      body: promotion,
      read: `${API}/promotions/getById`,
      readBody: { id: promotionId, storeId },
    },
    { name: 'payment', path: payments, body: payment, read: `${payments}/${paymentId}` },
    { name: 'order (by paying)', path: payments, body: payment, read: `/api/payments/v1/orders/${orderId}` },
    { name: '3-D Secure session', path: `${API}/threeds/create-session`, body: session, read: null },
    { name: 'funnel', path: funnels, body: funnel, read: `${funnels}/${funnelId}` },
    { name: 'funnel session (preview)', path: previews, body: preview, read: `${API}/funnel-sessions/${sessionId}` },
    {
      name: 'plugin deployment (no files)',
      path: `${API}/plugins/v2/deploy`,
      body: plugin,
      read: null,
    },
  ]
}
