import { createHash } from 'node:crypto'
import { serve } from '@hono/node-server'
import { createClient, eventProperties, TillwrightError, verifyWebhook } from '@tillwright/client'
import type { Payment } from '@tillwright/contract'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { streamSSE } from 'hono/streaming'
import { offerOf } from './offer.ts'
import { openOrders } from './open-orders.ts'
import { readPaymentId, readPurchase } from './read-purchase.ts'
import { type Bought, noReceiptPage, receiptPage, receiptPath } from './receipt-page.ts'
import { declined, type Refusal, refusal } from './refusal.ts'
import { type Html, pageFiles, pageHeaders, shopPage } from './shop-page.ts'
import { languageOf } from './texts/index.ts'

const settings = readSettings(process.env)
if ('missing' in settings) {
  console.error(settings.missing)
  process.exit(1)
}
const tillwright = createClient({ apiKey: settings.apiKey, baseUrl: settings.apiUrl })
const { storeId } = settings
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
  return showPage(c, shopPage(offerOf(product), settings, language(c)))
})

shop.post('/pay', async (c) => {
  const { serviceToken, email, variantId, quantity, currency } = readPurchase(await c.req.json())
  // The card's token is good for one purchase, so it names this one: the page may ask again, and pays once.
  const purchase = createHash('sha256').update(serviceToken).digest('hex')
  const { paymentInstrument } = await tillwright.paymentInstruments.createFromToken(
    { serviceToken, storeId, customerData: { email } },
    { idempotencyKey: `instrument-${purchase}` },
  )
  const paymentInstrumentId = paymentInstrument.id
  const payment = await tillwright.payments.create(
    { storeId, paymentInstrumentId, currency, lines: [{ variantId, quantity }] },
    { idempotencyKey: `payment-${purchase}` },
  )
  orders.open(payment.orderId)
  return answer(c, answerOf(payment))
})

// After checkout.authenticate() in the page. What came of it, the platform knows; what the page says of it is not asked.
shop.post('/continue', async (c) => {
  const paymentId = readPaymentId(await c.req.json())
  const payment = await tillwright.payments.get({ paymentId })
  // A page that was loaded again may ask once more of what has ended meanwhile.
  const isWaiting = payment.status === 'requires_action'
  return answer(c, answerOf(isWaiting ? await tillwright.payments.continue({ paymentId }) : payment))
})

shop.get('/receipt/:paymentId', async (c) => {
  const bought = await findBought(c.req.param('paymentId'))
  if (bought === null) return showPage(c, noReceiptPage(language(c)), 404)
  const { id, status } = bought.order
  // After a restart of this server its own notes are gone, but the platform's are not.
  if (orders.whenPaid(id) === null && status === 'paid') orders.markPaid(id)
  orders.open(id)
  return showPage(c, receiptPage(bought, orders.isPaid(id), language(c)))
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
  const refused = refusal(error)
  if (refused.status === 502) console.error(error)
  return answer(c, refused)
})

function answer(c: Context, outcome: Answer | Refusal) {
  if (!('text' in outcome)) return c.json(outcome)
  const { status, text, field } = outcome
  return c.json({ message: language(c).texts[text], field }, status)
}

function showPage(c: Context, page: Html, status: 200 | 404 = 200) {
  c.header('Cache-Control', 'private, no-cache')
  c.header('Vary', 'Accept-Language')
  return c.html(page, status)
}

function language(c: Context) {
  return languageOf(c.req.header('accept-language') ?? '')
}

/** A payment with its order and its card; `null` when there is none, or when it has brought no money. */
async function findBought(paymentId: string): Promise<Bought | null> {
  try {
    const payment = await tillwright.payments.get({ paymentId })
    if (payment.status === 'requires_action' || 'text' in answerOf(payment)) return null
    const { orderId, paymentInstrumentId } = payment
    if (paymentInstrumentId === null) return null
    const [order, instrument] = await Promise.all([
      tillwright.orders.get({ orderId }),
      tillwright.paymentInstruments.get({ paymentInstrumentId }),
    ])
    // The key opens the whole account; this shop's receipts are of its own store.
    return order.storeId === storeId ? { payment, order, instrument } : null
  } catch (error) {
    if (error instanceof TillwrightError && (error.status === 404 || error.status === 400)) return null
    throw error
  }
}

serve({ fetch: shop.fetch, hostname: 'localhost', port: settings.port }, () => {
  console.log(`The shop is open at http://localhost:${settings.port}`)
})

/** Response to the page for a payment that succeeded or needs another step. */
interface Answer {
  paymentId: string
  /** Opens the bank's page to the buyer; `null` unless the bank wants to see the buyer first. */
  actionToken: string | null
  /** The address of the receipt; `null` while there is none. */
  receipt: string | null
}

/** A payment as the page needs it. One that has ended without money, as another tab may find it, is a refusal. */
function answerOf({ id: paymentId, status, declineCode, nextAction }: Payment): Answer | Refusal {
  if (status === 'declined' || status === 'failed' || status === 'canceled') return declined(declineCode)
  const actionToken = nextAction?.type === 'threeds_auth' ? nextAction.actionToken : null
  return { paymentId, actionToken, receipt: actionToken === null ? receiptPath(paymentId) : null }
}

/** Settings of the shop, from the environment. */
export interface Settings {
  apiUrl: string
  /** Where the checkout's script and card form come from: another origin than the shop's. */
  vaultUrl: string
  apiKey: string
  publishableKey: string
  storeId: string
  productId: string
  webhookSecret: string
  port: number
}

/**
 * Reads the settings from the environment, where `tillwright start` puts them for the command that it runs.
 *
 * @returns Or, in a sentence, which variables are missing.
 */
function readSettings(env: Readonly<Record<string, string | undefined>>): Settings | { missing: string } {
  const missing: string[] = []
  const read = (name: string): string => {
    const value = env[name] ?? ''
    if (value === '') missing.push(name)
    return value
  }
  const found = {
    apiUrl: read('TILLWRIGHT_API_URL'),
    vaultUrl: read('TILLWRIGHT_VAULT_URL'),
    apiKey: read('TILLWRIGHT_API_KEY'),
    publishableKey: read('TILLWRIGHT_PUBLISHABLE_KEY'),
    storeId: read('TILLWRIGHT_STORE_ID'),
    productId: read('TILLWRIGHT_PRODUCT_ID'),
    webhookSecret: read('TILLWRIGHT_WEBHOOK_SECRET'),
    port: Number(env['PORT'] ?? 4410),
  }
  if (missing.length === 0) return found
  return {
    missing: `Missing in the environment: ${missing.join(', ')}. Run the shop with "tillwright start -- node ...".`,
  }
}
