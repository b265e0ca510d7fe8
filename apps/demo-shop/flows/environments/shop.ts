import { createServer, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { createClient } from '@tillwright/client'
import { environments } from './environments.ts'

// A shop that is as small as it can be, with one page for each environment that a page makes by its headers.
const env = (name: string) => process.env[`TILLWRIGHT_${name}`] ?? ''
const storeId = env('STORE_ID')
const vaultUrl = env('VAULT_URL')
const tillwright = createClient({ apiKey: env('API_KEY'), baseUrl: env('API_URL') })

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop')
  if (pathname === '/webhooks') return response.writeHead(204).end()
  if (request.method === 'POST') {
    // The page of this file sends it.
    const body = (await json(request)) as { serviceToken: string; paymentId: string }
    const answer = await (pathname === '/pay' ? pay(body.serviceToken) : proceed(body.paymentId))
    return response.end(JSON.stringify(answer))
  }
  if (pathname === '/page.js') return send(response, `(${String(page)})()`, { 'Content-Type': 'text/javascript' })
  if (pathname === '/parent') return send(response, parentOf(searchParams.get('shop') ?? ''))
  const environment = environments.find(({ name }) => name === searchParams.get('environment'))
  return send(response, shopPage(searchParams.get('key') ?? env('PUBLISHABLE_KEY')), environment?.headers?.(vaultUrl))
})
server.listen(Number(process.env['PORT']), '127.0.0.1')

async function pay(serviceToken: string) {
  const { paymentInstrument } = await tillwright.paymentInstruments.createFromToken({ serviceToken, storeId })
  const paymentInstrumentId = paymentInstrument.id
  const payment = await tillwright.payments.create({ storeId, paymentInstrumentId, currency: 'EUR', amount: 1_000 })
  const { nextAction } = payment
  const actionToken = nextAction?.type === 'threeds_auth' ? nextAction.actionToken : null
  return { id: payment.id, status: payment.status, actionToken }
}

async function proceed(paymentId: string) {
  const { status } = await tillwright.payments.continue({ paymentId })
  return { status }
}

function send(response: ServerResponse, content: string, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...headers }).end(content)
}

function shopPage(key: string): string {
  return `<!doctype html><html lang="en"><title>Shop</title>
    <script src="${vaultUrl}/v1/tillwright.js"></script>
    <div id="card"></div><button id="pay" disabled>Pay</button><p id="status"></p>
    <script src="/page.js" data-key="${key}"></script></html>`
}

/** A third party's page, with another one in a sandboxed frame. */
function parentOf(shop: string): string {
  return `<!doctype html><html lang="en"><title>Parent</title><iframe id="shop" width="1000" height="800"
    sandbox="allow-scripts allow-same-origin allow-forms" referrerpolicy="unsafe-url" src="${encodeURI(shop)}"></iframe></html>`
}

/** Runs in the browser. */
function page(): void {
  const status = document.querySelector('#status') as HTMLElement // both stand in the page above
  const button = document.querySelector('#pay') as HTMLButtonElement
  const show = (text: string) => void (status.textContent = text)
  const key = document.currentScript?.dataset['key'] ?? ''
  const back = new URLSearchParams(location.search).get('payment')

  async function post(path: string, body: object) {
    return (await fetch(path, { method: 'POST', body: JSON.stringify(body) })).json()
  }

  async function open() {
    if (back !== null) return show(`${(await post('/continue', { paymentId: back })).status}, by the way back`)
    const checkout = await window.Tillwright.init({ publishableKey: key })
    const card = checkout.card()
    card.on('ready', () => void (button.disabled = false))
    card.on('loaderror', ({ code }) => show(`refused: ${code}`))
    card.mount('#card')
    button.addEventListener('click', async () => {
      const { serviceToken } = await card.tokenize()
      const payment = await post('/pay', { serviceToken })
      const returnUrl = `${location.href}&payment=${payment.id}`
      if (payment.actionToken !== null) await checkout.authenticate(payment.actionToken, { returnUrl })
      show((await post('/continue', { paymentId: payment.id })).status)
    })
  }
  open().catch((error: { code: string }) => show(`refused: ${error.code}`))
}
