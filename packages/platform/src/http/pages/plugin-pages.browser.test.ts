import { contract } from '@tillwright/contract'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { sharedChromium } from '../../../../../.ci/chromium.ts'
import { deployPlugin } from '../../../test/plugins/deploy-plugin.ts'
import { sharedPlatform } from '../../../test/test-platform.ts'
import { manualClock } from '../../runtime/clock.ts'

// The browser's clock is the machine's, and a card must not be encrypted at another time than it is sent.
const platform = sharedPlatform({ clock: manualClock(Date.now()) })
let browser: Browser
beforeAll(async () => {
  browser = await sharedChromium()
})

const APP = `
  const data = JSON.parse(document.getElementById('tillwright-data').textContent)
  const begun = await fetch(data.apiUrl + '${contract.session.begin.path}', {
    method: 'POST',
    headers: { Authorization: 'Bearer ' + data.publishableKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ storeId: data.storeId }),
  })
  document.querySelector('output').textContent = begun.status + ' ' + data.page.params.offerId + ' ' + data.config.colour
  const checkout = await window.Tillwright.init({ publishableKey: data.publishableKey })
  window.card = checkout.card()
  window.card.on('ready', () => document.body.setAttribute('data-card', 'ready'))
  window.card.mount('#card')
`

async function deployed() {
  const { vaultUrl, call } = platform()
  const deployment = await deployPlugin(platform(), {
    manifest: { pages: [{ id: 'offer', path: '/offers/:offerId' }] },
    inlineAssets: [
      {
        path: 'pages/offer.html',
        content: `<!doctype html><html lang="en"><head><title>Offer</title><link rel="icon" href="data:,">
          <link rel="stylesheet" href="assets/app-AAAAAAAA.css"><style>output { display: block }</style>
          <script src="${vaultUrl}/v1/tillwright.js"></script>
          <script type="module" src="assets/app-AAAAAAAA.js"></script></head>
          <body><output></output><div id="card"></div><script>document.body.dataset.inline = 'ran'</script></body></html>`,
      },
      { path: 'assets/app-AAAAAAAA.js', content: APP },
      { path: 'assets/app-AAAAAAAA.css', content: 'body { margin-top: 7px }' },
    ],
  })
  const presets = { default: { colour: 'red' } }
  await call(contract.plugins.syncConfig, { body: { deploymentId: deployment.id, presets } })
  return deployment
}

/** A page with everything that the browser found wrong in it. */
async function open(url: string): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(url)
  return { page, complaints }
}

test('a page on its own host works with its data, begins a session and takes a card, and nothing is reported', async () => {
  const { url } = await deployed()
  const { page, complaints } = await open(`${url}/offers/42`)
  await page.locator('body[data-card=ready][data-inline=ran]').waitFor()
  expect(await page.locator('output').textContent()).toBe('201 42 red')
  expect(await page.evaluate('getComputedStyle(document.body).marginTop')).toBe('7px')
  const frame = page.frameLocator('iframe')
  await frame.getByLabel('Card number').pressSequentially('4242424242424242')
  await frame.getByLabel('Expiry date').pressSequentially('1235')
  await frame.getByLabel('Security code').pressSequentially('123')
  const token = await page.evaluate('window.card.tokenize()')
  expect(token).toMatchObject({ serviceToken: expect.any(String), card: { last4: '4242' } })
  expect(complaints).toEqual([])
  expect(await page.context().cookies()).toEqual([])
})

test('what was not deployed with the document does not run in it', async () => {
  const { url } = await deployed()
  const { page } = await open(`${url}/offers/42`)
  await page.evaluate(`{
    const script = document.createElement('script')
    script.textContent = 'window.smuggled = true'
    document.body.append(script)
    document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.smuggled = true">')
  }`)
  expect(await page.evaluate('new Promise((done) => setTimeout(() => done(window.smuggled ?? false), 50))')).toBe(false)
})

test.each([390, 1_280])('a page that says why there is none fits a window %i wide', async (width) => {
  const { url } = await deployed()
  const context = await browser.newContext({ viewport: { width, height: 844 } })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(`${url}/nothing/here`)
  expect(await page.locator('h1').textContent()).toBe('There is no page here')
  const box = await page.locator('main').boundingBox()
  const middle = (box?.x ?? 0) + (box?.width ?? 0) / 2
  expect(Math.abs(middle - width / 2)).toBeLessThan(2)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
})
