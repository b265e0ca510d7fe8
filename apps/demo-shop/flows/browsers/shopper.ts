import { expect } from 'vitest'
import type { BrowserDocument, BrowserPage, RunningBrowser } from './page.ts'

/** A buyer in the shop, who has a pointer and a keyboard and nothing that only one browser's driver could do. */
export interface Shopper {
  page: BrowserPage
  /** The card form in its frame. */
  card: BrowserDocument
  /** The bank's page, in its frame in the vault's. */
  bank: BrowserDocument
  /** Clicks into the fields and types e-mail address and card. */
  fillIn(number: string): Promise<void>
  /** Waits until the keyboard is in the card form. What field has it, what is typed tells. */
  arriveInCard(): Promise<void>
  /** Waits for the bank's page. */
  arriveAtBank(): Promise<void>
  /** Waits until an element shows a text. */
  see(selector: string, text: string, inside?: BrowserDocument): Promise<void>
}

/** Opens the shop's page, and waits until it can sell. */
export async function enterShop(browser: RunningBrowser, shopUrl: string): Promise<Shopper> {
  const page = await browser.open()
  await page.resize(1_280, 900)
  await page.goto(shopUrl)
  await expect.poll(() => page.evaluate(isOpen)).toBe(true)
  return shopperOf(page)
}

function shopperOf(page: BrowserPage): Shopper {
  const card = page.frame('#means iframe')
  const bank = page.frame('dialog iframe').frame('dialog iframe')
  const see = (selector: string, text: string, inside: BrowserDocument = page) =>
    expect.poll(() => inside.evaluate(textOf, selector)).toContain(text)
  return {
    page,
    card,
    bank,
    see,
    async arriveAtBank() {
      await expect.poll(() => page.evaluate(isCovered)).toBe(true) // before anyone looks into frames and moves the keyboard
      await see('h1', 'Confirm', bank)
    },
    async fillIn(number) {
      await page.click('#email')
      await page.type('ada@example.com')
      await card.click('#number')
      // The focus moves on automatically from a field that is complete.
      await page.type(`${number}1234123`)
      await expect.poll(() => card.evaluate(valueOf, '#cvc')).toBe('123')
    },
    arriveInCard: () => expect.poll(() => page.evaluate(focusedTag)).toBe('IFRAME'),
  }
}

/** The value of a field. */
export function valueOf(selector: string): string | undefined {
  return document.querySelector<HTMLInputElement>(selector)?.value
}

/** The text that an element shows. */
export function textOf(selector: string): string {
  return document.querySelector<HTMLElement>(selector)?.innerText ?? ''
}

const isCovered = () => document.querySelector('dialog[open]') !== null
const isOpen = () => document.querySelector('#pay')?.hasAttribute('disabled') === false
const focusedTag = () => document.activeElement?.tagName
