import { contract } from '@tillwright/contract'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { sharedChromium } from '../../../.ci/chromium.ts'
import type { TestPlatform } from '../../../packages/platform/test/test-platform.ts'

type Role = 'owner' | 'developer' | 'operations' | 'support' | 'read_only'

/** A member's browser, signed in to the console, and what the browser has complained of. */
export interface MemberPage {
  page: Page
  context: BrowserContext
  /** Errors of scripts and refusals of the policy. */
  complaints: string[]
}

/** Passkeys belong to a name; an address of numbers has none. */
export const consoleHost = { TILLWRIGHT_HOST: 'localhost' }

/**
 * Invites a member and accepts the invitation in a browser of its own, with a passkey that the browser keeps. It is closed
 * when the test ends.
 */
export async function signedIn(
  platform: TestPlatform,
  role: Role = 'owner',
  { storeIds, ...options }: BrowserContextOptions & { storeIds?: string[] } = {},
): Promise<MemberPage> {
  const browser = await sharedChromium()
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  const { page, complaints } = await withAuthenticator(context)
  const email = `${role}-${Math.trunc(performance.now())}@example.com`
  const { link } = await platform.call(contract.members.invite, {
    body: { email, role, ...(storeIds !== undefined && { storeIds }) },
  })
  await page.goto(link)
  // In whatever language the browser asks for.
  await page.locator('form button[type=submit]').click()
  await page.locator('a.button.main').click()
  await page.getByRole('navigation').waitFor({ state: 'attached' })
  return { page, context, complaints }
}

/** A page whose browser has a passkey of its own. */
export async function withAuthenticator(context: BrowserContext): Promise<{ page: Page; complaints: string[] }> {
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    // An answer of 401 is how a page learns that no member is signed in.
    if (message.type() === 'error' && !message.text().includes('401')) complaints.push(message.text())
  })
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { page, complaints }
}
