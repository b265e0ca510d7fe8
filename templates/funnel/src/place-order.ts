import type { OtherMethod, Page, PayOutcome, TillwrightError } from '@tillwright/plugin-sdk'

/** Says who buys, and pays: with the card form, unless there is another method. It never rejects. */
export async function placeOrder(page: Page, email: string, method: OtherMethod | null): Promise<PayOutcome> {
  try {
    await page.order.confirm() // the lines that it has come with stand above the button
    await page.customer.setContact({ email })
  } catch (error) {
    return { outcome: 'failed', error: error as TillwrightError } // the only error that the SDK rejects with
  }
  return method ? page.pay.withMethod(method) : page.pay.withCard()
}
