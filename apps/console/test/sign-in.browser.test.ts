import { contract } from '@tillwright/contract'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { violationsOf } from '../../../.ci/accessibility.ts'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { startProvider } from '../../../packages/platform/test/openid-provider.ts'
import { sharedPlatform, startTestPlatform, ruleEngines } from '../../../packages/platform/test/test-platform.ts'
import { consoleHost, signedIn, withAuthenticator } from './signed-in.ts'

let browser: Browser
beforeAll(async () => {
  browser = await sharedChromium()
})

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine, env: consoleHost })

  test('a person accepts an invitation, signs out and signs in, by passkey and by recovery code', async () => {
    const { apiUrl, call } = platform()
    const email = 'ada@example.com'
    const { link } = await call(contract.members.invite, { body: { email, role: 'operations' } })
    const context = await browser.newContext()
    try {
      const { page, complaints } = await withAuthenticator(context)
      await page.goto(link)
      await page.getByLabel('Name of the passkey').fill('Laptop')
      expect(page.url()).toBe(`${apiUrl}/console/accept`)
      await page.getByRole('button', { name: 'Make a passkey' }).click()
      await page.locator('.codes li').first().waitFor()
      const codes = await page.locator('.codes li').allTextContents()
      expect(codes).toHaveLength(10)
      await page.getByRole('link', { name: 'Continue' }).click()
      await page.waitForURL(`${apiUrl}/console`)
      await page.goto(`${apiUrl}/console/you`)
      await page.getByText(`${email}, Operations of`).waitFor()
      await page.getByText('Laptop', { exact: true }).waitFor()

      await page.getByRole('button', { name: 'Sign out', exact: true }).click()
      await page.waitForURL('**/console/sign-in')
      await page.goto(`${apiUrl}/console/you`)
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.getByText(`${email}, Operations of`).waitFor()
      expect(page.url()).toBe(`${apiUrl}/console/you`)
      expect(await page.evaluate('document.cookie')).toBe('')
      const cookies = (await context.cookies()).filter(({ name }) => name === 'tillwright_console')
      expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Strict', domain: 'localhost', path: '/' }])

      await page.getByRole('button', { name: 'Sign out everywhere' }).click()
      await page.waitForURL('**/console/sign-in')
      await page.getByText('Without a passkey').click()
      await page.getByLabel('E-mail address').fill(email)
      await page.getByLabel('Recovery code').fill(codes[0] ?? '')
      await page.getByRole('button', { name: 'Sign in with a recovery code' }).click()
      await page.waitForURL(`${apiUrl}/console`)
      await page.goto(`${apiUrl}/console/you`)
      await page.getByText('9 unused codes').waitFor()
      expect(complaints).toEqual([])
    } finally {
      await context.close()
    }
  })

  test('what was typed outlives the session of its member, and is not shown to another one', async () => {
    const { page, context, complaints } = await signedIn(platform(), 'owner')
    const other = await signedIn(platform(), 'owner')
    const session = await context.cookies()
    const typed = page.getByRole('dialog').getByLabel('E-mail address')
    const cover = page.getByRole('dialog', { name: 'You are signed out' })
    const typeAndEnd = async () => {
      await page.getByRole('link', { name: 'Members' }).click()
      await page.getByRole('button', { name: 'Invite a member' }).click()
      await typed.fill('grace@example.com')
      await context.clearCookies()
      await page.getByRole('button', { name: 'Make the link' }).click()
      await cover.waitFor()
    }
    await typeAndEnd()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await cover.getByRole('button', { name: 'Continue' }).click()
    expect(await violationsOf(page)).toEqual([])
    expect(await cover.getByRole('link', { name: 'Sign in' }).getAttribute('target')).toBe('_blank')
    await context.addCookies(session)
    await cover.getByRole('button', { name: 'Continue' }).click()
    await cover.waitFor({ state: 'detached' })
    expect(await typed.inputValue()).toBe('grace@example.com')
    await page.getByRole('button', { name: 'Make the link' }).click()
    await page.locator('.once .copy').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()

    await typeAndEnd()
    await context.addCookies(await other.context.cookies())
    await cover.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL('**/console')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('a page that is gone to after the session has ended leads to the sign-in', async () => {
    const { page, context } = await signedIn(platform(), 'support')
    // A read of the first page that is still under way would lead to the sign-in before the link does.
    await page.locator('.figures:not(.waiting)').waitFor()
    await expect.poll(() => page.locator('.bone').count()).toBe(0)
    await context.clearCookies()
    await page.getByRole('navigation').getByRole('link', { name: 'Orders' }).click()
    await page.waitForURL('**/console/sign-in?to=%2Fconsole%2Forders')
  })

  test('a member keeps the last passkey, replaces the recovery codes, and ends the session of another browser', async () => {
    const { page, complaints } = await signedIn(platform(), 'support')
    await page.getByRole('group').filter({ hasText: 'support-' }).locator('summary').click()
    await page.getByRole('link', { name: 'Your sign-in' }).click()
    await page.getByText('10 unused codes').waitFor()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('This passkey is your last way to sign in').waitFor()

    await page.getByRole('button', { name: 'Make new recovery codes' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Make new recovery codes' }).click()
    await dialog.locator('.codes li').first().waitFor()
    const [code = ''] = await dialog.locator('.codes li').allTextContents()
    await dialog.getByRole('button', { name: 'Close' }).click()

    const { member } = await page.evaluate(readMe)
    const elsewhere = await browser.newContext()
    try {
      const other = await elsewhere.newPage()
      await other.goto(`${platform().apiUrl}/console/sign-in`)
      await other.getByText('Without a passkey').click()
      await other.getByLabel('E-mail address').fill(member.email)
      await other.getByLabel('Recovery code').fill(code)
      await other.getByRole('button', { name: 'Sign in with a recovery code' }).click()
      await other.getByRole('navigation').waitFor({ state: 'attached' })
      await page.reload()
      await page.getByRole('button', { name: 'End' }).click()
      await expect.poll(() => page.getByRole('button', { name: 'End' }).count()).toBe(0)
      await other.reload()
      await other.waitForURL('**/console/sign-in?*')
    } finally {
      await elsewhere.close()
    }
    expect(complaints.filter((each) => !each.includes('409'))).toEqual([])
  })
})

async function readMe(): Promise<{ member: { email: string } }> {
  const answer = await fetch('/api/members/v1/me', { headers: { 'Tillwright-Console': '1' } })
  return answer.json()
}

test('a person accepts an invitation at the provider, signs in there, and unlinks the account', async () => {
  const provider = await startProvider({ hasForms: true })
  const own = await startTestPlatform({ env: { ...consoleHost, ...provider.env } })
  const context = await browser.newContext()
  try {
    await provider.register(own.apiUrl)
    const { link } = await own.call(contract.members.invite, { body: { email: 'grace@example.com', role: 'support' } })
    const { page, complaints } = await withAuthenticator(context)
    await page.goto(link)
    await page.getByRole('button', { name: 'Use Company Login instead' }).click()
    await page.locator('[name=login]').fill('grace')
    await page.locator('[name=password]').fill('any')
    await page.locator('[type=submit]').first().click()
    await page.locator('.codes li').first().waitFor()
    expect(page.url()).toBe(`${own.apiUrl}/console/openid`)
    await page.getByRole('link', { name: 'Continue' }).click()
    await page.waitForURL(`${own.apiUrl}/console`)
    await page.goto(`${own.apiUrl}/console/you`)
    await page.getByText('grace@example.com, Support').waitFor()

    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.waitForURL('**/console/sign-in')
    await page.getByRole('button', { name: 'Sign in with Company Login' }).click()
    await page.waitForURL('**/console')
    await page.goto(`${own.apiUrl}/console/you`)
    await page.getByText(`grace@company.example at ${provider.issuer}/`).waitFor()
    await page.getByRole('button', { name: 'Unlink' }).click()
    await page.getByText('This is your last way to sign in').waitFor()
    // The provider's page asks for a font of the internet.
    expect(complaints.filter((each) => !/409|ERR_NAME_NOT_RESOLVED/.test(each))).toEqual([])
  } finally {
    await context.close()
    await own.remove()
    await provider.stop()
  }
})
