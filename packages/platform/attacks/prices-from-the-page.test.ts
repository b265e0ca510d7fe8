import {
  type BuyerSession,
  contract,
  type NewProductInput,
  type NewShippingOptionsInput,
  type Operation,
  type Order,
  pageFields,
  type Product,
} from '@tillwright/contract'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { soaks } from '../../../.ci/soaks.ts'
import { addressOf } from '../test/address-of.ts'
import { beginSession, buyersPage, type BuyersPage } from '../test/buyer-session.ts'
import { newCode, newPromotion } from '../test/new-promotion.ts'
import { serviceToken } from '../test/pay-with-card.ts'
import type { Answer } from '../test/send-request.ts'
import { sharedPlatform, SHOP_URL, ruleEngines, type TestPlatform } from '../test/test-platform.ts'
import { type Path, putAt } from '../test/walk/at-path.ts'

// The attacker is a visitor of a shop's page. They hold its publishable key and the token of a session of their own, and
// send whatever they want, to pay less than the merchant asks.

const RUNS = soaks ? 100 : 1

describe.each(ruleEngines())('on %s', (engine) => {
  const started = sharedPlatform({ engine })
  let shop: Shop
  beforeAll(async () => void (shop = await openShop(await withKeyOfAllStores(started()))))
  const platform = () => shop.platform

  const page = async () => buyersPage(platform(), (await beginSession(platform(), { storeId: shop.storeId })).token)
  const setLines = (buyers: BuyersPage, ...lines: object[]) =>
    buyers.send('PUT', '/order/lines', { body: { currency: 'USD', lines } })
  const pay = async (buyers: BuyersPage, expectedAmount: number) =>
    buyers.send('POST', '/pay', { body: { serviceToken: await serviceToken(platform()), expectedAmount } })
  const sessionOf = ({ body }: Answer): BuyerSession => contract.session.get.response.parse(body)
  const refusal = ({ status, error }: Answer) => [status, error.code, error.param]
  const shipTo = (buyers: BuyersPage, country: string) =>
    buyers.call(contract.session.setAddress, { body: { shippingAddress: { line1: '12 Weaver Street', country } } })

  /** Amount that the processor has really captured for the payment in an answer. */
  async function capturedBy(answer: Answer): Promise<number> {
    const { id } = contract.session.pay.response.parse(answer.body)
    const [row] = await platform().services.db.read(
      `SELECT sum(c.amount) AS taken FROM simulator_charges c JOIN payment_attempts a ON a.id = c.attempt_id
        WHERE a.payment_id = ?`,
      [id],
    )
    const { capturedAmount } = await platform().call(contract.payments.get, { params: { paymentId: id } })
    expect(Number(row?.['taken'] ?? 0)).toBe(capturedAmount)
    return capturedAmount
  }

  const orderOf = (answer: Answer): Promise<Order> => {
    const { orderId } = contract.session.pay.response.parse(answer.body)
    return platform().call(contract.orders.get, { params: { orderId } })
  }

  describe('a free trial', () => {
    test('of 730 days in a line of a 49.00 subscription is refused, and the subscription costs 49.00', async () => {
      const buyers = await page()
      const variantId = shop.magazine.variantId
      expect(refusal(await setLines(buyers, { variantId, trialDays: 730 }))).toEqual([
        400,
        'parameter_invalid',
        'lines[0].trialDays',
      ])
      const { order } = sessionOf(await setLines(buyers, { variantId }))
      expect(order.amount).toBe(4_900)
      const paid = await pay(buyers, 4_900)
      expect(await capturedBy(paid)).toBe(4_900)
      expect((await orderOf(paid)).lines[0]?.recurring?.trialDays).toBe(0)
    })

    test('is what the merchant’s price or promotion says', async () => {
      const buyers = await page()
      const line = { variantId: shop.magazine.variantId, priceId: shop.magazine.priceIds.tried }
      const { order } = sessionOf(await setLines(buyers, line))
      expect([order.amount, order.lines[0]?.recurring?.trialDays]).toEqual([0, 14])
      const code = newCode()
      await newPromotion(platform(), {
        storeId: shop.storeId,
        code,
        actions: [{ type: 'SubscriptionLineItemFreeTrial', trialDays: 30 }],
      })
      await setLines(buyers, { variantId: shop.magazine.variantId })
      const promoted = await buyers.call(contract.session.addPromotionCode, { body: { code } })
      expect([promoted.order.amount, promoted.order.lines[0]?.recurring?.trialDays]).toEqual([0, 30])
    })
  })

  describe('a price', () => {
    test('of 1.00 for wholesale that is not offered to pages is refused, one that is offered is taken', async () => {
      const buyers = await page()
      const { variantId, priceIds } = shop.lamp
      expect(refusal(await setLines(buyers, { variantId, priceId: priceIds.wholesale }))).toEqual([
        400,
        'parameter_invalid',
        'lines[0].priceId',
      ])
      expect(sessionOf(await setLines(buyers, { variantId, priceId: priceIds.pair })).order.subtotal).toBe(15_000)
      expect(sessionOf(await setLines(buyers, { variantId })).order.subtotal).toBe(8_000)
    })

    test('or a sum in a line is refused and not ignored', async () => {
      const buyers = await page()
      const { variantId } = shop.lamp
      for (const field of ['unitAmount', 'amount', 'discountAmount', 'deferredAmount', 'recurring', 'promotionId']) {
        const answer = await setLines(buyers, { variantId, [field]: 1 })
        expect(refusal(answer)).toEqual([400, 'parameter_invalid', `lines[0].${field}`])
      }
    })
  })

  describe('what has to be shipped', () => {
    test('is not paid where the store has set no shipping, and the error says how to set it', async () => {
      const { storeId, variantId } = shop.withoutShipping
      const { token } = await beginSession(platform(), { storeId })
      const buyers = await buyersPage(platform(), token)
      const { order } = sessionOf(await setLines(buyers, { variantId }))
      expect(order.shipping).toEqual({ optionId: null, options: [] })
      expect(order.problem).toContain(`/api/payments/v1/stores/${storeId}/shipping-options`)
      const answer = await pay(buyers, order.amount)
      expect(refusal(answer)).toEqual([409, 'state_conflict', undefined])
      expect(answer.error.message).toContain(`/api/payments/v1/stores/${storeId}/shipping-options`)
    })

    test('is paid with its shipping, whatever the page says that it costs', async () => {
      const buyers = await page()
      await setLines(buyers, { variantId: shop.lamp.variantId })
      await shipTo(buyers, 'IE')
      const { order } = await buyers.call(contract.session.chooseShipping, { body: { shippingOptionId: 'express' } })
      expect([order.amount, order.shippingAmount, order.shipping?.optionId]).toEqual([9_200, 1_200, 'express'])
      const body = { shippingAmount: 0, shippingOptionId: null, shipping: null, shippingDiscount: 1_200 }
      const token = await serviceToken(platform())
      const paid = await buyers.send('POST', '/pay', { body: { ...body, serviceToken: token, expectedAmount: 9_200 } })
      expect(await capturedBy(paid)).toBe(9_200)
      expect(await orderOf(paid)).toMatchObject({
        shippingAmount: 1_200,
        shippingOption: { id: 'express', name: 'Express' },
        buyer: { shippingAddress: { country: 'IE' } },
      })
    })

    test('goes with the first option that fits until another is chosen, and with none that does not fit', async () => {
      const buyers = await page()
      const before = sessionOf(await setLines(buyers, { variantId: shop.lamp.variantId }))
      expect(before.order.shipping).toMatchObject({
        optionId: 'standard',
        options: [{ amount: 490 }, { amount: 1_200 }],
      })
      const choose = (shippingOptionId: string) => buyers.send('PUT', '/order/shipping', { body: { shippingOptionId } })
      expect(refusal(await choose('courier'))).toEqual([404, 'resource_missing', 'shippingOptionId'])
      await shipTo(buyers, 'US')
      expect(sessionOf(await choose('courier')).order.shippingAmount).toBe(100)
      const moved = await shipTo(buyers, 'IE')
      expect([moved.order.shipping?.optionId, moved.order.shippingAmount]).toEqual(['standard', 490])
      expect(refusal(await pay(buyers, 8_100))).toEqual([409, 'state_conflict', 'expectedAmount'])
      expect(await capturedBy(await pay(buyers, 8_490))).toBe(8_490)
    })

    test('goes nowhere as long as the only option leads to countries and none of them was chosen', async () => {
      const { storeId, variantId } = shop.toIreland
      const buyers = await buyersPage(platform(), (await beginSession(platform(), { storeId })).token)
      const { order } = sessionOf(await setLines(buyers, { variantId }))
      expect([order.problem, order.shipping]).toEqual([null, { optionId: null, options: [] }])
      expect((await pay(buyers, order.amount)).error.message).toContain('set the country')
      expect((await shipTo(buyers, 'US')).order.shipping).toEqual({ optionId: null, options: [] })
      const abroad = await pay(buyers, order.amount)
      expect([...refusal(abroad), abroad.error.message]).toEqual([
        409,
        'state_conflict',
        undefined,
        expect.stringContaining('covers the country'),
      ])
      expect((await shipTo(buyers, 'IE')).order).toMatchObject({ amount: 8_700, problem: null })
    })

    test('does not go for nothing because of goods that are not paid now', async () => {
      const buyers = await page()
      const tried = { variantId: shop.magazine.variantId, priceId: shop.magazine.priceIds.tried, quantity: 100 }
      const { order } = sessionOf(await setLines(buyers, { variantId: shop.lamp.variantId }, tried))
      expect([order.subtotal, order.shippingAmount]).toEqual([498_000, 490])
      const enough = sessionOf(await setLines(buyers, { variantId: shop.lamp.variantId, quantity: 3 }))
      expect(enough.order.shippingAmount).toBe(0)
    })

    test('may be a gift, which is shipped like what was bought', async () => {
      const code = newCode()
      await newPromotion(platform(), {
        storeId: shop.storeId,
        code,
        actions: [{ type: 'CreateLineItem', variantId: shop.lamp.variantId, quantity: 1 }],
      })
      const buyers = await page()
      await setLines(buyers, { variantId: shop.ebook.variantId })
      expect((await buyers.call(contract.session.get, {})).order.shipping).toBeNull()
      const { order } = await buyers.call(contract.session.addPromotionCode, { body: { code } })
      expect([order.lines.length, order.amount, order.shipping?.optionId]).toEqual([2, 1_490, 'standard'])
    })

    test('as a next order goes the same way: for nothing only if the merchant says so, and to the same address', async () => {
      const buyNext = async (shippingOptionId: string) => {
        const buyers = await page()
        await shipTo(buyers, 'IE')
        await setLines(buyers, { variantId: shop.lamp.variantId })
        const { order } = await buyers.call(contract.session.chooseShipping, { body: { shippingOptionId } })
        await pay(buyers, order.amount)
        const { order: next } = sessionOf(await setLines(buyers, { variantId: shop.lamp.variantId }))
        const { order: elsewhere } = await shipTo(buyers, 'GB')
        return [order, next, elsewhere].map(({ shipping, shippingAmount }) => [shipping?.optionId, shippingAmount])
      }
      expect(await buyNext('standard')).toEqual([
        ['standard', 490],
        ['standard', 490],
        ['standard', 490],
      ])
      expect(await buyNext('express')).toEqual([
        ['express', 1_200],
        ['express', 0],
        ['express', 1_200],
      ])
    })
  })

  describe('whatever is generated for', () => {
    let paid = 0
    const fields = Object.entries(pageFields.session).flatMap(([operation, described]) =>
      Object.keys(described).map((field) => ({ operation: operation as SessionOperation, field })),
    )

    test.for(fields)('$field of $operation changes nothing about what is charged', async ({ operation, field }) => {
      const property = fc.asyncProperty(anyCart(shop), anyTampering(shop), (cart, tampering) =>
        buyWith({ operation, field, cart, ...tampering }),
      )
      await fc.assert(property, { numRuns: RUNS })
    })

    /** A purchase in which one request has a field that was tampered with, and fields that it does not have. */
    async function buyWith({ operation, field, cart, value, added }: Purchase): Promise<void> {
      const send = (name: SessionOperation, good: Record<string, unknown>, key?: string) => {
        const tampered = name === operation ? { ...added, ...Object(putAt(good, pathOf(field), value)) } : good
        const { params, query, ...body } = tampered
        const { method, path } = addressOf(contract.session[name], { params: Object(params), query: Object(query) })
        const sent = method === 'POST' || method === 'PUT' ? { body } : {}
        return platform().pageRequest(method, path, { ...sent, ...(key !== undefined && { key }) })
      }
      const begun = await send('begin', { storeId: shop.storeId })
      const token = contract.session.begin.response.safeParse(begun.body).data?.token
      const buyers = token === undefined ? await page() : await buyersPage(platform(), token)
      await send('setLines', { currency: 'USD', lines: cart.lines }, buyers.token)
      await send('setContact', { email: 'ada@example.com', firstName: 'Ada' }, buyers.token)
      await send('setAddress', { shippingAddress: { line1: '1 High Street', country: cart.country } }, buyers.token)
      await send('chooseShipping', { shippingOptionId: cart.optionId }, buyers.token)
      await send('addPromotionCode', { code: 'NONE' }, buyers.token)
      await send('removePromotionCode', { query: { code: 'NONE' } }, buyers.token)
      await send('next', { stepId: 'step' }, buyers.token)
      await send('goTo', { stepId: 'step' }, buyers.token)
      await send('track', { name: 'seen', properties: {} }, buyers.token)
      await send('findMethods', { storeId: shop.storeId, currency: 'USD', amount: 1, country: cart.country })
      const { order } = await buyers.call(contract.session.get, {})
      const card = await serviceToken(platform())
      const answer = await send('pay', { serviceToken: card, expectedAmount: order.amount }, buyers.token)
      const after = await buyers.call(contract.session.get, {})
      await send('continuePayment', { params: { paymentId: after.payment?.id ?? 'none' } }, buyers.token)
      if (answer.status === 201) {
        paid += 1
        expect(await capturedBy(answer)).toBe(priceOf(await orderOf(answer), shop))
      } else expect(['declined', 'failed', null]).toContain(after.payment?.status ?? null)
    }

    test('most of these orders were paid, so that there was something to compare', () => {
      expect(paid).toBeGreaterThan((fields.length * RUNS) / 2)
    })
  })
})

type SessionOperation = keyof typeof pageFields.session

/** A buyer's cart, and the tampering with one field of one request. */
interface Purchase extends Tampering {
  operation: SessionOperation
  field: string
  cart: Cart
}

interface Cart {
  lines: { variantId: string; priceId?: string; quantity: number }[]
  country: string
  optionId: string
}

interface Tampering {
  /** Value of the tampered field. */
  value: unknown
  /** Fields that the request does not have. */
  added: object
}

function anyCart({ products }: Shop): fc.Arbitrary<Cart> {
  const offered = products.flatMap(({ variants }) =>
    variants.flatMap(({ id, prices }) =>
      prices
        .filter((price) => price.default || price.offeredToPages)
        .map((price) => ({ variantId: id, priceId: price.id })),
    ),
  )
  const line = fc
    .tuple(fc.constantFrom(...offered), fc.integer({ min: 1, max: 5 }))
    .map(([ids, quantity]) => ({ ...ids, quantity }))
  return fc.record({
    lines: fc.array(line, { minLength: 1, maxLength: 3 }),
    country: fc.constantFrom('US', 'IE', 'GB'),
    optionId: fc.constantFrom('standard', 'express', 'courier'),
  })
}

/** Fields that would be worth something if anything read them. */
const worthHaving = {
  trialDays: 730,
  unitAmount: 1,
  amount: 1,
  subtotal: 1,
  discountAmount: 100_000,
  deferredAmount: 100_000,
  shippingAmount: 0,
  shippingDiscount: 100_000,
  shippingOption: { id: 'courier', name: 'Courier' },
  offeredToPages: true,
  promotions: [{ promotionId: 'promo', saving: 100_000 }],
  captureMethod: 'manual',
  paymentFlowId: 'flow',
  customerId: 'cus',
  isPreview: true,
  preview: { testCardPreset: 'network1_success' },
  price: { amount: 1 },
  lines: [],
}

function anyTampering({ products, ...shop }: Shop): fc.Arbitrary<Tampering> {
  const ids = products.flatMap(({ variants }) =>
    variants.flatMap(({ id, prices }) => [id, ...prices.map((price) => price.id)]),
  )
  const known = [...ids, shop.storeId, shop.toIreland.storeId, 'standard', 'express', 'courier', 'US', 'IE', 'EUR']
  const numbers = fc.constantFrom(-1, 0, 1, 0.5, 1e-7, 1e21, Number.MAX_SAFE_INTEGER, '1', '-1', true)
  const value = fc.oneof(fc.constantFrom(...known), numbers, fc.jsonValue({ maxDepth: 2 }))
  const added = fc.subarray(Object.entries(worthHaving)).map((entries) => Object.fromEntries(entries))
  return fc.record({ value, added })
}

/** `lines[].quantity` as the way to the first line's. */
function pathOf(field: string): Path {
  return field.split('.').flatMap((step) => (step.endsWith('[]') ? [step.slice(0, -2), 0] : [step]))
}

/** Correct price of an order, computed from the merchant's own settings alone. */
function priceOf({ lines, shippingOption, buyer }: Order, { products }: Shop): number {
  const variants = products.flatMap((product) => product.variants.map((variant) => ({ product, variant })))
  const due = lines.map(({ variantId, priceId, quantity }) => {
    const found = variants.find(({ variant }) => variant.id === variantId)
    const price = found?.variant.prices.find(({ id }) => id === priceId)
    if (found === undefined || price === undefined || !(price.default || price.offeredToPages))
      throw new Error(`${priceId} is not offered.`)
    const now = price.trialDays > 0 ? 0 : (price.currencyOptions['USD']?.amount ?? Number.NaN) * quantity
    return { now, isShippable: found.product.isShippable }
  })
  const goods = due.reduce((sum, { now }) => sum + now, 0)
  if (!due.some(({ isShippable }) => isShippable)) return goods
  const option = options.shippingOptions.find(({ id }) => id === shippingOption?.id)
  if (option === undefined) throw new Error('Goods were sold without their shipping.')
  const { countries = [], currencyOptions } = option
  const country = buyer?.shippingAddress?.country ?? buyer?.billingAddress?.country ?? ''
  if (countries.length > 0 && !countries.includes(country))
    throw new Error(`${option.name} does not lead to ${country}.`)
  const { amount = Number.NaN, freeFrom } = currencyOptions['USD'] ?? {}
  return goods + (freeFrom != null && goods >= freeFrom ? 0 : amount)
}

/** The platform as a page meets it whose key is for all stores of the account. */
async function withKeyOfAllStores(platform: TestPlatform): Promise<TestPlatform> {
  const key = await platform.addKey({ kind: 'publishable', allowedOrigins: [SHOP_URL] })
  const isOfBrowser = (operation: Operation) => operation.audience === 'page' || operation.audience === 'frame'
  return {
    ...platform,
    local: { ...platform.local, publishableKey: key },
    vaultRequest: (method, path, sent) => platform.vaultRequest(method, path, { key, ...sent }),
    pageRequest: (method, path, sent) => platform.pageRequest(method, path, { key, ...sent }),
    call: (operation, sent, given) =>
      platform.call(operation, sent, given ?? (isOfBrowser(operation) ? key : undefined)),
  }
}

interface Sold {
  variantId: string
  priceIds: Record<string, string>
}

interface Shop {
  platform: TestPlatform
  storeId: string
  lamp: Sold
  magazine: Sold
  ebook: Sold
  products: Product[]
  withoutShipping: { storeId: string; variantId: string }
  toIreland: { storeId: string; variantId: string }
}

const options: NewShippingOptionsInput = {
  shippingOptions: [
    { id: 'standard', name: 'Standard', currencyOptions: { USD: { amount: 490, freeFrom: 20_000 } } },
    { id: 'express', name: 'Express', currencyOptions: { USD: { amount: 1_200 } }, isFreeForNextOrders: true },
    { id: 'courier', name: 'Courier', currencyOptions: { USD: { amount: 100 } }, countries: ['US'] },
  ],
}

/** Three stores: one that ships, one that does not, and one that ships to Ireland alone. */
async function openShop(platform: TestPlatform): Promise<Shop> {
  const { call, local } = platform
  const newStore = async (name: string, shipping: NewShippingOptionsInput) => {
    const body = { name, baseCurrency: 'USD', selectedPaymentFlowId: local.paymentFlowId }
    const { id: storeId } = await call(contract.stores.create, { body })
    await call(contract.shippingOptions.set, { params: { storeId }, body: shipping })
    return storeId
  }
  const sell = async (product: NewProductInput) => {
    const { productId } = await call(contract.products.create, { body: product })
    return call(contract.products.get, { params: { productId } })
  }
  const storeId = await newStore('Ships', options)
  const usd = (amount: number) => ({ currencyOptions: { USD: { amount } } })
  const monthly = { ...usd(4_900), recurring: true, interval: 'month' as const }
  const lamp = [usd(8_000), usd(100), { ...usd(15_000), offeredToPages: true }]
  const products = [
    await sell({ storeId, name: 'Lamp', isShippable: true, variants: [{ name: 'Brass', prices: lamp }] }),
    await sell({
      storeId,
      name: 'Magazine',
      variants: [{ name: 'Monthly', prices: [monthly, { ...monthly, trialDays: 14, offeredToPages: true }] }],
    }),
    await sell({ storeId, name: 'E-book', variants: [{ name: 'EPUB', prices: [usd(1_000)] }] }),
  ]
  const [lampId, magazineId, ebookId] = products
  return {
    platform,
    storeId,
    products,
    lamp: sold(lampId, ['usual', 'wholesale', 'pair']),
    magazine: sold(magazineId, ['usual', 'tried']),
    ebook: sold(ebookId, ['usual']),
    withoutShipping: await oneLamp('Does not ship', { shippingOptions: [] }),
    toIreland: await oneLamp('Ships to Ireland', {
      shippingOptions: [{ name: 'Post', currencyOptions: { USD: { amount: 700 } }, countries: ['IE'] }],
    }),
  }

  async function oneLamp(name: string, shipping: NewShippingOptionsInput) {
    const made = await newStore(name, shipping)
    const variants = [{ name: 'Brass', prices: [usd(8_000)] }]
    return {
      storeId: made,
      variantId: (await sell({ storeId: made, name: 'Lamp', isShippable: true, variants })).variants[0]?.id ?? '',
    }
  }
}

function sold(product: Product | undefined, names: readonly string[]): Sold {
  const variant = product?.variants[0]
  const ids = variant?.prices.map(({ id }, index) => [names[index] ?? '', id]) ?? []
  return { variantId: variant?.id ?? '', priceIds: Object.fromEntries(ids) }
}
