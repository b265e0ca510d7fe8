import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LocalFile } from '@tillwright/platform'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { cardTraces } from '../../../.ci/card-traces.ts'
import { freePort } from '../../../.ci/free-port.ts'
import { engines, type Engine } from './engines.ts'
import { storedFiles, storedInPostgres, type Stored } from './stored-bytes.ts'
import { visitShop } from './visit-shop.ts'

// Neither is one of the cards that the shop and the command line print for people to try.
const CHARGED = '4000001234567899'
const DECLINED = '4000000000009987'

let browser: Browser
beforeAll(async () => void (browser = await sharedChromium()))

describe.each(engines())('on $name', ({ start }) => {
  let shop: Awaited<ReturnType<Engine['start']>>
  let tapFolder: string
  beforeAll(async () => {
    tapFolder = await mkdtemp(join(tmpdir(), 'tillwright-tap-'))
    const recorder = fileURLToPath(new URL('record-traffic.ts', import.meta.url))
    shop = await start({ command: [recorder, join(tapFolder, 'traffic'), String(await freePort())] })
  })
  afterAll(async () => {
    await shop.stop()
    await rm(tapFolder, { recursive: true })
  })

  /** Everything recorded so far: files, rows, output, and the traffic of the shop's server. */
  async function stored(): Promise<Stored[]> {
    const files = await Promise.all([shop.home, tapFolder].map(storedFiles))
    const rows = shop.databaseUrl === null ? [] : await storedInPostgres(shop.databaseUrl)
    return [...files.flat(), ...rows, { where: 'what was printed', bytes: Buffer.from(shop.output()) }]
  }

  test('the numbers of a card that is charged and of one that is declined stand nowhere', async () => {
    const buyer = await visitShop(browser, shop.local.shopUrl, { init: overhear })
    await buyer.typeCard(DECLINED)
    await buyer.pay()
    await buyer.page.getByRole('alert').getByText('declined').waitFor()
    await buyer.typeCard(CHARGED)
    const shopPage = { where: 'the shop’s page', bytes: Buffer.from(await buyer.page.content()) }
    await buyer.pay()
    await buyer.page.getByRole('status').getByText('Paid', { exact: true }).waitFor()
    const heard = await buyer.page.evaluate(() => sessionStorage.getItem('overheard') ?? '')
    const messages = { where: 'the messages of the page', bytes: Buffer.from(heard) }
    const receipt = { where: 'the receipt', bytes: Buffer.from(await buyer.page.content()) }
    const everything = [messages, shopPage, receipt, ...(await stored())]
    // The search looks in the right places: the payment left all of this there.
    expect(heard).toContain('serviceToken')
    const all = Buffer.concat(everything.map(({ bytes }) => bytes))
    for (const text of ['POST /pay ', 'POST /api/payments/v1/payments ', 's_payment_succeeded', '"status":402']) {
      expect(all.includes(text), text).toBe(true)
    }
    expect(traces(everything)).toEqual([])
  })

  test('a number that a program sends to the wrong place is neither kept nor repeated', async () => {
    const answers = await misplace(shop.local)
    expect(answers.map(({ where }) => where).filter((where) => / 2\d\d$/.test(where))).toEqual([])
    expect(traces([...answers, ...(await stored())])).toEqual([])
  })
})

function traces(everything: readonly Stored[]): string[] {
  return everything.flatMap(({ where, bytes }) =>
    [CHARGED, DECLINED].flatMap((number) => cardTraces(bytes, number).map((form) => `${form} in ${where}`)),
  )
}

/** The answers to a program that sends card numbers where they do not belong. */
async function misplace({ apiUrl, vaultUrl, apiKey, publishableKey, storeId }: LocalFile): Promise<Stored[]> {
  const instruments = `${apiUrl}/api/public/v1/payment-instruments/create-from-token`
  const products = `${apiUrl}/api/public/v1/products/create`
  const tokens = `${vaultUrl}/api/vault/v1/tokens`
  const card = { number: CHARGED, expMonth: 12, expYear: 2034, cvc: '123' }
  const variants = [{ name: '4000 0012 3456 7899', prices: [{ currencyOptions: { USD: { amount: 1 } } }] }]
  const requests = [
    ['a token', instruments, apiKey, { serviceToken: CHARGED, storeId }],
    ['an unknown field', instruments, apiKey, { serviceToken: 'x', storeId, card }],
    ['a name', products, apiKey, { storeId, name: CHARGED, variants }],
    ['a key of an object', products, apiKey, { storeId, name: 'Tote', variants: [{ [CHARGED]: CHARGED }] }],
    [
      'metadata',
      `${apiUrl}/api/payments/v1/payments`,
      apiKey,
      { storeId, currency: 'USD', metadata: { card: CHARGED } },
    ],
    ['a JWE', tokens, publishableKey, { jwe: CHARGED }],
    ['a card in the clear', tokens, publishableKey, card],
    ['a path', `${apiUrl}/api/public/v1/products/${CHARGED}`, apiKey, undefined],
    ['an unknown path', `${apiUrl}/${CHARGED}?number=${CHARGED}`, CHARGED, undefined],
  ] as const
  return Promise.all(
    requests.map(async ([place, address, key, body]) => {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
      const method = body === undefined ? 'GET' : 'POST'
      const answer = await fetch(address, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      return { where: `the answer to ${place}: ${answer.status}`, bytes: Buffer.from(await answer.text()) }
    }),
  )
}

/** Runs in the page: keeps every message that it sends or is sent, by window or by port. */
function overhear(): void {
  if (window !== window.top) return
  const overheard: unknown[] = []
  // The receipt is another document: what was heard in the shop's is kept for the test.
  addEventListener('pagehide', () => {
    if (overheard.length > 0) sessionStorage.setItem('overheard', JSON.stringify(overheard))
  })
  const listen = (target: EventTarget) =>
    target.addEventListener('message', (event) => overheard.push(Reflect.get(event, 'data')))
  listen(window)
  const { postMessage } = MessagePort.prototype
  MessagePort.prototype.postMessage = function (this: MessagePort, message: unknown, ...rest: []) {
    overheard.push(message)
    return postMessage.call(this, message, ...rest)
  }
  const Channel = window.MessageChannel
  window.MessageChannel = class extends Channel {
    constructor() {
      super()
      listen(this.port1)
      listen(this.port2)
    }
  }
}
