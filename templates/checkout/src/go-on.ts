import type { Page } from '@tillwright/plugin-sdk'

/** Shows what follows a paid order: the funnel's next step, or the thank-you page where no step follows. */
export async function goOn(page: Page): Promise<void> {
  const { step, nextStep } = await page.session.ready()
  if (step) await page.next()
  if (!nextStep) location.assign(thankYouUrl(page))
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
