/*
 * The attacker can change what a shop's page loads from the vault's host, a CDN in front of it perhaps, and puts a line into
 * the loader that reads what buyers type. The shop has pinned its loader.
 */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { sharedPlatform } from '../test/test-platform.ts'

const platform = sharedPlatform()

interface Pinned {
  url: string
  integrity: string
  tag: string
  /** Where the API is. */
  api: string
  /** The methods, to stand after the loader. */
  methods: { url: string; tag: string }
}

async function pinned(): Promise<Pinned> {
  const answer = await platform().vaultRequest('GET', '/v1/tillwright.json', { key: '' })
  expect(answer.headers['access-control-allow-origin']).toBe('*')
  return JSON.parse(answer.text)
}

/** A shop's page with a tag and a policy, opened by a browser; `change` is done to every script on its way. */
async function open(tag: string, change: (script: string, url: string) => string, connect = "'none'") {
  const { vaultUrl, services, local } = platform()
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.setHeader(
      'Content-Security-Policy',
      `default-src 'none'; script-src ${vaultUrl}; frame-src ${vaultUrl}; connect-src ${connect}; require-trusted-types-for 'script'`,
    )
    response.end(`<!doctype html><title>Shop</title><div id="card"></div>${tag}`)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const context = await (await sharedChromium()).newContext()
  onTestFinished(async () => {
    await context.close()
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on TCP
  await services.db.write([
    {
      sql: "UPDATE api_keys SET allowed_origins = ? WHERE account_id = ? AND kind = 'publishable'",
      params: [JSON.stringify([origin]), local.accountId],
    },
  ])
  platform().clock.advance(1_001) // a key is remembered for a second, with its origins
  const asked: string[] = []
  await context.route(`${vaultUrl}/v1/*.js`, async (route) => {
    const url = route.request().url()
    asked.push(url)
    const response = await route.fetch()
    await route.fulfill({ response, body: change(await response.text(), url) })
  })
  const page = await context.newPage()
  await page.goto(origin)
  return { page, asked }
}

const evil = (script: string) => `${script};window.stolen=true`

test('a pinned loader makes a card form, and one that was changed does not run', async () => {
  const { tag, url } = await pinned()
  const honest = await open(tag, (script) => script)
  await honest.page.evaluate(
    `Tillwright.init({ publishableKey: '${platform().local.publishableKey}' }).then((checkout) => checkout.card().mount('#card'))`,
  )
  await honest.page.frameLocator('iframe').getByLabel('Card number').waitFor()
  expect(honest.asked).toEqual([url])

  const { page } = await open(tag, evil)
  expect(await page.evaluate('[typeof window.Tillwright, typeof window.stolen]')).toEqual(['undefined', 'undefined'])
  // The moving address promises nothing: there the same change runs.
  const moving = await open(`<script src="${platform().vaultUrl}/v1/tillwright.js"></script>`, evil)
  expect(await moving.page.evaluate('window.stolen')).toBe(true)
})

test('a pinned loader brings 3-D Secure along, so that no other script is loaded', async () => {
  const { tag, url } = await pinned()
  const { page, asked } = await open(tag, (script) => script)
  const code = await page.evaluate(
    `Tillwright.init({ publishableKey: '${platform().local.publishableKey}' })
      .then((checkout) => checkout.authenticate('not a token')).catch(({ code }) => code)`,
  )
  expect(code).toBe('argument_invalid')
  expect(asked).toEqual([url])
})

test('the pinned methods are shown, load no script but their own, and do not run when they were changed', async () => {
  const { tag, url, api, methods } = await pinned()
  const { vaultUrl, local } = platform()
  const connect = `${vaultUrl} ${api}`
  const options = { storeId: local.storeId, currency: 'EUR', amount: 4_098 }
  const show = `Tillwright.init({ publishableKey: '${local.publishableKey}' })
    .then((checkout) => checkout.methods('#card', ${JSON.stringify(options)})).then(({ shown }) => shown, ({ code }) => code)`
  const honest = await open(tag + methods.tag, (script) => script, connect)
  expect(await honest.page.evaluate(show)).toEqual(['card', 'ideal', 'paypal', 'sepa_debit', 'voucher'])
  await honest.page.frameLocator('iframe').getByLabel('Card number').waitFor()
  expect(honest.asked).toEqual([url, methods.url])

  const changed = (script: string, from: string) => (from === methods.url ? evil(script) : script)
  const { page, asked } = await open(tag + methods.tag, changed, connect)
  expect(await page.evaluate(`${show}.catch(() => {})`)).not.toContain('ideal')
  expect(await page.evaluate('typeof window.stolen')).toBe('undefined')
  expect(asked).toEqual([url, methods.url])
})

test('the address has one content for ever, and its hash is published', async () => {
  const { url, integrity, tag } = await pinned()
  expect(tag).toContain(`integrity="${integrity}" crossorigin="anonymous"`)
  const answer = await platform().vaultRequest('GET', new URL(url).pathname, { key: '' })
  expect(`sha384-${createHash('sha384').update(answer.text).digest('base64')}`).toBe(integrity)
  expect(answer.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'access-control-allow-origin': '*',
    'content-type': 'text/javascript; charset=utf-8',
  })
  const other = await platform().vaultRequest('GET', '/v1/tillwright-0123456789abcdef.js', { key: '' })
  expect(other.status).toBe(404)
})
