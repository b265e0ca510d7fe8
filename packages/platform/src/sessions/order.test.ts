import { contract, type NewProductInput } from '@tillwright/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { beginSession, buyersPage, type BuyersPage, inNewStore, payPage } from '../../test/buyer-session.ts'
import { newCode, newPromotion } from '../../test/new-promotion.ts'
import { serviceToken } from '../../test/pay-with-card.ts'
import { ruleEngines, sharedPlatform, type TestPlatform } from '../../test/test-platform.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  let shop: TestPlatform

  beforeAll(async () => {
    shop = await inNewStore(platform(), { createDemoProducts: false })
  })

  async function sell(product: Partial<NewProductInput> = {}): Promise<string> {
    const variants = [{ name: 'One', prices: [{ currencyOptions: { USD: { amount: 2_000 } } }] }]
    const body = { storeId: shop.local.storeId, name: 'Mug', variants, ...product }
    const { productId } = await shop.call(contract.products.create, { body })
    const { variants: sold } = await shop.call(contract.products.get, { params: { productId } })
    return sold[0]?.id ?? ''
  }

  /** A page with an order of one unit. */
  async function filled(variantId: string): Promise<BuyersPage> {
    const { token } = await beginSession(shop, { storeId: shop.local.storeId })
    const page = await buyersPage(shop, token)
    return { ...page, session: await setLines(page, variantId) }
  }

  const setLines = ({ call }: BuyersPage, variantId: string) =>
    call(contract.session.setLines, { body: { currency: 'USD', lines: [{ variantId }] } })

  test('a code can be removed from an order that has another fault, which is then told', async () => {
    const [one, other] = [newCode(), newCode()]
    const ids = await Promise.all([one, other].map((code) => newPromotion(shop, { code })))
    const { call } = await filled(await sell())
    for (const code of [one, other]) await call(contract.session.addPromotionCode, { body: { code } })
    for (const id of ids) await shop.call(contract.promotions.update, { body: { id, data: { code: null } } })
    const withOther = await call(contract.session.removePromotionCode, { query: { code: one } })
    expect(withOther.order).toMatchObject({
      promotionCodes: [other],
      problem: expect.stringContaining(other),
      amount: 2_000,
    })
    const without = await call(contract.session.removePromotionCode, { query: { code: other } })
    expect(without.order).toMatchObject({ promotionCodes: [], problem: null, amount: 2_000 })
  })

  test('nobody pays the shipping of a gift that an adjustment of that shipping has taken away', async () => {
    const { storeId } = shop.local
    const [code, shippable] = [newCode(), await sell({ name: 'Shirt', isShippable: true })]
    const { call } = await filled(await sell({ name: 'Course' }))
    const post = { name: 'Post', currencyOptions: { USD: { amount: 600 } } }
    await shop.call(contract.shippingOptions.set, { params: { storeId }, body: { shippingOptions: [post] } })
    await newPromotion(shop, { code, name: 'Shirt', actions: [{ type: 'CreateLineItem', variantId: shippable }] })
    const half = { type: 'ShippingAdjustment' as const, adjustmentPercentage: 50 }
    const id = await newPromotion(shop, { name: 'Half', automatic: true, actions: [half] })
    const { order } = await call(contract.session.addPromotionCode, { body: { code } })
    expect(order).toMatchObject({
      amount: 2_600,
      shippingAmount: 600,
      shippingDiscount: 0,
      lines: [{ name: 'Course' }, { name: 'Shirt', amount: 0 }],
      promotions: { applied: [{ name: 'Shirt' }], leftOut: [] },
    })
    await shop.call(contract.promotions.update, { body: { id, data: { forceCombine: true } } })
    expect((await call(contract.session.get, {})).order).toMatchObject({ amount: 2_300, shippingDiscount: 300 })
    await shop.call(contract.promotions.update, { body: { id, data: { enabled: false } } })
  })

  test('what is left of an order is shown when a line of it is withdrawn, and is not paid before its buyer has seen it', async () => {
    const [gone, mug] = [await sell({ name: 'Gone' }), await sell()]
    const page = await filled(gone)
    const lines = [{ variantId: gone }, { variantId: mug, quantity: 2 }]
    await page.call(contract.session.setLines, { body: { lines } })
    const { data } = await shop.call(contract.products.list, { query: { q: 'gone', storeId: shop.local.storeId } })
    const { id: productId, revision } = data[0] ?? { id: '', revision: 0 }
    await shop.call(contract.products.archive, { params: { productId }, body: { revision } })
    const session = await page.call(contract.session.get, {})
    const { order } = session
    expect(order).toMatchObject({
      amount: 4_000,
      lines: [{ variantId: mug }],
      problem: expect.stringContaining('archived'),
    })
    const refused = await payPage(shop, { ...page, session })
    expect([refused.status, refused.error.param]).toEqual([409, 'lines[0].variantId'])
    const left = await page.call(contract.session.setLines, { body: { lines: lines.slice(1) } })
    expect(left.order).toEqual({ ...order, problem: null })
  })

  test('a price that was the default is for the merchant’s server alone once another one is', async () => {
    const variantId = await sell({ name: 'Lamp on sale' })
    const { call, send, session } = await filled(variantId)
    const { productId = '', priceId = '' } = session.order.lines[0] ?? {}
    const body = { revision: 1, default: true as const, currencyOptions: { USD: { amount: 2_500 } } }
    await shop.call(contract.prices.create, { params: { productId, variantId }, body })
    const former = await send('PUT', '/order/lines', { body: { lines: [{ variantId, priceId }] } })
    expect([former.status, former.error.param]).toEqual([400, 'lines[0].priceId'])
    const usual = await call(contract.session.setLines, { body: { lines: [{ variantId }] } })
    expect(usual.order.subtotal).toBe(2_500)
  })

  test('a trial is not begun at another price than its buyer was shown, though nothing is due today', async () => {
    const monthly = { recurring: true, interval: 'month' as const, trialDays: 14 }
    const price = (amount: number) => ({ ...monthly, currencyOptions: { USD: { amount } } })
    const variantId = await sell({ name: 'Magazine', variants: [{ name: 'Monthly', prices: [price(1_500)] }] })
    const page = await filled(variantId)
    const { amount, lines } = page.session.order
    const { productId = '', priceId: replaces = '', deferredAmount } = lines[0] ?? {}
    expect([amount, deferredAmount]).toEqual([0, 1_500])
    const body = { revision: 1, replaces, ...price(2_500) }
    await shop.call(contract.prices.create, { params: { productId, variantId }, body })
    const pay = async (expectedDeferredAmount: number) => {
      const shown = { expectedAmount: 0, expectedDeferredAmount }
      return page.send('POST', '/pay', { body: { serviceToken: await serviceToken(shop), ...shown } })
    }
    const refused = await pay(1_500)
    expect([refused.status, refused.error.param]).toEqual([409, 'expectedDeferredAmount'])
    expect((await pay(2_500)).status).toBe(201)
  })

  test('a page learns of no code that its buyer has not entered', async () => {
    const code = newCode()
    const rules = [{ type: 'OrderAmountMinimum' as const, amount: 5_000, currency: 'USD' }]
    await newPromotion(shop, { code, automatic: true, rules })
    const { call, session } = await filled(await sell())
    expect(session.order.promotions.leftOut).toEqual([])
    const entered = await call(contract.session.addPromotionCode, { body: { code } })
    expect(entered.order.promotions.leftOut).toMatchObject([{ code, clause: 'rules' }])
  })

  test('shipping that is free for later orders is so to the same address alone, whichever of the two it is', async () => {
    const { storeId } = shop.local
    const post = { name: 'Post', currencyOptions: { USD: { amount: 700 } }, isFreeForNextOrders: true }
    await shop.call(contract.shippingOptions.set, { params: { storeId }, body: { shippingOptions: [post] } })
    const lamp = await sell({ name: 'Lamp', isShippable: true })
    const page = await filled(lamp)
    const bill = (country: string) => page.call(contract.session.setAddress, { body: { billingAddress: { country } } })
    const session = await bill('IE')
    expect((await payPage(shop, { ...page, session })).status).toBe(201)
    expect((await setLines(page, lamp)).order.shippingAmount).toBe(0)
    expect((await bill('AU')).order.shippingAmount).toBe(700)
    expect((await bill('IE')).order.shippingAmount).toBe(0)
  })
})
