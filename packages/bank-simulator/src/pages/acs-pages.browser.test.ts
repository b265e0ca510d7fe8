import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { contract } from '@tillwright/contract'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { COLOURS, runAxe, violationsOf, WCAG } from '../../../../.ci/accessibility.ts'
import { sharedChromium } from '../../../../.ci/chromium.ts'
import { soaks } from '../../../../.ci/soaks.ts'
import { authenticationBody, newThreedsSession } from '../../../platform/test/authenticate-card.ts'
import { sharedPlatform } from '../../../platform/test/test-platform.ts'
import type { Control } from '../bank/scenario.ts'

const platform = sharedPlatform()
const pictures = join(import.meta.dirname, '../../../../.cache/acs-pages')
let browser: Browser
beforeAll(async () => {
  browser = await sharedChromium()
  if (soaks) await mkdir(pictures, { recursive: true })
})

/** The sizes of a challenge's window in pixels, and a telephone's. Source: EMV 3DS 2.2.0, challengeWindowSize. */
const sizes = [
  ['01', 250, 400],
  ['02', 390, 400],
  ['03', 500, 600],
  ['04', 600, 400],
  ['05', 1280, 800],
  ['phone', 390, 844],
] as const

test.each(['otp', 'oob'] as const)('in every window all of the page %s that is needed is in sight', async (kind) => {
  const { page, bank } = await openShop({ next: { challenge: kind, faults: {} } })
  const last = bank.getByRole('button', { name: 'Cancel' })
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [name, width, height] of sizes) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height })
      const box = await last.boundingBox()
      const hidden = await bank.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      expect(hidden, name).toBe(0)
      expect((box?.y ?? Infinity) + (box?.height ?? 0), name).toBeLessThanOrEqual(height)
      expect(box?.height, name).toBeGreaterThanOrEqual(44)
      await takePicture(page, `acs-${kind}-${name}-${colorScheme}.png`)
    }
  }
})

test.each(['light', 'dark'] as const)(
  'axe finds nothing on any page of the bank in %s colours',
  async (colorScheme) => {
    for (const kind of ['otp', 'oob'] as const) {
      const { page, bank } = await openShop({
        width: 500,
        height: 600,
        colorScheme,
        next: { challenge: kind, faults: {} },
      })
      await bank.getByRole('button', { name: 'Cancel' }).waitFor()
      if (kind === 'otp') {
        await bank.getByLabel('Code we sent you').fill('0000')
        await bank.getByRole('button', { name: 'Confirm' }).click()
        await bank.getByRole('alert').waitFor()
      }
      const { violations, passes } = await runAxe(page, { tags: colorScheme === 'light' ? WCAG : COLOURS })
      expect(violations).toEqual([])
      expect(passes).toHaveProperty('color-contrast')
    }
  },
)

test('a wrong code is said and may be corrected', async () => {
  const { bank, notified } = await openShop({})
  await bank.getByLabel('Code we sent you').fill('0000')
  await bank.getByRole('button', { name: 'Confirm' }).click()
  expect(await bank.getByRole('alert').textContent()).toContain('2 tries left')
  expect(await bank.getByLabel('Code we sent you').getAttribute('aria-invalid')).toBe('true')
  await bank.getByLabel('Code we sent you').fill('1111')
  await bank.getByRole('button', { name: 'Confirm' }).click()
  expect(await notified).toMatchObject({ transStatus: 'N' })
})

test('a timeline reads on a telephone and on a desk, and each message opens by keyboard', async () => {
  const { page, bank, notified } = await openShop({})
  await bank.getByLabel('Code we sent you').fill('1234')
  await bank.getByRole('button', { name: 'Confirm' }).click()
  await notified
  await page.goto(`${platform().apiUrl}/acs/timeline`)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of [390, 1_280]) {
      await page.setViewportSize({ width, height: 900 })
      const hidden = await page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      expect(hidden).toBe(0)
      await takePicture(page, `timelines-${width}-${colorScheme}.png`)
    }
    expect(await violationsOf(page, { tags: colorScheme === 'light' ? WCAG : COLOURS })).toEqual([])
  }
  await page.getByRole('searchbox', { name: 'Search' }).fill('authenticated')
  await page.keyboard.press('Enter')
  await page.getByText('Found: ').waitFor()
  await page.getByRole('link', { name: 'authenticated' }).first().click()
  const last = page.getByRole('listitem').filter({ hasText: 'CRes' }).last()
  await last.locator('summary').focus()
  await page.keyboard.press('Enter')
  await last.getByText('"messageType": "CRes"').waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of [390, 1_280]) {
      await page.setViewportSize({ width, height: 900 })
      const hidden = await page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      expect(hidden).toBe(0)
      await takePicture(page, `timeline-${width}-${colorScheme}.png`)
    }
    expect(await violationsOf(page, { tags: colorScheme === 'light' ? WCAG : COLOURS })).toEqual([])
  }
})

/** A soak leaves pictures for people to look at. */
async function takePicture(page: Page, name: string): Promise<void> {
  if (soaks) await page.screenshot({ path: join(pictures, name), fullPage: true })
}

interface Shop {
  width?: number
  height?: number
  colorScheme?: 'light' | 'dark'
  next?: Control
}

/** A shop's page with the bank in a frame, on another origin. */
async function openShop({ width = 500, height = 600, colorScheme = 'light', next }: Shop) {
  const notified = Promise.withResolvers<unknown>()
  const { acsUrl, creq } = await challenge(next)
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><html lang="en"><meta name="color-scheme" content="light dark"><title>Shop</title>
<style>* { margin: 0 } iframe { border: 0; width: 100vw; height: 100vh; display: block } form { display: none }</style>
<iframe name="bank" title="Your bank"></iframe>
<form method="post" action="${acsUrl}" target="bank"><input name="creq" value="${creq}"></form>
<script>document.forms[0].submit()</script></html>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const context = await browser.newContext({ viewport: { width, height }, colorScheme })
  const page = await context.newPage()
  onTestFinished(async () => {
    await context.close()
    server.close()
  })
  // The shop takes the end of the challenge, wherever it is posted to.
  await page.route('**/notify**', async (route) => {
    const cres = new URLSearchParams(route.request().postData() ?? '').get('cres') ?? ''
    notified.resolve(JSON.parse(Buffer.from(cres, 'base64url').toString()))
    await route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Back</title>' })
  })
  await page.goto(`http://127.0.0.1:${port}/`)
  const bank = page.frameLocator('iframe')
  return { page, bank, notified: notified.promise }
}

async function challenge(next: Control | undefined) {
  if (next !== undefined) await platform().request('POST', '/acs/control', { body: { next } })
  const { id } = await newThreedsSession(platform(), { number: '4000000000002503' })
  const { acsChallengeUrl, creq } = await platform().call(contract.threeds.authenticate, {
    body: authenticationBody(id),
  })
  return { acsUrl: acsChallengeUrl ?? '', creq: creq ?? '' }
}
