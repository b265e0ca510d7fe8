import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bankSimulator } from '../../../packages/bank-simulator/src/index.ts'
import { createPlatformLog, readConfig, startLocal } from '@tillwright/platform'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../../../.ci/chromium.ts'
import { openEuroShop, openFunnelShop, pluginFolder, presetNames, type FunnelShop } from './funnel-shop.ts'

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1_280, height: 800 }

/**
 * Takes the README's pictures from real purchases: each preset on a desktop and step by step on a phone, Arabic, and what can be paid
 * with, wallets included.
 */
async function takeScreenshots(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'offer-funnel-'))
  const config = readConfig({ TILLWRIGHT_HOME: home, TILLWRIGHT_PORT: '0', TILLWRIGHT_VAULT_PORT: '0' })
  const log = createPlatformLog(config, join(home, 'platform.log'))
  const [platform, browser] = await Promise.all([
    startLocal(config, 'http://localhost:9', { log, simulator: bankSimulator }),
    launchChromium(),
  ])
  try {
    const shop = await openFunnelShop(platform.local)
    for (const preset of presetNames) {
      await shop.show(preset)
      await compose(browser, `${preset}-desktop`, await onDesktop(browser, shop))
      await compose(browser, `${preset}-phone`, await onPhone(browser, shop, 'en-US'))
    }
    await shop.show('daylight')
    await compose(browser, 'arabic-phone', await onPhone(browser, shop, 'ar'))
    const { url } = await openEuroShop(platform.local)
    const methods = await Promise.all([
      ofMethods(browser, { url, method: 'Card', viewport: DESKTOP }),
      ofMethods(browser, { url, method: 'SEPA', viewport: PHONE }),
    ])
    await compose(browser, 'methods', [...methods, await ofWallet(browser, url)])
  } finally {
    await browser.close()
    await platform.stop()
    await rm(home, { recursive: true, force: true })
  }
}

async function onDesktop(browser: Browser, shop: FunnelShop): Promise<Buffer[]> {
  const page = await open(browser, shop, { viewport: DESKTOP, locale: 'en-US' })
  const landing = await page.screenshot()
  await page.locator('.hero .button').click()
  await page.locator('.bundle-price strong').first().waitFor()
  await page.locator('.offer .button').click()
  await page.locator('.card-ready').waitFor()
  const checkout = await page.screenshot()
  await page.context().close()
  return [landing, checkout]
}

async function onPhone(browser: Browser, shop: FunnelShop, locale: string): Promise<Buffer[]> {
  const page = await open(browser, shop, { viewport: PHONE, locale })
  const pictures = [await page.screenshot()]
  await page.locator('.hero .button').click()
  await page.locator('.bundle-price strong').first().waitFor()
  pictures.push(await page.screenshot())
  await page.locator('.offer .button').click()
  await page.locator('.card-ready').waitFor()
  await type(page)
  pictures.push(await page.screenshot())
  await page.locator('.checkout .button').click()
  await page.locator('.one-click').waitFor()
  pictures.push(await page.screenshot())
  await page.locator('.add-on .button').click()
  await page.locator('.thanks').waitFor()
  pictures.push(await page.screenshot())
  await page.context().close()
  return pictures
}

interface Choosing {
  url: string
  method: string
  viewport: typeof PHONE
}

/** The choice of a buyer in the euro zone. */
async function ofMethods(browser: Browser, { url, method, viewport }: Choosing): Promise<Buffer> {
  const page = await browser.newPage({ viewport, locale: 'en-US', reducedMotion: 'reduce' })
  await page.goto(`${url}/checkout`)
  await page.locator('.card-ready').waitFor()
  await page.getByRole('radio', { name: method }).check()
  await page.getByRole('button', { name: 'Google Pay' }).waitFor()
  await page.locator('.methods').evaluate((part) => scrollTo(0, part.getBoundingClientRect().top + scrollY - 24))
  const picture = await page.screenshot()
  await page.close()
  return picture
}

/** The simulated sheet of a wallet over the checkout, on a phone. */
async function ofWallet(browser: Browser, url: string): Promise<Buffer> {
  const page = await browser.newPage({ viewport: PHONE, locale: 'en-US', reducedMotion: 'reduce' })
  await page.goto(`${url}/checkout`)
  await page.locator('.card-ready').waitFor()
  await type(page)
  await page.getByRole('button', { name: 'Apple Pay' }).click()
  await page.locator('dialog #pay').waitFor()
  const picture = await page.screenshot()
  await page.close()
  return picture
}

async function open(browser: Browser, shop: FunnelShop, options: object): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  await page.goto(`${shop.url}/#tillwright-code=${await shop.preview()}`)
  await page.locator('h1').waitFor()
  await page.locator('.hero img').evaluate('(image) => image.decode()')
  return page
}

async function type(page: Page): Promise<void> {
  const buyer = {
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Byrne',
    line1: '12 Weaver Street',
    postalCode: 'D08',
    city: 'Dublin',
  }
  await page.locator('[name=country]').selectOption('IE')
  for (const [name, value] of Object.entries(buyer)) await page.locator(`[name=${name}]`).fill(value)
  const fields = page.frameLocator('.card iframe').locator('input:visible')
  for (const [index, text] of ['4242424242424242', '1235', '123'].entries())
    await fields.nth(index).pressSequentially(text)
}

/** Lays pictures side by side, at half their size, and writes them as one. */
async function compose(browser: Browser, name: string, pictures: readonly Buffer[]): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 2_400, height: 600 } })
  const images = pictures.map((picture) => `<img src="data:image/png;base64,${picture.toString('base64')}">`)
  await page.setContent(`<style>
    body { margin: 0; display: inline-flex; gap: 14px; padding: 14px; background: #c9cdc8 }
    img { zoom: 0.5; border-radius: 16px }
  </style>${images.join('')}`)
  await page.locator('body').screenshot({ path: join(pluginFolder, 'screenshots', `${name}.png`) })
  await page.close()
}

await takeScreenshots()
