import { serve } from '@hono/node-server'
import { createClient, eventProperties, TillwrightError, verifyHook, verifyWebhook } from '@tillwright/client'
import type { Payment } from '@tillwright/contract'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { streamSSE } from 'hono/streaming'
import { answerHook } from './answer-hook.ts'
import { makePayment } from './make-payment.ts'
import { type Offer, offerOf } from './offer.ts'
import { offeredMethods } from './offered-methods.ts'
import { openOrders } from './open-orders.ts'
import { readPaymentId, readPurchase } from './read-purchase.ts'
import { type Bought, noReceiptPage, receiptPage, receiptPath } from './receipt-page.ts'
import { declined, type Refusal, refusal } from './refusal.ts'
import { type Html, pageFiles, pageHeaders, shopPage } from './shop-page.ts'
import { languageOf } from './texts/index.ts'
import { unpaidPage } from './unpaid-page.ts'

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
// Before the headers of all other pages: this one has its own.
shop.get('/', async (c) => {
  const offer = offerOf(await tillwright.products.get({ productId: settings.productId }))
  const asked = offer.currencies.map((currency) => ({ currency, amount: firstAmount(offer, currency) }))
  const asking = { ...settings, origin: new URL(c.req.url).origin }
  const offered = await Promise.all(asked.map((sum) => offeredMethods(sum, asking)))
  const [methods = []] = offered
  const onlyCards = offered.flat().every((type) => type === 'card')
  const { vaultUrl, apiUrl } = settings
  const headers = pageHeaders({ vaultUrl, ...(!onlyCards && { apiUrl }) })
  const page = shopPage(offer, { ...settings, methods, onlyCards }, language(c))
  return (await headers(c, async () => void (c.res = await showPage(c, page)))) ?? c.res
})

shop.use(pageHeaders(settings), bodyLimit({ maxSize: 64 * 1024 }))

shop.post('/pay', async (c) => {
  const purchase = readPurchase(await c.req.json())
  const payment = await makePayment(purchase, { tillwright, storeId, returnUrl: new URL('/return', c.req.url).href })
  orders.open(payment.orderId)
  return answer(c, answerOf(payment))
})

// After checkout.authenticate() in the page, or Back from a method's. The platform knows the outcome; the page is not
// asked for it.
shop.post('/continue', async (c) => {
  const payment = await findPayment(readPaymentId(await c.req.json()))
  return answer(
    c,
    payment === null ? { status: 400, text: 'incomplete', field: null } : answerOf(await continued(payment)),
  )
})

// Where a method's page leads back to. The address says nothing but which payment to ask for, and anyone can write one.
shop.get('/return', async (c) => {
  const payment = await findPayment(c.req.query('paymentId') ?? '')
  if (payment === null) return showPage(c, noReceiptPage(language(c)), 404)
  if (payment.paymentMethod.type !== 'card') await continued(payment)
  return c.redirect(receiptPath(payment.id), 303)
})

shop.get('/receipt/:paymentId', async (c) => {
  const payment = await findPayment(c.req.param('paymentId'))
  const isCard = payment?.paymentMethod.type === 'card'
  // The buyer of a card was told in the page that sells.
  if (payment === null || (isCard && hasNoMoney(payment))) return showPage(c, noReceiptPage(language(c)), 404)
  if (hasNoMoney(payment)) return showPage(c, unpaidPage(payment, language(c)))
  const bought = await readBought(payment)
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

// What the platform asks while a buyer waits. Whoever has no secret of a hook is told nothing.
shop.post('/hooks', async (c) => {
  if (settings.hookSecrets.length === 0) return c.notFound()
  return c.json(answerHook(verifyHook(await c.req.text(), c.req.header(), settings.hookSecrets)))
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

/** Initial amount of the page: one unit of the default variant, in the currency's minor unit. */
function firstAmount({ variants }: Offer, currency: string): number {
  return (variants.find((variant) => variant.default) ?? variants[0])?.amounts[currency] ?? 0
}

/** A payment of this shop's own store, whose key opens the whole account; `null` where there is none of this id. */
async function findPayment(paymentId: string): Promise<Payment | null> {
  if (paymentId === '') return null
  try {
    const payment = await tillwright.payments.get({ paymentId })
    return payment.storeId === storeId ? payment : null
  } catch (error) {
    if (error instanceof TillwrightError && (error.status === 404 || error.status === 400)) return null
    throw error
  }
}

/** How a payment stands that may wait for its buyer. A page that was loaded again may ask of what has ended meanwhile. */
function continued(payment: Payment): Promise<Payment> | Payment {
  return payment.status === 'requires_action' ? tillwright.payments.continue({ paymentId: payment.id }) : payment
}

function hasNoMoney(payment: Payment): boolean {
  return payment.status === 'requires_action' || 'text' in answerOf(payment)
}

async function readBought(payment: Payment): Promise<Bought> {
  const { orderId, customerId, paymentInstrumentId } = payment
  const [order, customer, instrument] = await Promise.all([
    tillwright.orders.get({ orderId }),
    tillwright.customers.get({ customerId }),
    paymentInstrumentId === null ? null : tillwright.paymentInstruments.get({ paymentInstrumentId }),
  ])
  return { payment, order, customer, card: instrument === null ? null : instrument.card }
}

serve({ fetch: shop.fetch, hostname: 'localhost', port: settings.port }, () => {
  console.log(`The shop is open at http://localhost:${settings.port}`)
})

/** Response to the page for a payment that succeeded or needs another step. */
interface Answer {
  paymentId: string
  /** Opens the bank's page to the buyer; `null` unless the bank wants to see the buyer first. */
  actionToken: string | null
  /** The method's page, where the buyer pays; `null` unless they have to go there. */
  leadsTo: string | null
  /** The address of the receipt; `null` while there is none. */
  receipt: string | null
}

/** A payment as the page needs it. One that has ended without money, as another tab may find it, is a refusal. */
function answerOf({ id: paymentId, status, declineCode, nextAction, paymentMethod }: Payment): Answer | Refusal {
  if (status === 'declined' || status === 'failed' || status === 'canceled') {
    return declined(declineCode, paymentMethod.type)
  }
  const actionToken = nextAction?.type === 'threeds_auth' ? nextAction.actionToken : null
  const leadsTo = nextAction?.type === 'redirect' ? nextAction.url : null
  return { paymentId, actionToken, leadsTo, receipt: nextAction === null ? receiptPath(paymentId) : null }
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
  /** Of the hooks that the shop answers at `/hooks`; without any it answers none. */
  hookSecrets: readonly string[]
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
    hookSecrets: (env['HOOK_SECRETS'] ?? '').split(',').filter((secret) => secret !== ''),
    port: Number(env['PORT'] ?? 4410),
  }
  if (missing.length === 0) return found
  return {
    missing: `Missing in the environment: ${missing.join(', ')}. Run the shop with "tillwright start -- node ...".`,
  }
}
