import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startShop } from '../running-shop.ts'
import { allEngines } from './index.ts'
import type { BrowserPage, Engine } from './page.ts'

const FOLDER = join(import.meta.dirname, '../../../docs/pictures')
const CHALLENGED = '4000002760003184'

/** Takes the pictures of the card form and of the bank's question in each engine that is here. */
const shop = await startShop()
try {
  for (const engine of allEngines) {
    if (engine.missing === null) await takePictures(engine)
    else console.log(`No pictures of ${engine.name}: ${engine.missing}`)
  }
} finally {
  await shop.stop()
}
process.exit() // the Chromium that tests share stays open

async function takePictures(engine: Engine): Promise<void> {
  const browser = await engine.launch()
  try {
    const page = await browser.open()
    await page.resize(420, 720)
    await page.goto(shop.local.shopUrl)
    await until(() => page.evaluate(() => document.querySelector('#pay')?.hasAttribute('disabled') === false))
    const card = page.frame('#means iframe')
    await page.click('#email')
    await page.type('ada@example.com')
    await card.click('#number')
    await page.type(`${CHALLENGED}1234`)
    await page.evaluate(() => document.querySelector('#email')?.scrollIntoView({ block: 'start' }))
    await save(page, `browser-card-${engine.name.toLowerCase()}.png`)
    await page.type('123')
    await page.click('#pay')
    await until(() => page.evaluate(() => document.querySelector('dialog[open]') !== null))
    const bank = page.frame('dialog iframe').frame('dialog iframe')
    await until(() => bank.evaluate(() => document.querySelector('#code') !== null).catch(() => false))
    await save(page, `browser-bank-${engine.name.toLowerCase()}.png`)
  } finally {
    await browser.close()
  }
}

/** Gives the page the time to paint, which no driver tells. */
async function save(page: BrowserPage, name: string): Promise<void> {
  await delay(600)
  await writeFile(join(FOLDER, name), await page.screenshot())
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(50)
}
