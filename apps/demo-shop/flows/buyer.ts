import type { Browser, BrowserContextOptions, FrameLocator, Locator, Page } from 'playwright-core'

/** A buyer in the shop, with a browser of their own. */
export interface Buyer {
  page: Page
  /** The card form in its frame. */
  card: FrameLocator
  /** The bank's page, which the vault's frame shows when the bank asks for it. */
  bank: FrameLocator
  payButton: Locator
  /** Types e-mail address and card key by key, as a person does. */
  typeCard(number: string): Promise<void>
  /** Fills in e-mail address and card, each field at once, for tests that are about something else. */
  fillCard(number: string): Promise<void>
  /** Scrolls to the button and presses it. */
  pay(): Promise<void>
}

/**
 * Opens the shop's page in a window of its own and waits for the card form.
 *
 * @param options `init` runs in each of the window's frames before their own scripts.
 */
export async function enterShop(
  browser: Browser,
  shopUrl: string,
  { init, ...options }: BrowserContextOptions & { init?: () => void } = {},
): Promise<Buyer> {
  const context = await browser.newContext(options)
  if (init !== undefined) await context.addInitScript(init)
  const page = await context.newPage()
  await page.goto(shopUrl)
  const card = page.frameLocator('#means iframe')
  const payButton = page.getByRole('button', { name: /^Pay/ })
  await card.getByLabel('Card number').waitFor()
  return {
    page,
    card,
    bank: page.frameLocator('dialog iframe').frameLocator('dialog iframe'),
    payButton,
    async typeCard(number) {
      await page.getByLabel('E-mail').fill('')
      await page.getByLabel('E-mail').pressSequentially(EMAIL)
      for (const [label, keys] of fieldsOf(number)) {
        await card.getByLabel(label).fill('')
        await card.getByLabel(label).pressSequentially(keys)
      }
    },
    async fillCard(number) {
      await page.getByLabel('E-mail').fill(EMAIL)
      for (const [label, keys] of fieldsOf(number)) await card.getByLabel(label).fill(keys)
    },
    async pay() {
      await settle(payButton)
      await payButton.click()
    },
  }
}

const EMAIL = 'ada@example.com'

/** The labels of the card form's fields, and what is typed into each. */
function fieldsOf(number: string): readonly (readonly [label: string, keys: string])[] {
  return [
    ['Card number', number],
    ['Expiry date', '1234'],
    ['Security code', '123'],
  ]
}

/** Chromium hands a click to the frame that was last painted in its place, which just after a scroll is another one. */
export async function settle(target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  await target.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))))
}
