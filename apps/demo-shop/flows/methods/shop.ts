import { randomUUID } from 'node:crypto'
import { serve } from '@hono/node-server'
import { createClient } from '@tillwright/client'
import { leadsAway, type NewPaymentMethod } from '@tillwright/contract'
import { Hono } from 'hono'
import { html } from 'hono/html'

// The smallest shop with every method: its settings come from `tillwright start`, which runs it.
const { TILLWRIGHT_API_KEY = '', TILLWRIGHT_API_URL = '', TILLWRIGHT_VAULT_URL = '', PORT = '' } = process.env
const { TILLWRIGHT_PUBLISHABLE_KEY: publishableKey = '', TILLWRIGHT_STORE_ID: storeId = '' } = process.env
const tillwright = createClient({ apiKey: TILLWRIGHT_API_KEY, baseUrl: TILLWRIGHT_API_URL })
const sum = { currency: 'EUR', amount: 4_098 }
const shop = new Hono()

shop.get('/', (c) => {
  const [vault, api] = [TILLWRIGHT_VAULT_URL, TILLWRIGHT_API_URL]
  c.header(
    'Content-Security-Policy',
    `default-src 'none'; script-src 'self' ${vault}; frame-src ${vault}; connect-src 'self' ${vault} ${api}`,
  )
  return c.html(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta name="viewport" content="width=device-width" />
          <title>Shop</title>
        </head>
        <body>
          <main>
            <h1>Pay €40.98</h1>
            <form>
              <div id="methods"></div>
              <button>Pay</button>
              <p role="alert"></p>
            </form>
          </main>
          <script src="${vault}/v1/tillwright.js"></script>
          <script src="/shop.js" type="module"></script>
        </body>
      </html>`,
  )
})

shop.get('/shop.js', (c) => {
  c.header('Content-Type', 'text/javascript')
  return c.body(`
    const checkout = await Tillwright.init({ publishableKey: '${publishableKey}' })
    const methods = await checkout.methods('#methods', ${JSON.stringify({ storeId, ...sum, country: 'NL' })})
    document.querySelector('form').addEventListener('submit', async (event) => {
      event.preventDefault()
      const choice = await methods.choice().catch(() => null)
      if (!choice) return
      const response = await fetch('/pay', { method: 'POST', body: JSON.stringify(choice) })
      const { to } = await response.json()
      location.assign(to)
    })`)
})

shop.post('/pay', async (c) => {
  // The page of this file sends it, and the API checks it.
  const { paymentMethod } = await c.req.json<{ paymentMethod: NewPaymentMethod }>()
  const idempotencyKey = randomUUID()
  const customer = await tillwright.customers.create({ storeId, email: `${idempotencyKey}@example.com` })
  const { origin } = new URL(c.req.url)
  const payment = await tillwright.payments.create(
    {
      storeId,
      customerId: customer.id,
      paymentMethod,
      ...sum,
      ...(leadsAway(paymentMethod.type) && { returnUrl: `${origin}/back` }),
    },
    { idempotencyKey },
  )
  const { nextAction } = payment
  return c.json({ to: nextAction?.type === 'redirect' ? nextAction.url : `/back?paymentId=${payment.id}` })
})

// What the buyer comes back with says nothing about money; the payment does.
shop.get('/back', async (c) => {
  const paymentId = c.req.query('paymentId') ?? ''
  const read = await tillwright.payments.get({ paymentId })
  const payment = read.status === 'requires_action' ? await tillwright.payments.continue({ paymentId }) : read
  const { status, declineCode, paymentMethod } = payment
  const told = [status, declineCode, paymentMethod.voucher?.code, paymentMethod.sepaDebit?.ibanLast4]
  return c.html(
    html`<title>Back</title>
      <p role="status">${told.filter(Boolean).join(' ')}</p>`,
  )
})

serve({ fetch: shop.fetch, hostname: 'localhost', port: Number(PORT) }, () => console.log('The shop is open.'))
