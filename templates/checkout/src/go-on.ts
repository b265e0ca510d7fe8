import type { Page } from '@tillwright/plugin-sdk'

/** Shows what follows a paid order: the funnel's next step, the store's own page, or the thank-you page of this plugin. */
export async function goOn(page: Page): Promise<void> {
  const { step, nextStep, thankYouUrl: ownPage } = await page.session.ready()
  if (step || ownPage) await page.next()
  if (!nextStep && !ownPage) location.assign(thankYouUrl(page))
}

/** The address of the thank-you page, which stands where the merchant has put the plugin. */
export function thankYouUrl({ data }: Page): string {
  return `${data.basePath.replace(/\/$/, '')}/thank-you`
}

/** Begins another order where the former began: at the funnel's entry, or at the checkout where there is no funnel. */
export async function shopAgain(page: Page): Promise<void> {
  const { step } = await page.session.startOver()
  if (step) await page.goTo(step.id)
  else location.assign(page.data.basePath)
}
