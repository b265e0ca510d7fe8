import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'

/** Takes the README's picture of the reference page: one operation, with its fields and an example. */
export async function takeReferencePicture(browser: Browser, apiUrl: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
  await page.goto(`${apiUrl}/docs#tag/products/POST/api/public/v1/products/create`)
  await page.getByText('The product’s name.').first().waitFor()
  // The page scrolls to the operation while it is still being drawn above it.
  await page.waitForFunction("Math.abs(document.querySelector('section:focus')?.getBoundingClientRect().top) < 100")
  await page.screenshot({ path: fileURLToPath(new URL('../../../docs/reference.png', import.meta.url)) })
  await page.close()
}
