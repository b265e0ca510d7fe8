import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../../../.ci/chromium.ts'
import { devStage, stagePlatform, type StagePlatform } from './testing/dev-stage.ts'
import { shopFiles } from './testing/shop-plugin.ts'

let platform: StagePlatform
beforeAll(async () => {
  platform = await stagePlatform()
})
afterAll(() => platform.remove())

/** A page that pays with the SDK, as an author writes it. */
const payPage = `import { openPage } from '@tillwright/plugin-sdk'
const page = openPage()
const app = document.getElementById('app')!
app.innerHTML = '<h1></h1><p></p><div id="card"></div><button>Pay</button>'
const show = () => {
  app.querySelector('h1')!.textContent = String(page.config.get().headline)
  app.querySelector('p')!.textContent = String(page.order.get()?.amount)
}
page.session.subscribe(show)
page.config.subscribe(show)
void page.session.ready().then(async () => {
  await page.customer.setContact({ email: 'ada@example.com' })
  await page.pay.mount('#card')
})
app.querySelector('button')!.addEventListener('click', async () => {
  const { outcome } = await page.pay.withCard()
  if (outcome === 'paid') await page.next()
})
`

test('a page with the SDK follows settings and sessions live, pays with the card form, and goes on to the next page', async () => {
  const dev = await devStage(platform, { ...shopFiles, 'src/pages/pay.tsx': payPage })
  const browser = await launchChromium()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  await page.goto(dev.url)
  await page.getByText('2400').waitFor()
  await dev.write('config/plain.json', { headline: 'Autumn' })
  await page.getByText('Autumn').waitFor()
  await dev.restart({ name: 'In euros', currency: 'EUR' })
  await page.getByText('2200').waitFor()
  const card = page.frameLocator('#card iframe')
  await card.locator('[autocomplete=cc-number]').fill('4242424242424242')
  await card.locator('[autocomplete=cc-exp]').fill('1239')
  await card.locator('[autocomplete=cc-csc]').fill('123')
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.getByText('Thank you').waitFor()
  expect(new URL(page.url()).pathname).toMatch(/^\/thanks\/order_/)
})
