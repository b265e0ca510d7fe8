import type { Page } from '@tillwright/plugin-sdk'
import { wantedProduct } from './rules/wanted-product.ts'

/** Puts a product into an order that is empty, and the one that the address names into any that is open. */
export async function beginOrder(page: Page): Promise<void> {
  const { order, step } = await page.session.ready()
  if (order.status !== 'open') return
  const { linked, own } = wantedProduct(location.search, step?.settings, page.config.get().variantId)
  const isLinked = linked !== '' && order.lines.every(({ variantId }) => variantId !== linked)
  const fill = async () => {
    if (own !== '' && order.lines.length === 0) await page.order.setLines([{ variantId: own }])
  }
  // A link may name a product that the store no longer has.
  await (isLinked ? page.order.setLines([{ variantId: linked }]).then(() => {}, fill) : fill())
}

/** Begins another order, where the former one goes on in another page. */
export async function startOver(page: Page): Promise<void> {
  await page.session.startOver()
  await beginOrder(page)
}
