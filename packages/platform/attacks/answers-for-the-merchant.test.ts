import { contract, HOOK_ANSWER_MAX_BYTES } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { hookCaller, hookWayOut } from '../src/hooks/index.ts'
import { manualClock } from '../src/runtime/index.ts'
import { beginSession, filledPage, inNewStore, payPage } from '../test/buyer-session.ts'
import { startReceiver } from '../test/events/start-receiver.ts'
import { type MerchantAnswer, startMerchant } from '../test/merchant-server.ts'
import { serviceToken } from '../test/pay-with-card.ts'
import { sharedPlatform, testableEngines, type TestPlatform } from '../test/test-platform.ts'

/** A store whose first product is taxed and shipped. */
async function newShop(platform: TestPlatform): Promise<TestPlatform> {
  const shop = await inNewStore(platform, { createDemoProducts: false })
  const { storeId } = shop.local
  const variants = [{ name: 'White', prices: [{ currencyOptions: { USD: { amount: 1_000 } } }] }]
  const body = { storeId, name: 'Mug', isTaxable: true, isShippable: true, variants }
  const { productId } = await shop.call(contract.products.create, { body })
  const options = [{ name: 'Post', currencyOptions: { USD: { amount: 0 } } }]
  await shop.call(contract.shippingOptions.set, { params: { storeId }, body: { shippingOptions: options } })
  return { ...shop, local: { ...shop.local, productId } }
}

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  test('a page chooses among the rates that the merchant’s server answers, and pays the tax on them', async () => {
    const shop = await newShop(platform())
    const { storeId } = shop.local
    const rates = [
      { id: 'slow', name: 'Slow', amount: 300 },
      { id: 'fast', name: 'Fast', amount: 900 },
    ]
    const merchant = await startMerchant(shop, { kinds: ['tax', 'shipping_rates'], storeId }, ({ kind, ...asked }) =>
      kind === 'tax'
        ? { json: { taxes: [{ line: null, name: 'Tax', amount: asked.shippingAmount / 10 }] } }
        : { json: { rates } },
    )
    const page = await filledPage(shop, await beginSession(shop, { storeId }))
    expect(page.session.order).toMatchObject({ shipping: { optionId: null, options: [] } })
    const address = { country: 'IE', city: 'Dublin' }
    await page.call(contract.session.setAddress, { body: { shippingAddress: address } })
    const forged = { shippingOptionId: 'fast', amount: 1, taxAmount: 0 }
    expect((await page.send('PUT', '/order/shipping', { body: { shippingOptionId: 'free' } })).status).toBe(404)
    const chosen = await page.send('PUT', '/order/shipping', { body: forged })
    const session = contract.session.chooseShipping.response.parse(chosen.body)
    expect(session.order).toMatchObject({
      shippingAmount: 900,
      taxAmount: 90,
      shipping: { optionId: 'fast', options: rates.map((rate) => ({ ...rate, description: '' })) },
    })
    const lower = await payPage(shop, { ...page, session: { ...session, order: { ...session.order, amount: 1 } } })
    expect(lower.error.param).toBe('expectedAmount')
    const asked = merchant.questions.length
    const payment = contract.session.pay.response.parse((await payPage(shop, { ...page, session })).body)
    expect(payment.amount).toBe(session.order.amount)
    const order = await shop.call(contract.orders.get, { params: { orderId: payment.orderId } })
    expect(order.hooks.map(({ kind }) => kind)).toEqual(['shipping_rates', 'tax'])
    // The displayed amount is charged: the merchant's server is not asked anew.
    expect(merchant.questions).toHaveLength(asked)
  })

  test('a page whose order has no price because the merchant’s server fails can go on, but cannot pay', async () => {
    const shop = await newShop(platform())
    const { storeId } = shop.local
    let answer: MerchantAnswer = { status: 503 }
    await startMerchant(shop, { kinds: ['tax'], storeId }, () => answer)
    const page = await filledPage(shop, await beginSession(shop, { storeId }))
    const shippingAddress = { country: 'IE' }
    const said = await page.call(contract.session.setAddress, { body: { shippingAddress } })
    expect(said.order).toMatchObject({ lines: [{ quantity: 2 }], problem: expect.stringContaining('tax') })
    expect((await payPage(shop, page)).error.code).toBe('tax_unanswered')
    answer = { json: { taxes: [] } }
    const session = await page.call(contract.session.get, {})
    expect(session.order.problem).toBeNull()
    expect((await payPage(shop, { ...page, session })).status).toBe(201)
  })

  test.for<[string, (inside: string) => MerchantAnswer]>([
    ['sends eight megabytes', () => ({ json: { taxes: [], padding: 'x'.repeat(8_000_000) } })],
    ['sends a byte at a time without an end', () => 'drip'],
    ['redirects to a server of the private network', (inside) => ({ status: 307, headers: { location: inside } })],
    ['takes money off by a negative tax', () => ({ json: { taxes: [{ line: 0, name: 'Tax', amount: -900 }] } })],
  ])('a page whose merchant’s server %s is answered in time, and pays only what has a price', async ([, hostile]) => {
    const shop = await newShop(platform())
    const { storeId } = shop.local
    const inside = await startReceiver(() => ({ status: 200, body: '{"taxes":[]}' }))
    let answer = hostile(inside.url)
    await startMerchant(shop, { kinds: ['tax'], storeId, timeoutMs: 300 }, () => answer)
    const page = await filledPage(shop, await beginSession(shop, { storeId }))
    const said = await page.call(contract.session.setAddress, { body: { shippingAddress: { country: 'IE' } } })
    expect(said.order).toMatchObject({ lines: [{ quantity: 2 }], problem: expect.stringContaining('tax') })
    expect((await payPage(shop, page)).error.code).toBe('tax_unanswered')
    expect(inside.received).toEqual([])
    answer = { json: { taxes: [] } }
    const session = await page.call(contract.session.get, {})
    expect((await payPage(shop, { ...page, session })).status).toBe(201)
  })

  test('a page that makes its order dearer under the same key does not get the answer about the cheap one', async () => {
    const shop = await newShop(platform())
    const { storeId, productId } = shop.local
    let works = false
    const merchant = await startMerchant(shop, { kinds: ['stock', 'risk'], storeId }, ({ kind }) =>
      kind === 'risk'
        ? { json: { decision: 'allow' } }
        : works
          ? { json: { lines: [{ line: 0, available: true }] } }
          : { status: 503 },
    )
    const page = await filledPage(shop, { ...(await beginSession(shop, { storeId })), quantity: 1 })
    const cheap = await page.call(contract.session.setAddress, { body: { shippingAddress: { country: 'IE' } } })
    const pay = async ({ order }: typeof cheap) => {
      const body = { serviceToken: await serviceToken(shop), expectedAmount: order.amount }
      return page.send('POST', '/pay', { body, headers: { 'Idempotency-Key': 'once' } })
    }
    const askedOfRisk = () => merchant.questions.filter(({ kind }) => kind === 'risk').map(({ id }) => id)
    expect((await pay(cheap)).error.code).toBe('stock_unanswered')
    expect((await pay(cheap)).error.code).toBe('stock_unanswered')
    const { variants } = await shop.call(contract.products.get, { params: { productId } })
    const lines = [{ variantId: variants[0]?.id ?? '', quantity: 99 }]
    const dear = await page.call(contract.session.setLines, { body: { lines } })
    works = true
    expect((await pay(dear)).status).toBe(201)
    const [first, again, last] = askedOfRisk()
    expect(again).toBe(first)
    expect(last).not.toBe(first)
  })
})

const signal = new AbortController().signal
const message = { headers: {}, body: '{}' }

test.for(['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', '::ffff:10.0.0.1'])(
  'a hook whose name leads to %s is not asked, also if it led elsewhere when it was set',
  async (address) => {
    let lookups = 0
    const resolve = async () => {
      lookups += 1
      return [{ address, family: address.includes(':') ? 6 : 4 }]
    }
    const deliver = hookWayOut({ clock: manualClock(0), environment: 'production', resolve })
    const host = 'https://rebound.example/hooks'
    expect(await deliver(host, message, signal)).toEqual({ failure: 'The host has an address that is not public.' })
    expect(lookups).toBe(1)
    expect(await deliver('http://shop.example/', message, signal)).toMatchObject({ failure: expect.any(String) })
  },
)

test('the hanging server of one account holds 16 questions; those of others are asked at once', async () => {
  const calls: string[] = []
  const { promise: never } = Promise.withResolvers<{ failure: string }>()
  const call = hookCaller({
    async deliver(url, _, limit) {
      calls.push(url)
      if (!url.includes('hangs')) return { status: 200, retryAfter: null, excerpt: '{}' }
      return Promise.race([
        never,
        new Promise<{ failure: string }>((resolve) =>
          limit.addEventListener('abort', () => resolve({ failure: 'over' })),
        ),
      ])
    },
  })
  const ask = (accountId: string, url: string) =>
    call({ accountId, isForPage: false, url, timeoutMs: 100, headers: {}, body: '{}' })
  const hanging = Array.from({ length: 100 }, () => ask('acc_1', 'https://hangs.example'))
  expect(await ask('acc_2', 'https://shop.example')).toEqual({ text: '{}' })
  expect(calls.filter((url) => url.includes('hangs'))).toHaveLength(16)
  const failures = (await Promise.all(hanging)).map((reply) => ('failure' in reply ? reply.failure : 'answered'))
  expect(failures.slice(0, 16)).toEqual(Array.from({ length: 16 }, () => 'timeout'))
  expect(failures).toContain('busy')
  expect(failures).not.toContain('answered')
})

test('a flood of visitors who ask for prices leaves four places for payments, and each place goes on', async () => {
  const asked: string[] = []
  const answer = { status: 200, retryAfter: null, excerpt: '{}' }
  const waiting: ((is: typeof answer) => void)[] = []
  let isSlow = true
  const call = hookCaller({
    async deliver(url) {
      asked.push(url)
      return isSlow ? new Promise((resolve) => waiting.push(resolve)) : answer
    },
  })
  const ask = (url: string, isForPage: boolean) =>
    call({ accountId: 'acc_1', isForPage, url, timeoutMs: 2_000, headers: {}, body: '{}' })
  const prices = Array.from({ length: 100 }, () => ask('https://prices.example', true))
  const payments = Array.from({ length: 5 }, () => ask('https://payments.example', false))
  await expect.poll(() => asked.length).toBe(16)
  expect(asked.filter((url) => url.includes('payments'))).toHaveLength(4)
  // The place of a price goes to the price that waits longest, and that of a payment to a payment.
  for (const end of [waiting.shift(), waiting.pop()]) end?.(answer)
  await expect.poll(() => asked.slice(16).toSorted()).toEqual(['https://payments.example', 'https://prices.example'])
  isSlow = false
  for (const end of waiting) end(answer)
  const replies = await Promise.all(prices)
  expect(replies.filter((reply) => 'failure' in reply && reply.failure === 'busy')).toHaveLength(100 - 12 - 48)
  expect(replies.filter((reply) => 'text' in reply)).toHaveLength(60)
  expect(await Promise.all(payments)).toEqual(Array.from({ length: 5 }, () => ({ text: '{}' })))
})

test('a server that fails five times in a row is left alone for five seconds, then asked once', async () => {
  let nowMs = 0
  let works = false
  let calls = 0
  const call = hookCaller({
    nowMs: () => nowMs,
    async deliver() {
      calls += 1
      const excerpt = works ? '{}' : 'x'.repeat(HOOK_ANSWER_MAX_BYTES + 1)
      return { status: 200, retryAfter: null, excerpt }
    },
  })
  const question = { accountId: 'acc_1', isForPage: false, url: 'https://shop.example', timeoutMs: 100 }
  const ask = () => call({ ...question, headers: {}, body: '{}' })
  for (let i = 0; i < 5; i++) expect(await ask()).toMatchObject({ failure: 'too_large' })
  expect(await ask()).toMatchObject({ failure: 'circuit_open' })
  nowMs = 5_000
  works = true
  expect(await ask()).toEqual({ text: '{}' })
  expect(await ask()).toEqual({ text: '{}' })
  expect(calls).toBe(7)
})
