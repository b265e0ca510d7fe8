import type { OtherMethod, Page, PayOutcome, TillwrightError } from '@tillwright/plugin-sdk'
import type { Contact } from './rules/contact-problems.ts'

/** Says who buys, and pays: with the card form, unless there is another method. It never rejects. */
export async function placeOrder(page: Page, contact: Contact, method: OtherMethod | null): Promise<PayOutcome> {
  try {
    await page.order.confirm() // the lines that it has come with stand above the button
    await page.customer.setContact(contact)
  } catch (error) {
    return { outcome: 'failed', error: error as TillwrightError } // the only error that the SDK rejects with
  }
  return method ? page.pay.withMethod(method) : page.pay.withCard()
}
