import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { pressEnter } from '../../../.ci/press-enter.ts'
import { devStage, stagePlatform, type StagePlatform } from './dev-stage.ts'
import { shopFiles } from './shop-plugin.ts'

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

/** Types a card into the form of a page. */
async function typeCard(page: Page): Promise<void> {
  const card = page.frameLocator('#card iframe')
  await card.locator('[autocomplete=cc-number]').fill('4242424242424242')
  await card.locator('[autocomplete=cc-exp]').fill('1239')
  await card.locator('[autocomplete=cc-csc]').fill('123')
}

test('a page follows settings and sessions live and pays as its scenario has it; the tools show what went by', async () => {
  const dev = await devStage(platform, { ...shopFiles, 'src/pages/pay.tsx': payPage })
  const browser = await sharedChromium()
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.goto(dev.url)
  await page.getByText('2400').waitFor()
  await dev.write('config/plain.json', { headline: 'Autumn' })
  await page.getByText('Autumn').waitFor()
  await dev.restart({ name: 'In euros', currency: 'EUR', card: 'success', threeds: 'challenge' })
  await page.getByText('2200').waitFor()
  await page.getByRole('button', { name: 'Tillwright' }).click()
  await page.getByRole('tab', { name: 'Events' }).click()
  await page.getByText('s_funnel_session_started').waitFor()
  await typeCard(page)
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  const bank = page.frameLocator('dialog iframe').frameLocator('dialog iframe')
  await bank.getByRole('textbox').waitFor()
  await page.getByText('s_threeds_session_challenge_required').waitFor() // without anything done in the page
  await bank.getByRole('textbox').fill('1234')
  await pressEnter(bank.getByRole('textbox'))
  await page.getByText('Thank you').waitFor()
  expect(new URL(page.url()).pathname).toMatch(/^\/thanks\/order_/)

  const tools = page.locator('tillwright-toolbar')
  await tools.getByText('s_order_paid').click()
  expect(await tools.locator('details[open] pre').textContent()).toMatch(/"paymentId": "pay_.*"/)
  await page.keyboard.press('Tab') // from the summary to the JSON
  await page.getByRole('tab', { name: 'Events' }).press('ArrowRight')
  await tools.getByText('authenticated').waitFor()
  expect(await tools.locator('.type').allTextContents()).toEqual(
    expect.arrayContaining(['AReq', 'ARes', 'CReq', 'CRes', 'RReq', 'RRes']),
  )
  await tools.getByText('AReq', { exact: true }).click()
  expect(await tools.locator('details[open] pre').textContent()).toMatch(/"purchaseAmount": "2200"[^]*"email": "•••"/)
  await page.getByRole('tab', { name: '3DS' }).press('Home')
  await tools.locator('#resource-Order').getByText('paid', { exact: true }).waitFor()
  await tools.locator('[id^=resource-pay_]').getByText('succeeded', { exact: true }).waitFor()
  expect(await tools.textContent()).not.toMatch(/fstok_|ada@example|_sk_/)
})

/** A page that pays with a method that leads away, as an author writes it. */
const leavingPage = `import { openPage } from '@tillwright/plugin-sdk'
const page = openPage()
const button = document.createElement('button')
button.textContent = 'iDEAL'
document.getElementById('app')!.append(button)
button.addEventListener('click', () => page.pay.withMethod({ type: 'ideal' }))
const resumed = await page.pay.resume()
if (resumed?.outcome === 'paid') await page.next()
`

test('a buyer of a scenario in euros is led to the bank and back to the page of the dev server', async () => {
  const scenario = { name: 'In euros', currency: 'EUR' }
  const dev = await devStage(platform, { ...shopFiles, 'src/pages/pay.tsx': leavingPage })
  await dev.restart(scenario)
  const browser = await sharedChromium()
  const page = await browser.newPage({ locale: 'en-US' })
  onTestFinished(() => page.close())
  await page.goto(dev.url)
  await page.getByRole('button', { name: 'iDEAL' }).click()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.getByText('Thank you').waitFor()
  expect(page.url()).toContain(`${dev.url}/thanks/order_`)
})
