import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { sharedChromium } from '../../../.ci/chromium.ts'
import type { PageSnippet } from '../../../.ci/snippets/read-snippets.ts'
import { bodyOf } from '../../../.ci/snippets/run-snippet.ts'
import { contract, type Payment } from '../../../packages/contract/src/index.ts'
import type { TestPlatform } from '../../../packages/platform/test/test-platform.ts'

declare global {
  interface Window {
    /** What the snippets of the page have declared, and what they take for granted. */
    names: Record<string, unknown>
    /** `@tillwright/checkout`, bundled. */
    checkoutPackage: { init: (options: object) => Promise<object> }
  }
}

/** A shop, in whose page snippets of the documentation are run. */
export interface SnippetShop {
  page: Page
  /** Of the shop's page. */
  publishableKey: string
  /** Shows another document, such as one that a snippet is. */
  show: (html: string) => Promise<void>
  /** Runs a snippet in the page, with what those before it have declared. */
  run: (snippet: PageSnippet) => Promise<void>
  /** What a snippet has declared, or a part of it: `chosen.card`. */
  value: (expression: string) => Promise<unknown>
  /** The payments that the shop's server has made for what the page has sent it. */
  payments: readonly Payment[]
  /** Everything that the page has printed. */
  printed: readonly string[]
}

/**
 * Opens a page of a shop in Chromium, until the test is over: with the script of the vault, the checkout's package for
 * snippets that import it, and a `checkout` of its own. An error that nobody catches in it fails the test.
 *
 * @param body Of its document.
 */
export async function openShop(platform: TestPlatform, body: string): Promise<SnippetShop> {
  const [payments, printed, documents]: [Payment[], string[], string[]] = [[], [], []]
  const url = await listening(
    createServer(async (request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      if (request.method === 'GET') return response.end(documents.at(-1))
      const sent = (await json(request)) as Choice & { paymentId: string } // the snippet sends it, and its types are checked
      const { paymentId } = sent
      const isContinued = request.url === '/continue'
      const params = { paymentId }
      payments.push(
        await (isContinued ? platform.call(contract.payments.continue, { params }) : payFor(sent, platform)),
      )
      return response.end(JSON.stringify(payments.at(-1)))
    }),
  )
  const publishableKey = await platform.addKey({ kind: 'publishable', allowedOrigins: [url] })
  const context = await (await sharedChromium()).newContext()
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => printed.push(message.text()))
  onTestFinished(async () => {
    await context.close()
    expect(errors).toEqual([])
  })
  const show = async (html: string) => {
    documents.push(`<!doctype html><html lang="en"><title>Shop</title>${html}`)
    await page.goto(url)
  }
  await show(`<script src="${platform.vaultUrl}/v1/tillwright.js"></script>${body}`)
  await page.evaluate(await checkoutBundle())
  await page.evaluate(
    async (options) => {
      window.names = { ...window.checkoutPackage, checkout: await window.checkoutPackage.init(options) }
    },
    { publishableKey, vaultUrl: platform.vaultUrl },
  )
  return {
    page,
    publishableKey,
    show,
    run: (snippet) => page.evaluate(runInPage, bodyOf(snippet)),
    value: (expression) => page.evaluate(`window.names.${expression}`),
    payments,
    printed,
  }
}

/** What a page sends when the buyer has pressed the button. */
interface Choice {
  serviceToken?: string
  paymentMethod?: { type: 'ideal' }
}

/** Pays as the server of a shop does. */
async function payFor({ serviceToken, paymentMethod }: Choice, { call, local }: TestPlatform): Promise<Payment> {
  const { storeId } = local
  if (serviceToken !== undefined) {
    const { paymentInstrument } = await call(contract.paymentInstruments.createFromToken, {
      body: { serviceToken, storeId },
    })
    const order = { storeId, paymentInstrumentId: paymentInstrument.id, currency: 'USD', amount: 1_999 }
    return call(contract.payments.create, { body: order })
  }
  const { id: customerId } = await call(contract.customers.create, { body: { storeId } })
  const order = { storeId, customerId, currency: 'EUR', amount: 4_098, returnUrl: 'https://shop.example/back' }
  return call(contract.payments.create, { body: { ...order, paymentMethod } })
}

/** Runs in the browser. */
async function runInPage(body: string): Promise<void> {
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor
  const run = new AsyncFunction('load', ...Object.keys(window.names), body)
  Object.assign(window.names, await run(async () => window.checkoutPackage, ...Object.values(window.names)))
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${Object(server.address()).port}`
}

async function checkoutBundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '../../../packages/checkout/src/index.ts')],
    bundle: true,
    format: 'iife',
    globalName: 'checkoutPackage',
    platform: 'browser',
    write: false,
  })
  return `${outputFiles[0]?.text ?? ''}\nwindow.checkoutPackage = checkoutPackage` // what is evaluated has a scope of its own
}
