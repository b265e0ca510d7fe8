import type { Browser, BrowserContext, BrowserContextOptions, FrameLocator, Page } from 'playwright-core'
import { inject } from 'vitest'
import { closeContexts, sharedChromium } from '../../../.ci/chromium.ts'
import type { AuthenticateOptions, Authentication, ThreedsStep } from '../src/index.ts'
import { startShop } from './shop-server.ts'
import { PATIENCE_MS } from './threeds-sessions.ts'
import { startThreedsVault, type ThreedsVault } from './threeds-vault.ts'
import { bundleWithout, type Defence } from './without-defences.ts'

declare global {
  interface Window {
    /** Result of the page's authentication; an error as its code and message. */
    authentication: Promise<Authentication | { code: string; message: string }>
    /** Its steps so far. */
    steps: ThreedsStep[]
  }
}

/** A real browser that other stages share, a shop under a strict policy, a vault and a bank on three origins. */
export interface ThreedsStage {
  browser: Browser
  vault: ThreedsVault
  shopUrl: string
  openShop(options?: BrowserContextOptions): Promise<Page>
  /** Opens the shop with a checkout that has lost some defences. */
  openWithout(...defences: Defence[]): Promise<Page>
  /** Closes what a test has opened, and makes the vault as it was. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** Sets the stage for the browser test that calls it, with the run's build of the checkout. */
export async function setThreedsStage(): Promise<ThreedsStage> {
  const vault = await startThreedsVault(inject('checkoutBuild'))
  const shop = await startShop(vault.url)
  vault.allowedOrigins = [shop.url]
  const browser = await sharedChromium()
  return {
    browser,
    vault,
    shopUrl: shop.url,
    openShop: async (options = { viewport: { width: 1_280, height: 800 } }) => {
      vault.weakened = null
      return openIn(await browser.newContext(options), shop.url)
    },
    openWithout: async (...defences) => {
      const entries = ['script-tag.ts', 'threeds-frame/main.ts'].map((entry) => bundleWithout(entry, defences))
      const [loader = '', frame = ''] = await Promise.all(entries)
      vault.weakened = { loader, frame }
      return openIn(await browser.newContext(), shop.url)
    },
    reset: async () => {
      await closeContexts(browser)
      vault.allowedOrigins = [shop.url]
      vault.sessions.patienceMs = PATIENCE_MS
      vault.calls.length = 0
      vault.faults.length = 0
    },
    close: async () => {
      await closeContexts(browser)
      await Promise.all([vault.close(), shop.close()])
    },
  }
}

async function openIn(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  return page
}

/** Starts an authentication in a shop's page as a shop does, and leaves it running. */
export async function authenticate(page: Page, actionToken: string, options: AuthenticateOptions = {}): Promise<void> {
  await page.evaluate(
    async ([token, given]) => {
      const checkout = await window.Tillwright.init({ publishableKey: 'test_pk_shop' })
      window.steps = []
      window.authentication = checkout
        .authenticate(token, { ...given, onStep: (step) => void window.steps.push(step) })
        .catch(({ code, message }) => ({ code, message }))
    },
    [actionToken, options] as const,
  )
}

/** Types a code into the bank's page, and confirms it. */
export async function typeCode(page: Page, code: string): Promise<void> {
  const { bank } = framesOf(page)
  await bank.getByLabel('Code').pressSequentially(code)
  await bank.getByRole('button', { name: 'Confirm' }).click()
}

/** Result of the authentication that runs in a page. */
export function outcomeOf(page: Page): Promise<unknown> {
  return page.evaluate(() => window.authentication)
}

/** The frame of 3-D Secure, and the bank's page in it. */
export function framesOf(page: Page): { frame: FrameLocator; bank: FrameLocator } {
  const frame = page.frameLocator('dialog iframe')
  return { frame, bank: frame.frameLocator('dialog iframe') }
}
