import type { Page } from '@tillwright/plugin-sdk'

/** Puts the product of the settings into an order that is empty. */
export async function beginOrder(page: Page): Promise<void> {
  const { order } = await page.session.ready()
  const { variantId } = page.config.get()
  if (variantId !== '' && order.status === 'open' && order.lines.length === 0)
    await page.order.setLines([{ variantId }])
}

/** Begins another order, where the former one goes on in another page. */
export async function startOver(page: Page): Promise<void> {
  await page.session.startOver()
  await beginOrder(page)
}
