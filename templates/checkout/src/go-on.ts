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
