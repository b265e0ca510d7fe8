import { onTestFinished } from 'vitest'
import { enterShop, type Buyer } from './buyer.ts'

/** Sends a buyer into the shop, who leaves it when the test ends. */
export async function visitShop(...[browser, shopUrl, options]: Parameters<typeof enterShop>): Promise<Buyer> {
  const buyer = await enterShop(browser, shopUrl, options)
  onTestFinished(() => buyer.page.context().close())
  return buyer
}
