import { createHash } from 'node:crypto'
import { serve } from '@hono/node-server'
import { createClient, eventProperties, verifyWebhook } from '@tillwright/client'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { streamSSE } from 'hono/streaming'
import { answerOf } from './answer-of.ts'
import { offerOf } from './offer.ts'
import { openOrders } from './open-orders.ts'
import { readPaymentId, readPurchase } from './read-purchase.ts'
import { readSettings } from './read-settings.ts'
import { refusal } from './refusal.ts'
import { pageFiles, pageHeaders, shopPage } from './shop-page.ts'

const settings = readSettings(process.env)
if ('missing' in settings) {
  console.error(settings.missing)
  process.exit(1)
}
const tillwright = createClient({ apiKey: settings.apiKey, baseUrl: settings.apiUrl })
const orders = openOrders()
const shop = new Hono()

// A page elsewhere may have its name point at this machine: it is shown nothing.
shop.use(async (c, next) => {
  const name = URL.parse(`http://${c.req.header('host')}`)?.hostname ?? ''
  return ['localhost', '127.0.0.1', '[::1]'].includes(name) ? next() : c.text('The shop is at http://localhost.', 421)
})
shop.use(pageHeaders(settings.vaultUrl), bodyLimit({ maxSize: 64 * 1024 }))

shop.get('/', async (c) => {
  const product = await tillwright.products.get({ productId: settings.productId })
  return c.html(await shopPage(offerOf(product), settings))
})

shop.post('/pay', async (c) => {
  const { serviceToken, email, variantId, quantity, currency } = readPurchase(await c.req.json())
  // The card's token is good for one purchase, so it names this one: the page may ask again, and pays once.
  const purchase = createHash('sha256').update(serviceToken).digest('hex')
  const { paymentInstrument } = await tillwright.paymentInstruments.createFromToken(
    { serviceToken, storeId: settings.storeId, customerData: { email } },
    { idempotencyKey: `instrument-${purchase}` },
  )
  const paymentInstrumentId = paymentInstrument.id
  const payment = await tillwright.payments.create(
    { storeId: settings.storeId, paymentInstrumentId, currency, lines: [{ variantId, quantity }] },
    { idempotencyKey: `payment-${purchase}` },
  )
  orders.open(payment.orderId)
  return c.json(answerOf(payment))
})

// After checkout.authenticate() in the page. What came of it, the platform knows; what the page says of it is not asked.
shop.post('/continue', async (c) => {
  const payment = await tillwright.payments.continue({ paymentId: readPaymentId(await c.req.json()) })
  return c.json(answerOf(payment))
})

shop.post('/webhooks', async (c) => {
  const delivery = verifyWebhook(await c.req.text(), c.req.header(), settings.webhookSecret)
  const paid = eventProperties(delivery, 's_order_paid')
  if (paid !== null) orders.markPaid(paid.orderId)
  return c.body(null, 204)
})

shop.get('/orders/:orderId', (c) => {
  const orderId = c.req.param('orderId')
  const paid = orders.whenPaid(orderId)
  if (paid === null) return c.notFound()
  return streamSSE(c, (stream) => paid.then(() => stream.writeSSE({ event: 'paid', data: orderId })))
})

shop.get('/:file{[a-z-]+\\.(css|js|svg)}', pageFiles)

shop.onError((error, c) => {
  const { status, message, field } = refusal(error)
  if (status === 502) console.error(error)
  return c.json({ message, field }, status)
})

serve({ fetch: shop.fetch, hostname: 'localhost', port: settings.port }, () => {
  console.log(`The shop is open at http://localhost:${settings.port}`)
})
