import { createHash } from 'node:crypto'
import { unusualDecimals } from '@tillwright/contract/decimals'
import { tokensCss } from '@tillwright/design-tokens'
import { findStore } from '../../catalog/index.ts'
import { type PageKeys, pageKeys } from '../../plugins/index.ts'
import { type App, clientAddress, type ServerContext } from '../operations/index.ts'
import { recoveryLanguage, type RecoveryTexts } from './recovery-texts.ts'

/** Where the API and the card form are. */
export interface RecoveryPlaces {
  apiUrl: string
  vaultUrl: string
}

/**
 * The page of a recovery link: its buyer authenticates, or enters another card in the frame of the vault's origin, and pays.
 * The link's token stands in the address's fragment, so that the page is the same for every link of a store.
 */
export function routeRecoveryPage(app: App, serverContext: ServerContext, places: RecoveryPlaces): void {
  const { services, trustedProxies } = serverContext
  const keyFor: PageKeys = pageKeys(services)
  app.get('/recover/:accountId/:storeId', async (c) => {
    const { quota } = await serverContext.takePageToken(clientAddress(c.env.incoming, trustedProxies))
    if (!quota.allowed) {
      return c.text('Too many pages were loaded from here.', 429, { 'Retry-After': String(quota.retryAfterS) })
    }
    const { accountId, storeId } = c.req.param()
    if ((await findStore(storeId, accountId, services.db)) === null) return c.notFound()
    const { origin } = new URL(places.apiUrl)
    const publishableKey = await keyFor({ accountId, storeId }, origin)
    const language = recoveryLanguage(c.req.header('accept-language'))
    const { html, policy } = recoveryPage({ ...language, publishableKey, vaultUrl: places.vaultUrl })
    return c.body(html, 200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Language',
    })
  })
}

interface Shown {
  lang: string
  texts: RecoveryTexts
  publishableKey: string
  vaultUrl: string
}

function recoveryPage({ lang, texts, publishableKey, vaultUrl }: Shown): { html: string; policy: string } {
  // Neither a key nor our texts hold a "<", and a script in JSON would be data all the same.
  const data = JSON.stringify({ lang, texts, publishableKey }).replaceAll('<', '\\u003c')
  const html = `<!doctype html>
<html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${texts.other}</title>
<style>${STYLE}</style>
<script src="${vaultUrl}/v1/tillwright.js" defer></script>
</head>
<body>
<main>
<h1 id="title">${texts.working}</h1>
<p id="what"></p>
<p id="status" role="status"></p>
<div id="actions" hidden>
<button type="button" id="same" hidden></button>
<h2>${texts.other}</h2>
<div id="card"></div>
<button type="button" id="other"></button>
</div>
</main>
<script type="application/json" id="data">${data}</script>
<script type="module">${SCRIPT}</script>
</body>
</html>`
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(SCRIPT)} ${vaultUrl}`,
    `style-src ${hashOf(STYLE)}`,
    `frame-src ${vaultUrl}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return { html, policy }
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

const STYLE = `
  ${tokensCss(['canvas', 'ink', 'line-strong', 'accent', 'accent-ink', 'font', 'corner'])}
  html { font: 16px/1.5 var(--font) }
  * { box-sizing: border-box }
  body { margin: 0; background: var(--canvas); color: var(--ink) }
  main { max-width: 30rem; margin: 0 auto; padding: 32px 16px }
  h1 { font-size: 1.375rem; line-height: 1.25 }
  h2 { font-size: 1rem; margin: 32px 0 8px }
  button { width: 100%; min-height: 44px; margin-top: 16px; padding: 0 16px; border: 0; border-radius: var(--corner); background: var(--accent); color: var(--accent-ink); font: inherit; font-weight: 600; cursor: pointer }
  button:disabled { opacity: .6 }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
  [hidden] { display: none }
`

/** The page's script. It shows what the platform says of the link, and of a card only its last digits. */
const SCRIPT = `
const { lang, texts, publishableKey } = JSON.parse(document.getElementById('data').textContent)
const unusualDecimals = ${JSON.stringify(unusualDecimals)}
const token = location.hash.slice(1)
const part = (id) => document.getElementById(id)
const fill = (text, values) => text.replace(/\\{(\\w+)\\}/g, (_, name) => values[name] ?? '')

async function call(step, more = {}) {
  const response = await fetch('/api/session/v1/recoveries/' + step, {
    method: 'POST',
    headers: { Authorization: 'Bearer ' + publishableKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, ...more }),
  })
  const body = await response.json()
  if (response.ok) return body
  throw Object.assign(new Error(body.error.message), { code: body.error.code })
}

function money({ amount, currency }) {
  const decimals = unusualDecimals[currency] ?? 2
  const shown = { style: 'currency', currency, minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  return new Intl.NumberFormat(lang, shown).format(amount / 10 ** decimals)
}

const say = (text) => { part('status').textContent = text }
let checkout
let card
let expectedAmount // as the buyer was shown it last

async function show(view) {
  const values = { shop: view.shop, name: view.name, amount: money(view), card: cardName(view.card) }
  expectedAmount = view.amount
  document.title = part('title').textContent = fill(texts.title, values)
  const isOpen = view.state === 'open'
  part('what').textContent = isOpen || view.state === 'waiting' ? fill(texts.what, values) : ''
  part('actions').hidden = !isOpen
  if (view.state === 'waiting') return authenticate(view.payment.nextAction.actionToken)
  if (!isOpen) return say(texts[view.state])
  part('same').hidden = view.card === null
  part('same').textContent = fill(texts.same, values)
  part('other').textContent = fill(texts.pay, values)
  checkout ??= await Tillwright.init({ publishableKey, locale: lang })
  card ??= checkout.card().mount('#card')
}

function cardName(known) {
  return known === null ? '' : known.brand.charAt(0).toUpperCase() + known.brand.slice(1) + ' •••• ' + known.last4
}

async function authenticate(actionToken) {
  say(texts.asking)
  checkout ??= await Tillwright.init({ publishableKey, locale: lang })
  await checkout.authenticate(actionToken)
  say(texts.working)
  await show(await call('continue'))
}

async function attempt(work) {
  for (const button of document.querySelectorAll('button')) button.disabled = true
  say(texts.working)
  try {
    await show(await work())
  } catch (error) {
    const isDeclined = ['card_declined', 'insufficient_funds', 'expired_card', 'incorrect_cvc', 'authentication_required']
    const message = isDeclined.includes(error.code) ? texts.declined : texts.failed
    try { await show(await call('read')) } catch { }
    say(message)
  } finally {
    for (const button of document.querySelectorAll('button')) button.disabled = false
  }
}

part('same').addEventListener('click', () => attempt(() => call('pay', { expectedAmount })))
part('other').addEventListener('click', () => attempt(async () => call('pay', { serviceToken: (await card.tokenize()).serviceToken, expectedAmount })))
try {
  await show(await call('read'))
} catch {
  part('title').textContent = texts.invalid
  part('actions').hidden = true
}
`
