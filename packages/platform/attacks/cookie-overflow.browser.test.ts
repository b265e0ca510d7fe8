/*
 * The attacker: a page that a buyer opens on a host of plugins, or on another port of a developer's machine. It sets
 * cookies for a year for all hosts that the browser lets it, until a server there refuses the browser's requests. In
 * production the API and the vault are on another registrable domain (start-checks.test.ts); what is left are the hosts of
 * other plugins, and whatever else an operator has there.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { deployPlugin } from '../test/plugins/deploy-plugin.ts'
import { sharedPlatform } from '../test/test-platform.ts'

const platform = sharedPlatform()
const portOf = (url: string) => new URL(url).port

/** A browser asks for no icon, whose 431 could come amid the filling. */
const PAGE = '<!doctype html><html><head><title>Page</title><link rel="icon" href="data:,"></head><body></body></html>'
const files = { inlineAssets: [{ path: 'index.html', content: PAGE }] }

async function newContext(): Promise<BrowserContext> {
  const context = await (await sharedChromium()).newContext()
  onTestFinished(() => context.close())
  return context
}

/** So many cookies of 4 kB as one page can set; a browser keeps 180 for a domain. */
async function fill(page: Page, domain: string | null, count: number): Promise<void> {
  const attributes = `; path=/; max-age=31536000${domain === null ? '' : `; domain=${domain}`}`
  // Set cookies are on their way to the browser for a moment; reading them waits for that.
  await page.evaluate(`{
    for (let i = 0; i < ${count}; i += 1) document.cookie = 'big' + i + '=' + 'v'.repeat(4000) + ${JSON.stringify(attributes)}
    document.cookie.length
  }`)
}

async function statusOf(page: Page, url: string): Promise<number | undefined> {
  return (await page.goto(url))?.status()
}

test('a page of a plugin sets no cookie for localhost, where API and vault are', async () => {
  const { url } = await deployPlugin(platform(), files)
  const context = await newContext()
  const page = await context.newPage()
  await page.goto(url)
  for (const domain of ['localhost', '.localhost', '127.0.0.1']) await fill(page, domain, 10)
  expect(await context.cookies()).toEqual([])
  for (const origin of [platform().apiUrl, platform().vaultUrl]) {
    const path = origin === platform().apiUrl ? '/healthz' : '/v1/tillwright.js'
    expect(await statusOf(page, `http://localhost:${portOf(origin)}${path}`)).toBe(200)
  }
})

test.each([10, 180])(
  '%i large cookies for all hosts of plugins cost one answer of another one, then are gone',
  async (count) => {
    const attacker = await deployPlugin(platform(), files)
    const other = await deployPlugin(platform(), files)
    const context = await newContext()
    const page = await context.newPage()
    await page.goto(attacker.url)
    await fill(page, 'plugins.localhost', count)
    await expect.poll(() => context.cookies()).toHaveLength(count)
    expect(await statusOf(page, other.url)).toBe(431)
    expect(await page.locator('body').innerText()).toContain('load the page again')
    expect(await context.cookies()).toEqual([])
    expect(await statusOf(page, other.url)).toBe(200)
  },
)

test('a page on another port of the host cannot keep a browser from the card form or the API', async () => {
  const shop = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(PAGE)
  }).listen(0, '127.0.0.1')
  await once(shop, 'listening')
  onTestFinished(() => void shop.close())
  const { port } = shop.address() as AddressInfo // it listens on TCP
  const context = await newContext()
  for (const url of [`${platform().vaultUrl}/v1/tillwright.js`, `${platform().apiUrl}/healthz`]) {
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${port}/`)
    await fill(page, null, 40)
    await expect.poll(() => context.cookies()).toHaveLength(40)
    const seen: number[] = []
    page.on('response', (response) => response.url() === url && seen.push(response.status()))
    // As a shop's page holds the card form: in a frame.
    const framed = `new Promise((done) => {
      const frame = document.createElement('iframe')
      frame.onload = () => done()
      frame.src = ${JSON.stringify(url)}
      document.body.append(frame)
    })`
    await page.evaluate(framed)
    await page.evaluate(framed)
    expect(seen).toEqual([431, 200])
    expect(await context.cookies()).toEqual([])
  }
})

test('a link to a long address does not make a browser forget its cookies', async () => {
  const { url } = await deployPlugin(platform(), files)
  const context = await newContext()
  const page = await context.newPage()
  await page.goto(url)
  await page.evaluate("document.cookie = 'signedin=yes; domain=plugins.localhost; path=/; max-age=31536000'")
  await expect.poll(() => context.cookies()).toHaveLength(1)
  for (const chars of [16_000, 20_000, 100_000]) {
    expect(await statusOf(page, `${url}/?${'a'.repeat(chars)}`)).toBe(414)
    expect(await context.cookies()).toHaveLength(1)
  }
})
