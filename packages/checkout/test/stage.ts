import type { Browser, Page, ViewportSize } from 'playwright-core'
import { inject } from 'vitest'
import { closeContexts, sharedChromium } from '../../../.ci/chromium.ts'
import { loaderListeners } from './loader-listeners.ts'
import { watchMessages } from './shop-page.ts'
import { startShop } from './shop-server.ts'
import { startVault, type TestVault } from './vault-server.ts'
import { type PageWatch, watchPages } from './watch-pages.ts'

/** The numbers that are typed in most tests; the watch looks for them everywhere. */
export const typedNumbers = ['4242424242424242', '5555555555554444', '378282246310005'] as const

/** A shop and a vault on two origins of this machine, the built files between them, and a real browser that is shared. */
export interface Stage {
  browser: Browser
  vault: TestVault
  shopUrl: string
  /** Opens the shop in a fresh, watched profile; it is not told about any card form yet. */
  openShop(viewport?: ViewportSize): Promise<Page>
  /** Takes the complaints that a test cannot but cause, so that it can judge them. */
  takeComplaints(): string[]
  /**
   * Closes every page that was opened, after destroying its card form. To be called after each test.
   *
   * @throws Error that lists what the pages complained of, where they let a typed number out, and what still listens.
   */
  clear(): Promise<void>
  close(): Promise<void>
}

/** Sets the stage for the browser test that calls it, with the run's build of the checkout. */
export async function setStage(): Promise<Stage> {
  const vault = await startVault(inject('checkoutBuild'))
  const shop = await startShop(vault.url)
  vault.allowedOrigins = [shop.url]
  const browser = await sharedChromium()
  const opened: Opened[] = []
  return {
    browser,
    vault,
    shopUrl: shop.url,
    openShop: async (viewport = { width: 480, height: 640 }) => {
      const context = await browser.newContext({ viewport })
      const watch = await watchPages(context)
      const page = await context.newPage()
      await page.addInitScript(watchMessages)
      await page.goto(shop.url)
      opened.push({ page, watch })
      return page
    },
    takeComplaints: () => opened.flatMap(({ watch }) => watch.takeComplaints()),
    clear: async () => {
      const findings = await Promise.all(opened.splice(0).map(findingsOf))
      await closeContexts(browser)
      if (findings.flat().length > 0) throw new Error(`The watched pages:\n${findings.flat().join('\n')}`)
    },
    close: async () => {
      await closeContexts(browser)
      await Promise.all([vault.close(), shop.close()])
    },
  }
}

interface Opened {
  page: Page
  watch: PageWatch
}

/** Violations of a page: complaints of the browser, card data outside of the frame, listeners after `destroy()`. */
async function findingsOf({ page, watch }: Opened): Promise<string[]> {
  const leaks = await watch.leaks(typedNumbers)
  // Without a card form, `window.card` is the element of that id.
  await page.evaluate(() => window.card instanceof Element || window.card?.destroy())
  const left = (await loaderListeners(page)).map((listener) => `a listener after destroy(): ${listener}`)
  return [...watch.takeComplaints(), ...leaks, ...left]
}
