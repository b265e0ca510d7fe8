import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { pressEnter } from '../../../.ci/press-enter.ts'
import { isOfBrowser } from '../../../.ci/snippets/browser-pages.ts'
import { type PageSnippet, readSnippets } from '../../../.ci/snippets/read-snippets.ts'
import { contract } from '../../../packages/contract/src/index.ts'
import { manualClock } from '../../../packages/platform/src/runtime/clock.ts'
import { newFunnel } from '../../../packages/platform/test/new-funnel.ts'
import { newInstrument } from '../../../packages/platform/test/pay-with-card.ts'
import { sharedPlatform } from '../../../packages/platform/test/test-platform.ts'
import { CHALLENGE_CARD, newWaitingPayment } from '../../../packages/platform/test/threeds-payment.ts'
import { buildAndDeploy } from '../../../packages/plugin-sdk/test/deployed-plugin.ts'
import { firstVariant } from '../../../packages/plugin-sdk/test/local-page.ts'
import { openShop } from './snippet-shop.ts'

// The browser uses the machine's clock, and a card must be encrypted and sent at the same time.
const platform = sharedPlatform({ clock: manualClock(Date.now()) })
const snippets = readSnippets().filter(isOfBrowser)
const taken = new Set<PageSnippet>()

/** The snippet of a page that begins so, with real values for the names of examples in it. */
function snippet(page: string, start: string, places: Readonly<Record<string, string>> = {}): PageSnippet {
  const found = snippets.find((each) => each.page === page && each.code.startsWith(start))
  if (found === undefined) throw new Error(`${page} has no snippet that begins with ${start}.`)
  taken.add(found)
  const code = Object.entries(places).reduce((text, [name, value]) => text.replaceAll(name, value), found.code)
  return { ...found, code }
}

async function typeCard(page: Page, frame = '#card iframe', number = '4242424242424242'): Promise<void> {
  const form = page.frameLocator(frame)
  await form.getByLabel('Card number').fill(number)
  await form.getByLabel('Expiry date').fill('1234')
  await form.getByLabel('Security code').fill('123')
}

test('the card form is put into a page by a script or from npm, tells what happens, and gives tokens', async () => {
  const shop = await openShop(platform(), '<div id="card"></div><div id="saved"></div><div id="some"></div>')
  const { page, run, value, publishableKey } = shop
  const vault = { 'http://localhost:4401': platform().vaultUrl, 'test_pk_...': publishableKey }
  await run(snippet('checkout/index', 'import { init }', vault))
  await run(snippet('checkout/index', 'card.on'))
  await typeCard(page)
  await run(snippet('checkout/index', 'const { serviceToken }'))
  expect(await value('serviceToken')).toMatch(/^ey/)
  await expect.poll(() => shop.printed).toEqual(expect.arrayContaining(['The form can be used', 'Complete']))

  const { id: paymentInstrumentId } = await newInstrument(platform())
  await page.evaluate((id) => Object.assign(window.names, { paymentInstrumentId: id }), paymentInstrumentId)
  await run(snippet('checkout/index', 'const saved'))
  await page.frameLocator('#saved iframe').getByLabel('Security code').fill('123')
  await run(snippet('checkout/index', 'const chosen'))
  expect(await value('chosen')).toMatchObject({ paymentInstrumentId, securityCodeToken: expect.any(String) })

  await run(snippet('checkout/index', 'const card'))
  await page.evaluate("window.names.card.mount('#some')")
  await page.frameLocator('#some iframe').getByLabel('Card number').fill('378282246310005') // American Express
  await page.frameLocator('#some iframe').locator('[aria-invalid=true]').waitFor()

  await shop.show(snippet('checkout/index', '<script src="http://localhost', vault).code)
  await page.frameLocator('#card iframe').getByLabel('Card number').waitFor()
})

test('a script that is pinned by its hash loads', async () => {
  const { page, show } = await openShop(platform(), '')
  const { url, integrity, tag } = await (await fetch(`${platform().vaultUrl}/v1/tillwright.json`)).json()
  const example = 'https://vault.example.com/v1/tillwright-0123456789abcdef.js'
  const { code } = snippet('checkout/index', '<script src="https://vault', { [example]: url, 'sha384-...': integrity })
  expect(code.trim()).toBe(tag)
  await show(code)
  expect(await page.evaluate('typeof Tillwright.init')).toBe('function')
})

test('the page of the README and that of the guide "from Stripe Checkout" get tokens', async () => {
  const shop = await openShop(platform(), '<div id="card"></div>')
  const { page, run, value, publishableKey } = shop
  const vault = { 'https://vault.example.com': platform().vaultUrl, 'test_pk_...': publishableKey }
  await page.evaluate((vaultUrl) => Object.assign(window.names, { vaultUrl }), platform().vaultUrl)
  await run(snippet('start/from-stripe-checkout', 'const checkout', vault))
  await typeCard(page)
  await run(snippet('start/from-stripe-checkout', 'const { serviceToken }'))
  expect(await value('serviceToken')).toMatch(/^ey/)

  await shop.show(snippet('packages/checkout/README', '<script', vault).code)
  await typeCard(page)
  const tokenized = page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.ok())
  await page.getByRole('button', { name: 'Pay' }).click()
  expect(Object.keys(await (await tokenized).json())).toContain('serviceToken')
})

test('a form has the appearance and the language that a page asks for', async () => {
  const { page, run } = await openShop(platform(), '<div id="card"></div>')
  await run(snippet('checkout/appearance', 'const card'))
  await page.evaluate("window.names.card.mount('#card')")
  await page.frameLocator('#card iframe').getByLabel('Numéro de carte').waitFor()
})

test.each([
  ['3-d-secure/index', 'await checkout.authenticate'],
  ['3-d-secure/index', 'const leaving'],
  ['checkout/environments', '// Where a frame cannot'],
])('the page of %s has the bank ask for a code, and the payment goes on', async (name, start) => {
  const { page, run } = await openShop(platform(), '')
  const { payment, actionToken } = await newWaitingPayment(platform(), { number: CHALLENGE_CARD })
  await page.evaluate((names) => Object.assign(window.names, names), { actionToken, paymentId: payment.id })
  await Promise.all([run(snippet(name, start)), confirmAtBank(page)])
  const params = { paymentId: payment.id }
  expect(await platform().call(contract.payments.continue, { params })).toMatchObject({ status: 'succeeded' })
})

async function confirmAtBank(page: Page): Promise<void> {
  const code = page.frameLocator('dialog iframe').frameLocator('dialog iframe').getByRole('textbox')
  await code.waitFor()
  platform().clock.advance(1_000) // the bank's page was opened before its code comes
  await code.fill('1234')
  await pressEnter(code)
}

test('all methods are one choice, and iDEAL leads to the bank', async () => {
  const shop = await openShop(platform(), '<div id="methods"></div><button id="pay">Pay</button>')
  const places = { 'test_pk_...': shop.publishableKey, 'store_...': platform().local.storeId }
  await shop.run(snippet('checkout/methods', 'const checkout', places))
  await shop.page.getByRole('radio', { name: 'iDEAL' }).check()
  await shop.page.getByRole('button', { name: 'Pay' }).click()
  await shop.page.waitForURL(`${platform().apiUrl}/acs/**`)
  expect(shop.payments).toMatchObject([{ status: 'requires_action', amount: 4_098 }])
})

test('a card among all methods whose bank asks its buyer pays', async () => {
  const shop = await openShop(platform(), '<div id="methods"></div><button id="pay">Pay</button>')
  const places = { 'test_pk_...': shop.publishableKey, 'store_...': platform().local.storeId }
  await shop.run(snippet('checkout/methods', 'const checkout', places))
  await typeCard(shop.page, '#methods iframe', '4000002760003184')
  await shop.page.getByRole('button', { name: 'Pay' }).click()
  await confirmAtBank(shop.page)
  await expect.poll(() => shop.payments).toMatchObject([{ status: 'requires_action' }, { status: 'succeeded' }])
})

test('a plain number out of Google Pay whose bank asks its buyer pays', async () => {
  const shop = await openShop(platform(), '<div id="wallets"></div>')
  await shop.run(snippet('checkout/wallets', 'const checkout', { 'test_pk_...': shop.publishableKey }))
  await shop.page.getByRole('button', { name: 'Google Pay' }).click()
  await shop.page.getByRole('radio', { name: '3184' }).check()
  await shop.page.locator('dialog #pay').click()
  await confirmAtBank(shop.page)
  await expect.poll(() => shop.payments).toMatchObject([{ status: 'requires_action' }, { status: 'succeeded' }])
})

test('a wallet pays what its sheet shows', async () => {
  const shop = await openShop(platform(), '<div id="wallets"></div>')
  await shop.run(snippet('checkout/wallets', 'const checkout', { 'test_pk_...': shop.publishableKey }))
  expect(await shop.value('wallets.shown')).toEqual(['apple_pay', 'google_pay'])
  await shop.page.getByRole('button', { name: 'Apple Pay' }).click()
  await shop.page.locator('dialog #pay').click()
  await expect.poll(() => shop.payments).toMatchObject([{ status: 'succeeded', amount: 1_999 }])
})

test('a bank tells its height, and a plugin without the SDK reads and follows its data', async () => {
  const data = '{"config":{"headline":"Mugs"}}'
  const script = `<script type="application/json" id="tillwright-data">${data}</script>`
  const { page, run, value } = await openShop(platform(), script)
  await run(snippet('plugins/index', 'const data'))
  expect(await value('data.config.headline')).toBe('Mugs')
  await page.evaluate(() => {
    window.names['apply'] = (config: unknown) => void (window.names['applied'] = config)
    window.addEventListener('message', (event) => void (window.names['told'] = event.data))
  })
  await run(snippet('plugins/dev', 'document.addEventListener'))
  await page.evaluate(() => {
    const detail = { config: { headline: 'Cups' } }
    document.dispatchEvent(new CustomEvent('tillwright:data', { detail }))
  })
  expect(await value('applied')).toEqual({ headline: 'Cups' })
  await run(snippet('3-d-secure/production', 'parent.postMessage'))
  await expect.poll(() => value('told')).toEqual({ height: expect.any(Number) })
})

test.each([
  ['plugins/sdk', 'shown.tsx'],
  ['packages/plugin-sdk/README', 'shown.ts'],
])('the page of %s sells in a plugin, and leads to the next one', async (name, file) => {
  const variantId = await firstVariant(platform())
  const shown = snippet(name, 'import { openPage }', { 'variant_...': variantId })
  const { url, pluginId } = await buildAndDeploy(platform(), {
    pages: ['checkout', 'thanks'].map((id) => ({ id, path: `/${id}` })),
    files: {
      'package.json': JSON.stringify({ dependencies: { preact: '*' } }),
      [`src/${file}`]: shown.code,
      'src/pages/checkout.ts': `${before(name, variantId)}await import('../${file}')\n`,
      'src/pages/thanks.ts': "document.querySelector('#app')!.textContent = 'Thank you'\n",
    },
  })
  await newFunnel(platform(), {
    steps: [
      { type: 'checkout', name: 'Checkout', path: '/checkout', pluginId, pageId: 'checkout' },
      { type: 'thank_you', name: 'Thank you', path: '/thanks', pluginId, pageId: 'thanks' },
    ],
  })
  const context = await (await sharedChromium()).newContext({ locale: 'en-US' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(`${url}/checkout`)
  if (name === 'plugins/sdk') {
    await page.getByRole('heading', { name: 'Mugs' }).waitFor()
    await page.getByRole('button', { name: 'One more' }).click()
    await page.getByLabel('E-mail').fill('ada@example.com')
  }
  await typeCard(page, 'iframe')
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.waitForURL(`${url}/thanks`)
})

/** The settings that the platform would put into the page, and what its author would have around the README's snippet. */
function before(name: string, variantId: string): string {
  const config = { headline: { en: 'Mugs' }, variantId }
  const around = name === 'plugins/sdk' ? '' : '<div id="card"></div><button id="pay">Pay</button>'
  return `const data = document.querySelector('#tillwright-data')!
data.textContent = JSON.stringify({ ...JSON.parse(data.textContent!), config: ${JSON.stringify(config)} })
document.querySelector('#app')!.innerHTML = '${around}'
`
}

test('each snippet for a browser is run by a test of this file', () => {
  expect(snippets.filter((each) => !taken.has(each)).map(({ place }) => place)).toEqual([])
})
