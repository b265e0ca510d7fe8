import { contract } from '@tillwright/contract'
import type { Browser, BrowserContext } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { sharedChromium } from '../../../../.ci/chromium.ts'
import { sharedPlatform } from '../../test/test-platform.ts'

// Passkeys belong to a name; an address of numbers has none.
const platform = sharedPlatform({ env: { TILLWRIGHT_HOST: 'localhost' } })
let browser: Browser
beforeAll(async () => {
  browser = await sharedChromium()
})

test('in a real browser a person accepts an invitation, signs out and signs in, by passkey and by recovery code', async () => {
  const { apiUrl, call } = platform()
  const email = 'ada@example.com'
  const { link } = await call(contract.members.invite, { body: { email, role: 'operations' } })
  const context = await browser.newContext()
  try {
    const { page, complaints } = await withAuthenticator(context)
    await page.goto(link)
    expect(page.url()).toBe(`${apiUrl}/console/accept`)
    await page.getByLabel('Name of the passkey').fill('Laptop')
    await page.getByRole('button', { name: 'Make a passkey' }).click()
    await page.locator('#codes li').first().waitFor()
    const codes = await page.locator('#codes li').allTextContents()
    expect(codes).toHaveLength(10)
    await page.getByRole('link', { name: 'Continue' }).click()
    await page.getByText('ada@example.com, operations').waitFor()

    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.waitForURL('**/console/sign-in')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('ada@example.com, operations').waitFor()
    expect(await page.evaluate('document.cookie')).toBe('')
    const cookies = (await context.cookies()).filter(({ name }) => name === 'tillwright_console')
    expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Strict', domain: 'localhost', path: '/' }])

    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.waitForURL('**/console/sign-in')
    await page.getByText('Without a passkey').click()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Recovery code').fill(codes[0] ?? '')
    await page.getByRole('button', { name: 'Sign in with a recovery code' }).click()
    await page.getByText('9 unused').waitFor()
    expect(complaints).toEqual([])
  } finally {
    await context.close()
  }
})

/** A page whose browser has a passkey of its own, and what the browser has complained of. */
async function withAuthenticator(context: BrowserContext) {
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    // An answer of 401 is how the page learns that nobody is signed in.
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
