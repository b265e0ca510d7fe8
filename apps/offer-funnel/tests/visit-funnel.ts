import type { Browser, BrowserContextOptions, FrameLocator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { pressEnter } from '../../../.ci/press-enter.ts'
import { violationsOf } from '../../../.ci/accessibility.ts'
import { settle } from '../../demo-shop/flows/buyer.ts'

/** A buyer in the funnel, on a phone unless it is said otherwise. */
export interface Visitor {
  page: Page
  /** Goes on from the landing page to the offer, when its prices are there. */
  toOffer(): Promise<void>
  /** Goes on from the offer to the checkout, when its card form is there. */
  toCheckout(): Promise<void>
  /** Types name and address. */
  typeBuyer(): Promise<void>
  typeCard(number: string): Promise<void>
  pay(): Promise<void>
  /** The upsell page, once its price is shown. */
  seesOffer(headline: string): Promise<void>
  /** Clicks what buys it. */
  add(): Promise<void>
  decline(): Promise<void>
  /** Types the code that the bank asks for. */
  authenticate(code?: string): Promise<void>
  /** The receipt, when it is there. */
  receipt(): Promise<string>
  /** The name of the page in the address. */
  at(): string
  /** Expects that axe finds nothing in the page. */
  expectAccessible(): Promise<void>
}

/** Opens the funnel in a context of its own. The test fails for what the page complains of. */
export async function visitFunnel(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => void complaints.push(error.message))
  // The browser writes the status of failed requests to the console; the page explains them.
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  onTestFinished(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  await page.goto(url)
  await page.locator('h1').waitFor()
  return { page, ...steps(page), ...payments(page) }
}

function steps(
  page: Page,
): Pick<Visitor, 'toOffer' | 'toCheckout' | 'at' | 'decline' | 'receipt' | 'expectAccessible'> {
  return {
    at: () => new URL(page.url()).pathname,
    async toOffer() {
      await page.locator('.hero .button').click()
      await page.locator('.bundle-price strong').first().waitFor()
    },
    async toCheckout() {
      await page.locator('.offer .button').click()
      await page.locator('.card-ready').waitFor()
    },
    decline: () => page.locator('.decline').click(),
    async receipt() {
      await page.locator('.thanks').waitFor()
      return page.locator('.receipt').innerText()
    },
    async expectAccessible() {
      expect(await violationsOf(page, { exclude: ['iframe'] })).toEqual([])
    },
  }
}

function payments(page: Page): Pick<Visitor, 'typeBuyer' | 'typeCard' | 'pay' | 'seesOffer' | 'add' | 'authenticate'> {
  const card = page.frameLocator('.card iframe')
  return {
    async typeBuyer() {
      const typed = {
        email: 'ada@example.com',
        firstName: 'Ada',
        lastName: 'Byrne',
        line1: '12 Weaver Street',
        postalCode: 'D08',
        city: 'Dublin',
      }
      await page.locator('[name=country]').selectOption('IE')
      for (const [name, value] of Object.entries(typed)) await page.locator(`[name=${name}]`).fill(value)
    },
    async typeCard(number) {
      for (const [name, text] of Object.entries({ number, expiry: '1235', cvc: '123' }))
        await typeInto(card, name, text)
    },
    async pay() {
      const button = page.locator('.checkout .button')
      await settle(button)
      await button.click()
    },
    async seesOffer(headline) {
      await page.getByRole('heading', { level: 1, name: headline }).waitFor()
      await page.locator('.one-click').waitFor()
    },
    add: () => page.locator('.add-on .button').click(),
    async authenticate(code = '1234') {
      const bank = page.frameLocator('dialog iframe').frameLocator('dialog iframe')
      const field = bank.getByRole('textbox')
      await field.fill(code)
      await pressEnter(field)
    },
  }
}

const labels: Readonly<Record<string, string>> = { number: 'Card number', expiry: 'Expiry date', cvc: 'Security code' }

async function typeInto(card: FrameLocator, name: string, text: string): Promise<void> {
  const field = card.getByLabel(labels[name] ?? name)
  await field.fill('')
  await field.pressSequentially(text)
}
