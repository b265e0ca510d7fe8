import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../../../../.ci/chromium.ts'
import { startShop } from '../running-shop.ts'

const FOLDER = join(import.meta.dirname, '../../../docs/pictures')

/** Takes the pictures of the methods in a shop's page, on a desktop and on a phone, and of the test bank's page. */
const shop = await startShop({ command: [join(import.meta.dirname, 'shop.ts')] })
const browser = await launchChromium()
try {
  const desktop = await opened(browser, 720)
  await desktop.getByRole('radio', { name: 'Card' }).check()
  await desktop.locator('iframe').waitFor()
  await desktop.frameLocator('iframe').locator('#number').waitFor()
  await save(desktop, 'methods-card.png')
  const phone = await opened(browser, 390)
  await phone.getByRole('radio', { name: 'SEPA' }).check()
  await phone.getByLabel('IBAN').fill('AT61 1904 3002 3457 3202')
  await phone.getByLabel('Account holder').fill('Ada Byrne')
  await phone.getByRole('heading').click()
  await save(phone, 'methods-debit.png')
  await phone.getByRole('radio', { name: 'iDEAL' }).check()
  await phone.getByRole('button', { name: 'Pay', exact: true }).click()
  await phone.locator('button[name=choice][value=pay]').waitFor()
  await save(phone, 'methods-bank.png')
} finally {
  await Promise.all([browser.close(), shop.stop()])
}
process.exit()

async function opened(of: Browser, width: number): Promise<Page> {
  const page = await of.newPage({ viewport: { width, height: 640 }, locale: 'en-US' })
  await page.goto(shop.local.shopUrl)
  await page.getByRole('radio').first().waitFor()
  return page
}

async function save(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(FOLDER, name), fullPage: true })
}
