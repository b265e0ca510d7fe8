import { createServer } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { sharedChromium } from '../../../../../.ci/chromium.ts'
import { sharedPlatform } from '../../../test/test-platform.ts'
import { manualClock } from '../../runtime/clock.ts'
import { commit } from '../operations/commit.ts'

// The browser's clock is the machine's, and a card must not be encrypted at another time than it is sent.
const platform = sharedPlatform({ clock: manualClock(Date.now()) })
let browser: Browser
beforeAll(async () => {
  browser = await sharedChromium()
})

test('under the strictest policies of both sides a card becomes a token, and nothing is reported', async () => {
  const shop = await openPage(await shopWith(strictest))
  await allow(shop.origin)
  const answer = await shop.page.evaluate(mountScript(platform().local.publishableKey))
  const frame = shop.page.frameLocator('iframe')
  expect(answer).toBe('ready')
  expect(await shop.page.evaluate('crossOriginIsolated')).toBe(true)
  await frame.getByLabel('Card number').pressSequentially('4242424242424242')
  await frame.getByLabel('Expiry date').pressSequentially('1235')
  await frame.getByLabel('Security code').pressSequentially('123')
  const token = await shop.page.evaluate('window.card.tokenize()')
  expect(token).toMatchObject({ serviceToken: expect.any(String), card: { brand: 'visa', last4: '4242' } })
  // Chromium's warnings about the shop's sandbox are the shop's affair.
  expect(shop.complaints.filter((text) => !text.includes('can escape its sandboxing'))).toEqual([])
  expect(await shop.page.context().cookies()).toEqual([])
})

test('the form cannot turn a text into a script, a style, a request elsewhere or another page', async () => {
  const shop = await openPage(await shopWith(strictest))
  await allow(shop.origin)
  await shop.page.evaluate(mountScript(platform().local.publishableKey))
  const inside = shop.page.frames()[1]
  const tried = await inside?.evaluate(`(async () => {
    const outcome = async (attempt) => {
      try { await attempt(); return 'done' } catch (error) { return error.name }
    }
    const style = document.createElement('style')
    style.textContent = 'body { --injected: 1 }'
    document.head.append(style)
    return {
      html: await outcome(() => { document.body.innerHTML = '<b></b>' }),
      policy: await outcome(() => trustedTypes.createPolicy('mine', { createHTML: (text) => text })),
      code: await outcome(() => setTimeout('1')),
      elsewhere: await outcome(() => fetch('${shop.origin}/')),
      style: getComputedStyle(document.body).getPropertyValue('--injected'),
    }
  })()`)
  expect(tried).toEqual({
    html: 'TypeError',
    policy: 'TypeError',
    code: 'TypeError',
    elsewhere: 'TypeError',
    style: '',
  })
})

test('a page of the key’s origin gets the form without the loader too', async () => {
  const shop = await openPage(await shopWith(strictest))
  await allow(shop.origin)
  expect(await framed(shop.page, shop.origin)).toContain('Card number')
})

test.each([
  ['a page of another origin that claims the shop’s', (own: string) => own],
  ['a page of another origin that says its own', () => null],
])('%s gets no form', async (_, claimed) => {
  const shop = await shopWith(strictest)
  await allow(shop)
  const thief = await openPage(await shopWith("default-src 'none'; frame-src *"))
  const origin = claimed(shop) ?? thief.origin
  expect(await framed(thief.page, origin)).not.toContain('Card number')
})

test('a page of an opaque origin gets no form, whatever it claims', async () => {
  const shop = await shopWith(strictest)
  await allow(shop)
  const sandboxed = await openPage(await shopWith("default-src 'none'; frame-src *; sandbox allow-scripts"))
  expect(await framed(sandboxed.page, shop)).not.toContain('Card number')
  expect(await framed(sandboxed.page, 'null')).not.toContain('Card number')
})

/** One `script-src`, one `frame-src`, and nothing else at all; as strict a sandbox as the form can do in. */
const strictest = (vaultUrl: string) =>
  `default-src 'none'; script-src ${vaultUrl}/v1/tillwright.js; frame-src ${vaultUrl}/v1/card; base-uri 'none'; ` +
  "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'; " +
  'sandbox allow-scripts allow-same-origin allow-forms'

/** Starts a shop with one page that isolates itself, under a policy; it is gone when the test is over. */
async function shopWith(policy: string | ((vaultUrl: string) => string)): Promise<string> {
  const { vaultUrl } = platform()
  const server = createServer((_, response) => {
    const csp = typeof policy === 'string' ? policy : policy(vaultUrl)
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': csp,
      'Cross-Origin-Embedder-Policy': 'require-corp',
      'Cross-Origin-Opener-Policy': 'same-origin',
    })
    response.end(`<!doctype html><title>Shop</title><div id="card"></div>
      <script src="${vaultUrl}/v1/tillwright.js"></script>`)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The shop listens on a port.')
  return `http://127.0.0.1:${address.port}`
}

interface OpenPage {
  origin: string
  page: Page
  /** Everything that the browser found wrong in the page or its frames. */
  complaints: string[]
}

async function openPage(origin: string): Promise<OpenPage> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.addInitScript(
    "document.addEventListener('securitypolicyviolation', (event) => console.error(`refused: ${event.violatedDirective}`))",
  )
  await page.goto(origin)
  return { origin, page, complaints }
}

/** Makes an origin the only one of the publishable key. */
async function allow(origin: string): Promise<void> {
  const { local, services } = platform()
  const sql = "UPDATE api_keys SET allowed_origins = ? WHERE account_id = ? AND kind = 'publishable'"
  await commit([{ sql, params: [JSON.stringify([origin]), local.accountId] }], services)
}

function mountScript(publishableKey: string): string {
  return `(async () => {
    const checkout = await window.Tillwright.init({ publishableKey: '${publishableKey}' })
    window.card = checkout.card()
    const settled = new Promise((resolve) => {
      window.card.on('ready', () => resolve('ready'))
      window.card.on('error', ({ code }) => resolve(code))
    })
    window.card.mount('#card')
    return settled
  })()`
}

/** Puts the card frame into a page without the loader: what the frame then shows. */
async function framed(page: Page, origin: string): Promise<string> {
  const { vaultUrl, local } = platform()
  const query = new URLSearchParams({ key: local.publishableKey, origin, id: 'stolen' })
  await page.evaluate(`new Promise((resolve) => {
    const iframe = document.createElement('iframe')
    iframe.addEventListener('load', resolve)
    iframe.src = ${JSON.stringify(`${vaultUrl}/v1/card?${query}`)}
    document.body.append(iframe)
  })`)
  return (await page.frames().at(-1)?.evaluate('document.documentElement.outerHTML')) as string
}
