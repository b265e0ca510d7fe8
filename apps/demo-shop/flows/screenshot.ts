import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../../../.ci/chromium.ts'
import { enterShop } from './buyer.ts'
import { startShop } from './running-shop.ts'

/**
 * Takes the README's pictures: the shop from a real purchase, a typed card on a desktop and the receipt on a phone; and
 * the reference page.
 */
async function takeScreenshots(): Promise<void> {
  const [browser, shop] = await Promise.all([launchChromium(), startShop()])
  try {
    const { shopUrl, apiUrl } = shop.local
    const [desktop, phone] = await Promise.all([typedCard(browser, shopUrl), receipt(browser, shopUrl)])
    await compose(browser, desktop, phone)
    await takeReferencePicture(browser, apiUrl)
  } finally {
    await Promise.all([browser.close(), shop.stop()])
  }
}

async function typedCard(browser: Browser, shopUrl: string): Promise<Buffer> {
  const { page, typeCard } = await enterShop(browser, shopUrl, { viewport: { width: 1180, height: 1310 } })
  await typeCard('4242424242424242')
  await page.locator('h1').click() // no caret in the picture
  return page.screenshot()
}

async function receipt(browser: Browser, shopUrl: string): Promise<Buffer> {
  const viewport = { width: 390, height: 780 }
  const { page, typeCard, pay } = await enterShop(browser, shopUrl, { viewport, colorScheme: 'dark' })
  await typeCard('4242424242424242')
  await pay()
  await page.getByRole('status').getByText('Paid', { exact: true }).waitFor()
  return page.screenshot()
}

/** Lays both side by side and writes the picture. */
async function compose(browser: Browser, ...pictures: Buffer[]): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1700, height: 1390 } })
  const images = pictures.map((picture) => `<img src="data:image/png;base64,${picture.toString('base64')}">`)
  await page.setContent(`<style>
    body { margin: 0; height: 100vh; display: flex; align-items: center; justify-content: center; gap: 40px; background: #d5dad3 }
    img { border-radius: 18px; box-shadow: 0 12px 40px #0003 }
  </style>${images.join('')}`)
  await page.screenshot({ path: fileURLToPath(new URL('../screenshot.png', import.meta.url)) })
}

await takeScreenshots()

/** Takes the README's picture of the reference page: one operation, with its fields and an example. */
async function takeReferencePicture(browser: Browser, apiUrl: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
  await page.goto(`${apiUrl}/docs/products#POST/api/public/v1/products/create`)
  await page.getByText('The product’s name.').first().waitFor()
  await page.screenshot({ path: fileURLToPath(new URL('../../../apps/docs/pictures/reference.png', import.meta.url)) })
  await page.close()
}
