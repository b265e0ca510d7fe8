import { contract } from '@tillwright/contract'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { violationsOf, WCAG } from '../../../../../.ci/accessibility.ts'
import { sharedChromium } from '../../../../../.ci/chromium.ts'
import { soaks } from '../../../../../.ci/soaks.ts'
import { pastDue } from '../../../test/subscribe.ts'
import { sharedPlatform } from '../../../test/test-platform.ts'
import { manualClock } from '../../runtime/clock.ts'

// The browser's clock is the machine's, and a card must not be encrypted at another time than it is sent.
const platform = sharedPlatform({ clock: manualClock(Date.now()) })
let browser: Browser
beforeAll(async () => {
  browser = await sharedChromium()
})

/** Approved by its processor; its issuer asks for a code in an authentication. */
const CHALLENGE_CARD = '4000000000002503'

/** The page of an unpaid subscription, as a buyer opens it. */
async function openLink({ locale = 'en-GB', number = CHALLENGE_CARD } = {}) {
  const { id: subscriptionId } = await pastDue(platform(), { number })
  const params = { subscriptionId }
  const { url } = await platform().call(contract.subscriptions.createRecoveryLink, { params })
  const context = await browser.newContext({ locale })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto(url)
  const status = async () => (await platform().call(contract.subscriptions.get, { params })).status
  return { page, status, complaints }
}

async function typeCard(page: Page, number: string): Promise<void> {
  const form = page.frameLocator('#card iframe')
  await form.locator('input').nth(0).pressSequentially(number)
  await form.locator('input').nth(1).pressSequentially('1235')
  await form.locator('input').nth(2).pressSequentially('123')
}

test('a buyer confirms with their bank in the page, and the subscription goes on', async () => {
  const { page, status, complaints } = await openLink()
  await page.getByRole('button', { name: /Confirm with your bank and pay with Visa •••• 2503/ }).click()
  const bank = page.frameLocator('iframe[src*="threeds"]').frameLocator('iframe[name="creq"]')
  await bank.getByLabel('Code we sent you').fill('1234')
  await bank.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Thank you. It is paid').waitFor()
  expect(await status()).toBe('active')
  expect(complaints).toEqual([])
})

test('a buyer pays with another card, whose number stays in the frame', async () => {
  const { page, status } = await openLink()
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().startsWith(platform().apiUrl)) sent.push(`${request.url()} ${request.postData() ?? ''}`)
  })
  await typeCard(page, '4242424242424242')
  await page.getByRole('button', { name: 'Pay $15.00' }).click()
  await page.getByText('Thank you. It is paid').waitFor()
  expect(await status()).toBe('active')
  expect(sent.join('\n')).not.toContain('4242424242424242')
  expect(sent.join('\n')).toContain('"expectedAmount":1500')
})

test('a card that is declined leaves the page as it was, with a word on it', async () => {
  const { page, status } = await openLink()
  await typeCard(page, '4000000000009995')
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.getByText('The payment was declined. Try another card.').waitFor()
  expect(await status()).toBe('past_due')
  await page.getByRole('button', { name: /^Pay/ }).waitFor()
})

test.for([
  ['ar-EG', 'ادفع ببطاقة أخرى'],
  ['en-GB', 'Pay with another card'],
  ['de-DE', 'Mit einer anderen Karte zahlen'],
  ['fr-FR', 'Payer avec une autre carte'],
  ['es-ES', 'Pagar con otra tarjeta'],
] as const)(
  'in %s the page is in the buyer’s language, and, in Arabic and in a soak, whoever cannot see it can use it',
  async ([locale, heading]) => {
    const { page, complaints } = await openLink({ locale })
    await page.getByRole('heading', { name: heading }).waitFor()
    await page.frameLocator('#card iframe').locator('input').first().waitFor()
    // Each language has the same elements.
    if (soaks || locale === 'ar-EG') expect(await violationsOf(page, { tags: WCAG })).toEqual([])
    expect(complaints).toEqual([])
  },
)

test('a link that was tampered with shows that it is not valid, and no form', async () => {
  const { page } = await openLink()
  await page.goto(`${page.url().slice(0, -3)}AAA`)
  await page.reload()
  await page.getByText('This link is not valid any more').waitFor()
  expect(await page.locator('#actions').isVisible()).toBe(false)
})
