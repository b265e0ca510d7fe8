import type { Page } from '@tillwright/plugin-sdk'

/** Leads from a paid order to its receipt: along the funnel where there is one, else to the plugin's own page. */
export async function showReceipt(page: Page): Promise<void> {
  if (!(await goOn(page))) location.assign(addressOf(page, 'thank-you'))
}

/** The address of one of the plugin's pages on this host. The query goes along: it may name a template. */
export function addressOf({ data }: Pick<Page, 'data'>, path: 'checkout' | 'thank-you'): string {
  const parameters = new URLSearchParams(location.search)
  parameters.delete('cart')
  const query = parameters.size > 0 ? `?${parameters}` : ''
  return `${data.basePath.replace(/\/$/, '')}/${path}${query}`
}

/** @returns Whether the session went on to another step, whose page is being loaded then. */
async function goOn(page: Page): Promise<boolean> {
  const before = page.session.get().view?.step
  if (before == null) return false
  try {
    return (await page.next()).step?.id !== before.id
  } catch {
    return false // the order is paid all the same, and its receipt is here
  }
}
