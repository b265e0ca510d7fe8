import { contract, HOOK_TIMEOUT_MAX_MS, type HookQuestion, newPayment, type Order } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { inNewStore } from '../../test/buyer-session.ts'
import { type MerchantAnswer, startMerchant } from '../../test/merchant-server.ts'
import { newCode, newPromotion } from '../../test/new-promotion.ts'
import { newInstrument } from '../../test/pay-with-card.ts'
import type { Answer as HttpAnswer } from '../../test/send-request.ts'
import { sharedPlatform, type TestPlatform, testableEngines } from '../../test/test-platform.ts'

/** Prices of what the tests sell, in cents. */
const MUG = 1_000
const BOOK = 2_000

/** A store with a taxable, shippable mug and a book that is neither. */
async function newShop(platform: TestPlatform) {
  const shop = await inNewStore(platform, { createDemoProducts: false })
  const { storeId } = shop.local
  const variantOf = async (name: string, amount: number, more: object) => {
    const variants = [{ name, sku: `SKU-${name}`, prices: [{ currencyOptions: { USD: { amount } } }] }]
    const { productId } = await shop.call(contract.products.create, { body: { storeId, name, variants, ...more } })
    const product = await shop.call(contract.products.get, { params: { productId } })
    return product.variants[0]?.id ?? ''
  }
  const mug = await variantOf('Mug', MUG, { isTaxable: true, isShippable: true, taxCategory: 'crockery' })
  const book = await variantOf('Book', BOOK, {})
  const { id: paymentInstrumentId } = await newInstrument(shop, { customerData: { email: 'ada@shop.example' } })
  const order = { storeId, currency: 'USD', lines: [{ variantId: mug, quantity: 2 }, { variantId: book }] }
  const pay = (more: object = {}, key?: string): Promise<HttpAnswer> =>
    shop.request('POST', '/api/payments/v1/payments', {
      body: { ...order, paymentInstrumentId, destination: { country: 'US', postalCode: '10001' }, ...more },
      ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
    })
  const paidOrder = async (more?: object): Promise<Order> => {
    const payment = contract.payments.create.response.parse((await pay(more)).body)
    return shop.call(contract.orders.get, { params: { orderId: payment.orderId } })
  }
  const ask = (...[kinds, answer, settings]: Asks) => startMerchant(shop, { kinds, storeId, ...settings }, answer)
  const payments = () => shop.services.db.read('SELECT id FROM payments WHERE store_id = ?', [storeId])
  return { shop, storeId, mug, book, order, pay, paidOrder, ask, payments }
}

type Settings = Parameters<typeof startMerchant>[1]
type Asks = [Settings['kinds'], Parameters<typeof startMerchant>[2], Omit<Settings, 'kinds'>?]

const eightPercent = ({ lines }: HookQuestion): MerchantAnswer => ({
  json: {
    taxes: lines.flatMap(({ isTaxable, amount }, line) =>
      isTaxable ? [{ line, name: 'Sales tax', rate: '8 %', amount: Math.round(amount * 0.08) }] : [],
    ),
  },
})
const inStock = ({ lines }: HookQuestion): MerchantAnswer => ({
  json: { lines: lines.map((_, line) => ({ line, available: true })) },
})

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  test('tax is added to what a server’s order costs, as quoted, and the order keeps the answer', async () => {
    const { shop, order, paidOrder, ask, mug } = await newShop(platform())
    const merchant = await ask(['tax'], eightPercent)
    const body = { ...order, destination: { country: 'US', postalCode: '10001' } }
    const quote = await shop.call(contract.orders.quote, { body })
    expect(quote).toMatchObject({ subtotal: 2 * MUG + BOOK, taxAmount: 160, amount: 2 * MUG + BOOK + 160 })
    const paid = await paidOrder({ expectedAmount: quote.amount })
    expect(paid).toMatchObject({
      status: 'paid',
      amount: quote.amount,
      taxAmount: 160,
      hooks: [
        {
          kind: 'tax',
          action: 'applied',
          failure: null,
          answer: { taxes: [{ line: 0, amount: 160 }], included: false },
        },
      ],
    })
    // The same question is asked once: what was quoted is what is charged.
    expect(merchant.questions).toHaveLength(1)
    expect(merchant.questions[0]).toMatchObject({
      id: paid.hooks[0]?.id,
      kind: 'tax',
      accountId: shop.local.accountId,
      currency: 'USD',
      amount: 2 * MUG + BOOK,
      destination: { country: 'US', postalCode: '10001' },
      lines: [
        { variantId: mug, sku: 'SKU-Mug', quantity: 2, amount: 2 * MUG, isTaxable: true, taxCategory: 'crockery' },
        { amount: BOOK, isTaxable: false, isShippable: false },
      ],
      email: null,
      card: null,
    })
    expect(merchant.ids()).toEqual([paid.hooks[0]?.id])
  })

  test('prices that contain their tax stay as they are, and nothing is asked where nothing is taxable', async () => {
    const { paidOrder, ask, book } = await newShop(platform())
    const merchant = await ask(['tax'], () => ({
      json: { taxes: [{ line: 0, name: 'VAT', amount: 319 }], included: true },
    }))
    expect(await paidOrder()).toMatchObject({ amount: 4_000, taxAmount: 0, hooks: [{ answer: { included: true } }] })
    expect(await paidOrder({ lines: [{ variantId: book }] })).toMatchObject({ amount: BOOK, hooks: [] })
    expect(merchant.questions).toHaveLength(1)
  })

  test('the shipping of taxable goods that cost nothing themselves is taxed', async () => {
    const { shop, paidOrder, ask, mug } = await newShop(platform())
    const merchant = await ask(['tax'], ({ shippingAmount }) => ({
      json: { taxes: [{ line: null, name: 'VAT', amount: Math.round(shippingAmount * 0.2) }] },
    }))
    const code = newCode()
    const wholly = { type: 'OrderPercentageAdjustment' as const, adjustmentPercentage: 100 }
    await newPromotion(shop, { code, actions: [wholly] })
    const free = { lines: [{ variantId: mug }], promotionCodes: [code] }
    expect(await paidOrder({ ...free, shippingAmount: 795 })).toMatchObject({ amount: 954, taxAmount: 159 })
    expect(merchant.questions).toMatchObject([{ shippingAmount: 795, lines: [{ amount: 0, isTaxable: true }] }])
    expect(await paidOrder(free)).toMatchObject({ amount: 0, taxAmount: 0, hooks: [] })
  })

  test.for<[string, MerchantAnswer | { raw: string }, string]>([
    ['hangs', 'hang', 'timeout'],
    ['breaks the connection', 'reset', 'unreachable'],
    ['redirects', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }, 'status'],
    ['fails', { status: 500, body: '{"taxes":[]}' }, 'status'],
    ['sends no JSON', { status: 200, body: '<html>' }, 'malformed'],
    ['sends an amount with decimals', { json: { taxes: [{ line: 0, name: 'Tax', amount: 1.5 }] } }, 'malformed'],
    ['sends an amount below zero', { json: { taxes: [{ line: 0, name: 'Tax', amount: -1 }] } }, 'malformed'],
    ['taxes what is not taxable', { json: { taxes: [{ line: 1, name: 'Tax', amount: 1 }] } }, 'malformed'],
    ['taxes a line by more than it costs', { json: { taxes: [{ line: 0, name: 'Tax', amount: 2_001 }] } }, 'malformed'],
    ['sends 100 kB', { json: { taxes: [], padding: 'x'.repeat(100_000) } }, 'too_large'],
  ])('a server that %s has not answered: the order is refused, or goes on without', async ([, answer, failure]) => {
    const { shop, storeId, pay, paidOrder, ask, payments } = await newShop(platform())
    const reply = answer as MerchantAnswer
    const timeoutMs = failure === 'timeout' ? 100 : HOOK_TIMEOUT_MAX_MS
    await ask(['tax'], () => reply, { timeoutMs })
    const refused = await pay()
    expect(refused.error).toMatchObject({ code: 'tax_unanswered', message: expect.stringContaining(failure) })
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
    expect(await payments()).toEqual([])
    const params = { storeId, kind: 'tax' } as const
    const { answers } = await shop.call(contract.hooks.answers, { params }, shop.local.adminApiKey)
    expect(answers).toMatchObject([{ kind: 'tax', failure, answer: null, action: 'refused' }])
    await ask(['tax'], () => reply, { timeoutMs, onFailure: 'continue' })
    expect(await paidOrder()).toMatchObject({ amount: 4_000, taxAmount: 0, hooks: [{ failure, action: 'continued' }] })
  })

  test('stock and risk are asked before a payment is on record, and may refuse it', async () => {
    const { pay, paidOrder, ask, payments, shop } = await newShop(platform())
    let risk: unknown = { decision: 'review', reason: 'new buyer' }
    let left = 5
    const merchant = await ask(['stock', 'risk'], ({ kind, lines }) =>
      kind === 'risk'
        ? { json: risk }
        : {
            json: { lines: lines.map(({ quantity }, line) => ({ line, available: quantity <= left, quantity: left })) },
          },
    )
    const order = await paidOrder({ buyerIp: '203.0.113.7' })
    expect(order.hooks.map(({ kind, answer }) => [kind, answer])).toEqual([
      ['stock', { lines: [expect.objectContaining({ available: true }), expect.objectContaining({ line: 1 })] }],
      ['risk', risk],
    ])
    const [payment] = order.paymentIds
    const asked = Object.fromEntries(merchant.questions.map((question) => [question.kind, question]))
    const ids = { orderId: order.id, paymentId: payment, customerId: order.customerId }
    expect(asked['risk']).toMatchObject({
      ...ids,
      amount: 4_000,
      email: 'ada@shop.example',
      card: { brand: 'visa', last4: '4242' },
      buyerIp: '203.0.113.7',
    })
    expect(asked['stock']).toMatchObject({ ...ids, email: null, card: null, buyerIp: null })
    expect(JSON.stringify(merchant.received)).not.toContain('4242424242424242')

    risk = { decision: 'refuse' }
    expect((await pay()).error).toMatchObject({ code: 'risk_refused' })
    risk = { decision: 'allow' }
    left = 1
    const short = await pay()
    expect([short.status, short.error.code, short.error.param]).toEqual([409, 'out_of_stock', 'lines[0]'])
    expect(short.error.message).toContain('only 1 left')
    expect(await payments()).toHaveLength(1)
    const params = { storeId: shop.local.storeId, kind: 'risk' } as const
    const { answers } = await shop.call(contract.hooks.answers, { params }, shop.local.adminApiKey)
    expect(answers.map(({ answer }) => answer)).toContainEqual({ decision: 'refuse' })
  })

  test('a gift that is out of stock is told as what it is: its code can be removed, and no line', async () => {
    const { pay, ask, shop, mug } = await newShop(platform())
    await ask(['stock'], ({ lines }) => ({
      json: { lines: lines.map(({ unitAmount }, line) => ({ line, available: unitAmount > 0 })) },
    }))
    const code = newCode()
    await newPromotion(shop, { name: 'Free mug', code, actions: [{ type: 'CreateLineItem', variantId: mug }] })
    const { status, error } = await pay({ promotionCodes: [code] })
    expect([status, error.code, error.param]).toEqual([409, 'out_of_stock', 'promotionCodes[0]'])
    expect(error.message).toContain("a gift of the promotion 'Free mug'")
    expect((await pay()).status).toBe(201)
  })

  test('a server that wants the buyer authenticated has a challenge shown first', async () => {
    const { pay, ask } = await newShop(platform())
    await ask(['risk'], () => ({ json: { decision: 'challenge' } }))
    expect((await pay()).body).toMatchObject({
      status: 'requires_action',
      requireAction: 'threeds_auth',
      attempts: [],
      routing: { challengeMandated: true },
    })
  })

  test('a debit, for which no buyer can be authenticated, is refused where the buyer was to be', async () => {
    const { pay, ask, shop, payments } = await newShop(platform())
    let decision = 'challenge'
    await ask(['risk'], () => ({ json: { decision } }))
    const { customerId } = await newInstrument(shop)
    const iban = 'AT61 1904 3002 3457 3201'
    const paymentMethod = { type: 'sepa_debit', iban, holderName: 'Ada Byrne', mandateAccepted: true }
    const plain = { lines: undefined, destination: undefined, amount: 700, currency: 'EUR' }
    const debit = { ...plain, paymentInstrumentId: undefined, customerId, paymentMethod }
    const { status, error } = await pay(debit)
    expect([status, error.code]).toEqual([402, 'risk_refused'])
    expect(await payments()).toEqual([])
    decision = 'allow'
    expect((await pay(debit)).status).toBe(201)
  })

  test('an answer that leaves lines out is none, and a plain amount has neither tax nor stock', async () => {
    const { pay, paidOrder, ask } = await newShop(platform())
    const merchant = await ask(['stock', 'tax'], ({ kind }) =>
      kind === 'stock' ? { json: { lines: [{ line: 0, available: true }] } } : { json: { taxes: [] } },
    )
    expect((await pay()).error.code).toBe('stock_unanswered')
    const asked = merchant.questions.length
    const plain = { lines: undefined, destination: undefined, amount: 700 }
    expect(await paidOrder(plain)).toMatchObject({ amount: 700, hooks: [] })
    expect(merchant.questions).toHaveLength(asked)
  })

  test('a request that is repeated asks under the same id, and pays once', async () => {
    const { pay, ask, payments } = await newShop(platform())
    let works = false
    const merchant = await ask(['stock'], (question) => (works ? inStock(question) : { status: 500 }))
    expect((await pay({}, 'cart-1')).error.code).toBe('stock_unanswered')
    works = true
    const paid = await pay({}, 'cart-1')
    expect(paid.status).toBe(201)
    expect((await pay({}, 'cart-1')).body).toEqual(paid.body)
    expect(new Set(merchant.ids()).size).toBe(1)
    expect(await payments()).toHaveLength(1)
    await pay({}, 'cart-2')
    expect(new Set(merchant.ids()).size).toBe(2)
  })

  test('of answers that come at once one holds for all: no buyer is charged another tax than was quoted', async () => {
    const { shop, order, ask } = await newShop(platform())
    await ask(['tax'], (_, count) => ({ json: { taxes: [{ line: 0, name: 'Tax', amount: count }] } }))
    const quotes = await Promise.all(
      Array.from({ length: 8 }, () => shop.call(contract.orders.quote, { body: newQuote(order) })),
    )
    const later = await shop.call(contract.orders.quote, { body: newQuote(order) })
    expect(new Set([...quotes, later].map(({ taxAmount }) => taxAmount)).size).toBe(1)
    shop.clock.advance(15 * 60_000)
    const anew = await shop.call(contract.orders.quote, { body: newQuote(order) })
    expect(anew.taxAmount).toBeGreaterThan(later.taxAmount)
  })

  test('a renewal asks for its tax again, and for nothing else', async () => {
    const { shop, storeId, paidOrder, ask } = await newShop(platform())
    const price = { currencyOptions: { USD: { amount: 1_500 } }, recurring: true, interval: 'day' as const }
    const club = { storeId, name: 'Coffee club', isTaxable: true, variants: [{ name: 'Daily', prices: [price] }] }
    const { productId } = await shop.call(contract.products.create, { body: club })
    const product = await shop.call(contract.products.get, { params: { productId } })
    const merchant = await ask(['tax', 'stock', 'risk'], (question) =>
      question.kind === 'tax'
        ? eightPercent(question)
        : question.kind === 'stock'
          ? inStock(question)
          : { json: { decision: 'allow' } },
    )
    const first = await paidOrder({ lines: [{ variantId: product.variants[0]?.id }] })
    expect(first).toMatchObject({ amount: 1_620, hooks: [{ kind: 'tax' }, { kind: 'stock' }, { kind: 'risk' }] })
    shop.clock.advance(24 * 3_600_000)
    const renewed = async () => {
      shop.clock.advance(5_001)
      const { data } = await shop.call(contract.orders.list, { query: { customerId: first.customerId } })
      return data.find(({ id, status }) => id !== first.id && status === 'paid')
    }
    await expect.poll(renewed, { timeout: 60_000 }).toMatchObject({
      amount: 1_620,
      taxAmount: 120,
      hooks: [{ kind: 'tax', action: 'applied' }],
    })
    const asked = merchant.questions.filter(({ subscriptionId }) => subscriptionId !== null)
    expect(asked.map(({ kind, customerId }) => [kind, customerId])).toEqual([['tax', first.customerId]])
  })

  test('a hook is set, read, rotated and removed by an administrator; its secret is shown once', async () => {
    const { shop, storeId } = await newShop(platform())
    const admin = shop.local.adminApiKey
    const params = { storeId, kind: 'tax' } as const
    const body = { url: 'http://127.0.0.1:9/tax', onFailure: 'refuse' } as const
    const { secret, ...hook } = await shop.call(contract.hooks.set, { params, body }, admin)
    expect(secret).toMatch(/^whsec_/)
    expect(hook).toMatchObject({ storeId, kind: 'tax', timeoutMs: 2_000, active: true })
    expect(await shop.call(contract.hooks.get, { params }, admin)).toEqual(hook)
    const changed = await shop.call(contract.hooks.set, { params, body: { ...body, active: false } }, admin)
    expect(changed).toMatchObject({ id: hook.id, active: false, secret: null })
    const rotated = await shop.call(contract.hooks.rotateSecret, { params }, admin)
    expect(rotated.secret).not.toBe(secret)
    const { hooks } = await shop.call(contract.hooks.list, { params: { storeId } }, admin)
    expect(hooks).toEqual([{ ...hook, active: false, updatedAt: changed.updatedAt }])
    await shop.call(contract.hooks.remove, { params }, admin)
    const path = `/api/payments/v1/stores/${storeId}/hooks/tax`
    expect((await shop.request('GET', path, { key: admin })).error).toMatchObject({
      code: 'resource_missing',
      param: 'kind',
    })
    expect((await shop.request('POST', path, { body })).error.code).toBe('role_required')
    const password = { ...body, url: 'https://user:pass@shop.example/' }
    expect((await shop.request('POST', path, { key: admin, body: password })).error.param).toBe('url')
  })
})

function newQuote({ storeId, currency, lines }: { storeId: string; currency: string; lines: object[] }) {
  return { storeId, currency, lines: newPayment.shape.lines.unwrap().parse(lines) }
}
