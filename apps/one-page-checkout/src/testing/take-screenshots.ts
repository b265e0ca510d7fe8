import { join } from 'node:path'
import { sharedChromium } from '../../../../.ci/chromium.ts'
import type { Buyer } from './buyer.ts'
import { setStage, type Preset, type Stage, type Wanted } from './stage.ts'

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1_280, height: 900 }
const presets: readonly Preset[] = ['plain', 'atelier', 'night']

/**
 * Takes the README's pictures from real purchases: each preset on a desktop, on a phone and when it is paid; Arabic; and what can be
 * paid with, wallets included.
 */
async function takeScreenshots(): Promise<void> {
  const stage = await setStage()
  try {
    for (const preset of presets) {
      await keep(await onDesktop(stage, preset, 'en-US'), `${preset}-desktop`)
      await onPhone(stage, preset)
    }
    await keep(await onDesktop(stage, 'night', 'ar'), 'night-arabic')
    await takeMethods(await stage.inFunnel())
  } finally {
    await stage.stop()
    await (await sharedChromium()).close()
  }
}

function onDesktop(stage: Stage, preset: Preset, locale: string): Promise<Buyer> {
  return enter(stage, { preset, viewport: DESKTOP, locale })
}

async function onPhone(stage: Stage, preset: Preset): Promise<void> {
  const buyer = await enter(stage, { preset, viewport: PHONE })
  await buyer.page.screenshot({ path: pathOf(`${preset}-phone`) })
  await buyer.typeContact()
  await buyer.typeCard('4242424242424242')
  await buyer.pay()
  await buyer.page.locator('.receipt').waitFor()
  await keep(buyer, `${preset}-thanks`)
}

/** The choice of a buyer in the euro zone: on a desktop a card, on a phone a debit, and a wallet's sheet. */
async function takeMethods(shop: Stage): Promise<void> {
  const preset = 'plain'
  const atDesk = await enter(shop, { preset, viewport: DESKTOP })
  await keepPayment(atDesk, 'Card', 'methods-desktop')
  const outside = await enter(shop, { preset, viewport: PHONE })
  await keepPayment(outside, 'SEPA', 'methods-phone')
  const withWallet = await enter(shop, { preset, viewport: PHONE })
  await withWallet.typeContact()
  await withWallet.page.getByRole('button', { name: 'Apple Pay' }).click()
  await withWallet.page.locator('dialog #pay').waitFor()
  await withWallet.page.screenshot({ path: pathOf('wallet-phone') })
  await withWallet.page.context().close()
}

async function keepPayment({ page }: Buyer, method: string, name: string): Promise<void> {
  await page.getByRole('radio', { name: method }).check()
  await page.getByRole('button', { name: 'Google Pay' }).waitFor()
  await page.locator('#payment-heading').evaluate((heading) => {
    scrollTo(0, heading.getBoundingClientRect().top + scrollY - 24)
  })
  await page.screenshot({ path: pathOf(name) })
  await page.context().close()
}

/** Two of the first bag and one of the second. */
async function enter({ enter: open, variants }: Stage, wanted: Wanted): Promise<Buyer> {
  const search = `?cart=${variants.natural}:2,${variants.night}:1`
  const buyer = await open({ ...wanted, search, reducedMotion: 'reduce' })
  await buyer.page.locator('.line').nth(1).waitFor({ state: 'attached' })
  await buyer.page.locator('.pay button.primary:enabled').waitFor()
  return buyer
}

async function keep({ page }: Buyer, name: string): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.screenshot({ path: pathOf(name) })
  await page.context().close()
}

function pathOf(name: string): string {
  return join(import.meta.dirname, '../../screenshots', `${name}.png`)
}

await takeScreenshots()
