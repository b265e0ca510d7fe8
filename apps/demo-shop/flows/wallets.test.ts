import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { violationsOf } from '../../../.ci/accessibility.ts'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { firstOf } from '../../../.ci/soaks.ts'
import { pressEnter } from '../../../.ci/press-enter.ts'
import { bundlePage } from '../../../packages/checkout/test/bundle-page.ts'
import { startShop, type RunningShop } from './running-shop.ts'

let browser: Browser
let shop: RunningShop
beforeAll(async () => {
  browser = await sharedChromium()
  shop = await startShop()
})
afterAll(() => shop.stop())

/** Opens the shop with an e-mail address typed, and fails the test for what the page complains of. */
async function enter(options: { locale?: string; viewport?: { width: number; height: number } } = {}) {
  const context = await browser.newContext({ locale: 'en-US', ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => void complaints.push(message))
  page.on('console', (message) => {
    const isStatus = message.text().startsWith('Failed to load resource') // the page explains a declined card
    if (message.type() === 'error' && !isStatus) complaints.push(message.text())
  })
  onTestFinished(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  await page.goto(shop.local.shopUrl)
  await page.locator('#email').fill('ada@example.com')
  const open = async (wallet: string) => {
    await page.getByRole('button', { name: wallet }).click()
    await page.locator('dialog #pay').waitFor()
  }
  const paid = () => page.getByRole('status').getByText('Paid', { exact: true }).waitFor()
  return { page, open, pay: () => page.locator('dialog #pay').click(), paid }
}

test.each(['Apple Pay', 'Google Pay'])('%s pays, by a token that the vault has decrypted', async (wallet) => {
  const { page, open, pay, paid } = await enter({ viewport: { width: 390, height: 780 } })
  const answers: string[] = []
  page.on('response', (response) => void (response.url().endsWith('/wallet-tokens') && answers.push(response.url())))
  await open(wallet)
  await pay()
  await paid()
  expect(answers).toHaveLength(1)
  expect(await page.locator('#receipt').textContent()).toMatch(/24\.00.*Visa •••• 4242/s)
})

test('the sheet asks for what the basket comes to by then', async () => {
  const { page, open } = await enter()
  await page.getByRole('button', { name: 'Apple Pay' }).waitFor()
  await page.locator('#more').click()
  await open('Apple Pay')
  expect(await page.locator('dialog .sum').textContent()).toContain('€48.00')
})

test('a buyer who closes the sheet has bought nothing, and a declined card leaves the form as it was', async () => {
  const { page, open, pay, paid } = await enter()
  await open('Google Pay')
  await page.keyboard.press('Escape')
  expect(await page.locator('dialog').count()).toBe(0)
  await open('Google Pay')
  await page.getByRole('radio', { name: '0002' }).check()
  await pay()
  await page.getByRole('alert').getByText('Your bank declined this card').waitFor()
  expect(await page.locator('#email').inputValue()).toBe('ada@example.com')
  await open('Apple Pay')
  await pay()
  await paid()
})

test.each(['element', 'React component'])(
  'the %s shows the wallets of the device, pays, and takes its buttons along',
  async (face) => {
    const { page, open, pay } = await enter()
    const { publishableKey, vaultUrl } = shop.local
    await page.evaluate(() => {
      document.body.innerHTML = '<main id="card"></main>'
      window.events = []
    })
    await page.evaluate(await bundlePage(import.meta.resolve('../../../packages/checkout/test/faces-page.ts')))
    const attributes = {
      'publishable-key': publishableKey,
      'vault-url': vaultUrl,
      amount: '4098',
      currency: 'EUR',
      country: 'NL',
    }
    if (face === 'element') await page.evaluate((given) => window.addElement('tillwright-wallets', given), attributes)
    else await page.evaluate((options) => window.showFaces(options), { publishableKey, vaultUrl })
    await open('Apple Pay')
    expect(await page.locator('dialog .sum').textContent()).toContain('40.98')
    await pay()
    const paid = () => page.evaluate(() => window.events.find(([name]) => name === 'paid')?.[1])
    await expect.poll(paid).toMatchObject({ serviceToken: expect.any(String) })
    await page.evaluate(() => (window.leaveFaces ?? (() => document.querySelector('tillwright-wallets')?.remove()))())
    expect(await page.getByRole('button').count()).toBe(0)
  },
)

test('a plain number out of Google Pay asks the bank, as a typed one does', async () => {
  const { page, open, pay, paid } = await enter()
  await open('Google Pay')
  await page.getByRole('radio', { name: '3184' }).check()
  await pay()
  const code = page.frameLocator('dialog iframe').frameLocator('dialog iframe').getByRole('textbox')
  await code.fill('1234')
  await pressEnter(code)
  await paid()
})

const languages = [
  ['ar', 'إلغاء'],
  ['en-US', 'Cancel'],
  ['de-DE', 'Abbrechen'],
  ['es-ES', 'Cancelar'],
  ['fr-FR', 'Annuler'],
] as const

test.each(firstOf(languages))(
  'in %s buttons and sheet have no fault of accessibility, on a phone and a desktop',
  async (locale, cancel) => {
    for (const viewport of [
      { width: 320, height: 640 },
      { width: 1180, height: 930 },
    ]) {
      const { page, open } = await enter({ locale, viewport })
      await page.getByRole('button', { name: 'Google Pay' }).waitFor()
      expect(await violationsOf(page, { exclude: ['iframe'] })).toEqual([])
      await open('Apple Pay')
      expect(await violationsOf(page, { exclude: ['iframe'] })).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width)
      await page.getByRole('button', { name: cancel }).click()
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Apple Pay')
    }
  },
)
