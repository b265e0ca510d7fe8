import type { Page } from '@tillwright/plugin-sdk'

/**
 * Leads from a paid order to its receipt: along the funnel where there is one, to the merchant's own page where the store
 * has one, else to the plugin's.
 *
 * @returns Whether another page is being loaded. Where the browser keeps nothing, that page would not know the order.
 */
export async function showReceipt(page: Page): Promise<boolean> {
  if (await goOn(page)) return true
  if (keepsSession()) location.assign(addressOf(page, 'thank-you'))
  return keepsSession()
}

/** Whether the next page of the tab has the same session, with its order. */
export function keepsSession(): boolean {
  try {
    return !!sessionStorage
  } catch {
    return false // the buyer's browser refuses storage
  }
}

/** The address of one of the plugin's pages on this host. The query goes along: it may name a template. */
export function addressOf({ data }: Pick<Page, 'data'>, path: 'checkout' | 'thank-you'): string {
  const parameters = new URLSearchParams(location.search)
  parameters.delete('cart')
  const query = parameters.size > 0 ? `?${parameters}` : ''
  return `${data.basePath.replace(/\/$/, '')}/${path}${query}`
}

/** @returns Whether another page is being loaded: that of the next step, or the merchant's. */
async function goOn(page: Page): Promise<boolean> {
  const before = page.session.get().view
  if (before?.step == null && before?.thankYouUrl == null) return false
  try {
    const { step, thankYouUrl } = await page.next()
    return thankYouUrl != null || step?.id !== before.step?.id
  } catch {
    return false // the order is paid all the same, and its receipt is here
  }
}
