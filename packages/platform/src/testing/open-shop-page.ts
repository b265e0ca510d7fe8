import { createServer } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { commit } from '../http/commit.ts'
import { SHOP_URL, type TestPlatform } from './test-platform.ts'

/**
 * Opens a shop's page in a fresh profile, under the strictest policy that lets the checkout in: the loader, a place for
 * the form, `#card`, and nothing else. It ends with the test.
 */
export async function openShopPage(browser: Browser, platform: TestPlatform): Promise<Page> {
  const { vaultUrl } = platform
  const csp = `default-src 'none'; script-src ${vaultUrl}; frame-src ${vaultUrl}; require-trusted-types-for 'script'; trusted-types 'none'`
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': csp })
    response.end(
      `<!doctype html><title>Shop</title><div id="card"></div><script src="${vaultUrl}/v1/tillwright.js"></script>`,
    )
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The shop listens on a port.')
  const origin = `http://127.0.0.1:${address.port}`
  await allowOrigin(origin, platform)
  const context = await browser.newContext()
  onTestFinished(async () => {
    await context.close()
    server.closeAllConnections()
    server.close()
  })
  const page = await context.newPage()
  await page.goto(origin)
  return page
}

/** Allows an origin beside the one that the test platform's own cards are typed at, and no other. */
export async function allowOrigin(origin: string, { local, parts }: TestPlatform): Promise<void> {
  const sql = "UPDATE api_keys SET allowed_origins = ? WHERE account_id = ? AND kind = 'publishable'"
  await commit([{ sql, params: [JSON.stringify([SHOP_URL, origin]), local.accountId] }], parts)
}
