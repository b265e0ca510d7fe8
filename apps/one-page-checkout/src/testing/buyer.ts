import type { BrowserContext, FrameLocator, Locator, Page } from 'playwright-core'

/** A buyer in the checkout. */
export interface Buyer {
  page: Page
  /** The card form in its frame. */
  card: FrameLocator
  /** The bank's page, which the vault's frame shows when the bank asks for something. */
  bank: FrameLocator
  payButton: Locator
  /** Requests that the browser refused so far, and errors that scripts did not catch. */
  complaints: readonly string[]
  /** Types an e-mail address and an address in the United States. */
  typeContact(): Promise<void>
  typeCard(number: string): Promise<void>
  /** Presses the button. */
  pay(): Promise<void>
}

/** Opens the checkout and waits for its card form. */
export async function enterCheckout(context: BrowserContext, url: string): Promise<Buyer> {
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => void complaints.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy|Uncaught/i.test(message.text())) complaints.push(message.text())
  })
  await page.goto(url)
  const card = page.frameLocator('.card iframe')
  await card.locator('input').first().waitFor()
  const payButton = page.locator('.pay button.primary')
  return {
    page,
    card,
    bank: page.frameLocator('dialog iframe').frameLocator('dialog iframe'),
    payButton,
    complaints,
    async typeContact() {
      const typed = {
        email: 'ada@example.com',
        'shipping.firstName': 'Ada',
        'shipping.lastName': 'Byrne',
        'shipping.line1': '12 Weaver Street',
        'shipping.city': 'Oakland',
        'shipping.postalCode': '94607',
      }
      for (const [name, text] of Object.entries(typed)) await page.locator(`[name="${name}"]`).fill(text)
      await page.locator('[name="shipping.state"]').selectOption('CA')
    },
    async typeCard(number) {
      const inputs = card.locator('input:visible')
      for (const [index, keys] of [number, '1234', '123'].entries()) {
        await inputs.nth(index).fill(keys)
      }
    },
    async pay() {
      await payButton.scrollIntoViewIfNeeded()
      await payButton.click()
    },
  }
}
