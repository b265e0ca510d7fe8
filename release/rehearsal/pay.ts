import type { Browser, Page } from 'playwright-core'
import { pressEnter } from '../../.ci/press-enter.ts'

/** Cards, and what the page says of each in the end. `code`: the bank asks for one. */
const cards = [
  { number: '4242424242424242', said: /: succeeded$/ },
  { number: '4000002760003184', said: /: succeeded$/, code: '1234' },
  { number: '4000000000000002', said: /^The card was not charged\.$/ },
] satisfies readonly Card[]

/** A bound for what never comes, in milliseconds: a busy machine draws a page late. */
const PATIENCE_MS = 300_000

/**
 * Pays in a page of the documentation as a buyer does, once with each card.
 *
 * @throws {Error} With what the page says, or what its scripts complained of.
 */
export async function payInQuickstart(browser: Browser, url: string): Promise<void> {
  for (const card of cards) {
    const page = await browser.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    const console: string[] = []
    page.on('console', (message) => console.push(message.text()))
    try {
      await page.goto(url)
      await pay(page, card)
      if (complaints.length > 0) throw new Error(complaints.join('\n'))
    } catch (error) {
      const status = await page.getByRole('status').allInnerTexts().catch(String)
      const said = `With ${card.number} the page says "${String(status)}". ${String(error)}\n${console.join('\n')}`
      throw new Error(said, { cause: error })
    } finally {
      await page.close()
    }
  }
}

interface Card {
  number: string
  said: RegExp
  code?: string
}

async function pay(page: Page, { number, said, code }: Card): Promise<void> {
  const form = page.frameLocator('form iframe').first()
  await form.getByLabel('Card number').fill(number)
  await form.getByLabel('Expiry date').fill('1234')
  await form.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: 'Pay $40.98' }).dblclick() // pays once
  if (code !== undefined) {
    const bank = page.frameLocator('dialog iframe').frameLocator('dialog iframe')
    await bank.getByRole('textbox').fill(code)
    await pressEnter(bank.getByRole('textbox'))
  }
  await page.getByRole('status').filter({ hasText: said }).waitFor()
}
