import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type Page, type ViewportSize } from 'playwright-core'
import { launchChromium } from '../../../.ci/chromium.ts'
import { buildCheckout } from '../build.ts'
import { watchMessages } from './shop-page.ts'
import { startShop } from './shop-server.ts'
import { startVault, type TestVault } from './vault-server.ts'

/** A real browser, a shop and a vault on two origins of this machine, and the built files between them. */
export interface Stage {
  browser: Browser
  vault: TestVault
  shopUrl: string
  /** Opens the shop in a fresh profile; it is not told about any card form yet. */
  openShop(viewport?: ViewportSize): Promise<Page>
  close(): Promise<void>
}

/** Builds the checkout and sets the stage. */
export async function setStage(): Promise<Stage> {
  const dist = await mkdtemp(join(tmpdir(), 'tillwright-checkout-'))
  await buildCheckout(dist)
  const vault = await startVault(dist)
  const shop = await startShop(vault.url)
  vault.allowedOrigins = [shop.url]
  const browser = await launchChromium()
  return {
    browser,
    vault,
    shopUrl: shop.url,
    openShop: async (viewport = { width: 480, height: 640 }) => {
      const context = await browser.newContext({ viewport })
      const page = await context.newPage()
      await page.addInitScript(watchMessages)
      await page.goto(shop.url)
      return page
    },
    close: async () => {
      await browser.close()
      await Promise.all([vault.close(), shop.close(), rm(dist, { recursive: true })])
    },
  }
}
