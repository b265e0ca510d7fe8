import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../../../../.ci/chromium.ts'
import { enterShop } from '../buyer.ts'
import { startShop } from '../running-shop.ts'

const FOLDER = join(import.meta.dirname, '../../../docs/pictures')
const wallets = [
  ['Apple Pay', 'wallets-apple-pay.png'],
  ['Google Pay', 'wallets-google-pay.png'],
] as const

/** Takes the pictures of the methods and wallets in the shop's page, of wallets' sheets, of the test bank's page and a receipt. */
const shop = await startShop()
const browser = await launchChromium()
try {
  const desktop = await opened(browser, 1_180)
  await save(desktop, 'methods-card.png')
  const phone = await opened(browser, 390)
  await phone.getByRole('radio', { name: 'SEPA' }).check()
  await phone.getByLabel('IBAN').fill('AT61 1904 3002 3457 3202')
  await phone.getByLabel('Account holder').fill('Ada Byrne')
  await phone.getByLabel('E-mail').fill('ada@example.com')
  await phone.getByRole('heading', { level: 1 }).click()
  await save(phone, 'methods-debit.png')
  await phone.getByRole('radio', { name: 'Voucher' }).check()
  await pay(phone)
  await phone.locator('.code').waitFor()
  await phone.locator('#receipt').screenshot({ path: join(FOLDER, 'methods-voucher.png') })
  await phone.setViewportSize({ width: 390, height: 300 })
  await phone.goto(shop.local.shopUrl)
  await phone.getByLabel('E-mail').fill('ada@example.com')
  await phone.getByRole('radio', { name: 'iDEAL' }).check()
  await pay(phone)
  await phone.locator('button[name=choice][value=pay]').waitFor()
  await phone.screenshot({ path: join(FOLDER, 'methods-bank.png') })
  for (const [wallet, name] of wallets) await saveSheet(wallet, name)
} finally {
  await Promise.all([browser.close(), shop.stop()])
}
process.exit()

/** The page at once, so that no frame is out of sight: what is out of sight is not painted. */
async function opened(of: Browser, width: number): Promise<Page> {
  const { page } = await enterShop(of, shop.local.shopUrl, { viewport: { width, height: 2_000 }, locale: 'en-US' })
  return page
}

/** The simulated sheet of a wallet over the shop's page, on a phone. */
async function saveSheet(wallet: string, name: string): Promise<void> {
  const { page } = await enterShop(browser, shop.local.shopUrl, {
    viewport: { width: 390, height: 780 },
    locale: 'en-US',
  })
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByRole('button', { name: wallet }).click()
  await page.locator('dialog #pay').waitFor()
  await page.screenshot({ path: join(FOLDER, name) })
}

async function pay(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Pay / }).click()
}

/** The page from the heading of the payment down to its button. */
async function save(page: Page, name: string): Promise<void> {
  const [heading, button] = await Promise.all([page.locator('h2').boundingBox(), page.locator('#pay').boundingBox()])
  if (heading === null || button === null) throw new Error('The page sells nothing.')
  const [x, y] = [button.x - 16, heading.y - 4]
  const clip = { x, y, width: button.width + 32, height: button.y + button.height + 16 - y }
  await page.screenshot({ path: join(FOLDER, name), clip })
}
