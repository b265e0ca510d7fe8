import {
  type CallOf,
  contract,
  type NewPromotionInput,
  type Order,
  type Payment,
  type Quote,
} from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { newCode, newPromotion } from '../../test/new-promotion.ts'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'

const DECLINED = '4000000000009995'
const TOTE = 2_400
const DAY_MS = 24 * 60 * 60 * 1_000

type Sent = Partial<CallOf<typeof contract.orders.quote>['body']>

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const variants = async () =>
    (await platform().call(contract.products.get, { params: { productId: platform().local.productId } })).variants
  /** Two totes of 24.00 each. */
  const totes = async () => [{ variantId: (await variants())[0]?.id ?? '', quantity: 2 }]
  const offer = (change: Partial<NewPromotionInput> = {}) => newPromotion(platform(), change)
  const body = async (change: Sent = {}) => ({
    storeId: platform().local.storeId,
    currency: 'USD',
    lines: await totes(),
    ...change,
  })
  const quote = async (change: Sent = {}): Promise<Quote> =>
    platform().call(contract.orders.quote, { body: await body(change) })
  const quoteRefused = async (change: Sent) =>
    platform().request('POST', contract.orders.quote.path, { body: await body(change) })
  const pay = async (change: object, number?: string) => {
    const { id } = await newInstrument(platform(), number === undefined ? {} : { number })
    const order = { amount: undefined, lines: await totes(), ...change }
    return requestPayment(platform(), { paymentInstrumentId: id, ...order })
  }
  const paid = async (change: object): Promise<{ payment: Payment; order: Order }> => {
    const payment = contract.payments.create.response.parse((await pay(change)).body)
    return { payment, order: await readOrder(payment.orderId) }
  }
  const readOrder = (orderId: string) => platform().call(contract.orders.get, { params: { orderId } })
  const readPromotion = (id: string) =>
    platform().call(contract.promotions.getById, { body: { id, storeId: platform().local.storeId } })
  const usage = async (id: string) => {
    const [row] = await platform().services.db.read('SELECT usage_count, usage_reserved FROM promotions WHERE id = ?', [
      id,
    ])
    return { count: Number(row?.['usage_count']), reserved: Number(row?.['usage_reserved']) }
  }

  test('a quote prices the order with its promotions, and the payment takes exactly that', async () => {
    const code = newCode()
    const id = await offer({ code })
    const quoted = await quote({ promotionCodes: [` ${code.toLowerCase()} `], shippingAmount: 500 })
    expect(quoted).toMatchObject({
      subtotal: 2 * TOTE,
      discountAmount: 480,
      shippingAmount: 500,
      shippingDiscount: 0,
      amount: 4_820,
      lines: [{ quantity: 2, unitAmount: TOTE, discountAmount: 480, amount: 4_320, promotionId: null }],
      promotions: {
        applied: [{ promotionId: id, name: 'Ten per cent', code, saving: 480, endsAt: null }],
        leftOut: [],
      },
    })
    const { payment, order } = await paid({ promotionCodes: [code], shippingAmount: 500, expectedAmount: 4_820 })
    expect(payment.amount).toBe(4_820)
    expect(order).toMatchObject({ ...quoted, status: 'paid' })
    expect(await readPromotion(id)).toMatchObject({ usageCount: 1 })
  })

  test('a quote leaves nothing behind', async () => {
    const { services } = platform()
    const code = newCode()
    const id = await offer({ code, usageLimit: 1 })
    const count = async () => (await services.db.read('SELECT count(*) AS n FROM events', []))[0]?.['n']
    const before = await count()
    await quote({ promotionCodes: [code] })
    expect(await count()).toBe(before)
    expect(await usage(id)).toEqual({ count: 0, reserved: 0 })
  })

  test('an order without promotions costs what the catalogue says', async () => {
    expect(await quote()).toMatchObject({ amount: 2 * TOTE, promotions: { applied: [], leftOut: [] } })
  })

  test('an automatic promotion of the store applies by itself, and one of another store does not', async () => {
    const { call } = platform()
    const { id: otherStore } = await call(contract.stores.create, { body: { name: 'Another shop' } })
    await offer({ storeId: otherStore, automatic: true, name: 'Elsewhere' })
    const id = await offer({ automatic: true })
    const { promotions, amount } = await quote()
    expect([amount, promotions.applied.map(({ promotionId }) => promotionId)]).toEqual([4_320, [id]])
    await call(contract.promotions.update, { body: { id, data: { enabled: false } } })
    expect((await quote()).promotions).toEqual({ applied: [], leftOut: [] })
  })

  test('one with neither a code nor automatic never applies', async () => {
    await offer()
    expect((await quote()).promotions).toEqual({ applied: [], leftOut: [] })
  })

  test('an automatic promotion may be entered by its code too, and counts once', async () => {
    const code = newCode()
    const id = await offer({ automatic: true, code })
    expect((await quote({ promotionCodes: [code, code.toUpperCase()] })).promotions.applied).toHaveLength(1)
    await platform().call(contract.promotions.update, { body: { id, data: { enabled: false } } })
  })

  test('a code that there is not is refused by its place', async () => {
    const code = newCode()
    await offer({ code })
    for (const answer of [
      await quoteRefused({ promotionCodes: [code, 'no-such-code'] }),
      await pay({ promotionCodes: [code, 'no-such-code'] }),
    ]) {
      expect([answer.status, answer.error.code, answer.error.param]).toEqual([
        400,
        'parameter_invalid',
        'promotionCodes[1]',
      ])
    }
  })

  test('a code that does not hold is left out with the clause that did it', async () => {
    const { clock } = platform()
    const at = (days: number) => new Date(clock.now() + days * DAY_MS).toISOString()
    const cases = [
      [{ enabled: false }, 'disabled', 'enabled'],
      [{ startDate: at(1) }, 'not_started', 'startDate'],
      [{ endDate: at(-1) }, 'ended', 'endDate'],
      [{ usageLimit: 0 }, 'usage_limit', 'usageLimit'],
      [{ rules: [{ type: 'OrderMinQuantity', quantity: 3 }] }, 'rules', 'rules[0]'],
      [{ actions: [{ type: 'ShippingAdjustment', free: true }] }, 'actions', 'actions[0]'],
    ] satisfies [Partial<NewPromotionInput>, string, string][]
    for (const [change, clause, field] of cases) {
      const code = newCode()
      const promotionId = await offer({ code, ...change })
      const { amount, promotions } = await quote({ promotionCodes: [code] })
      expect(amount).toBe(2 * TOTE)
      expect(promotions).toEqual({
        applied: [],
        leftOut: [expect.objectContaining({ promotionId, code, clause, field, fieldOf: promotionId })],
      })
    }
  })

  test('of two that do not stand together the greater saving has it, and the flag that parts them is named', async () => {
    const [small, great] = [newCode(), newCode()]
    const smallId = await offer({ code: small })
    const greatId = await offer({
      code: great,
      actions: [{ type: 'LineItemPercentageAdjustment', adjustmentPercentage: 20 }],
    })
    const { promotions } = await quote({ promotionCodes: [small, great] })
    expect(promotions.applied).toEqual([expect.objectContaining({ promotionId: greatId, saving: 960 })])
    expect(promotions.leftOut).toEqual([
      expect.objectContaining({
        promotionId: smallId,
        clause: 'combination',
        field: 'combinesWithLineItemDiscounts',
        withPromotionId: greatId,
      }),
    ])
  })

  test('a gift is a line that costs nothing, in the variant that is named or the product’s default', async () => {
    const { productId } = platform().local
    const [first, second] = await variants()
    const [product, variant] = [newCode(), newCode()]
    const given = await offer({ code: product, actions: [{ type: 'CreateLineItem', productId, quantity: 2 }] })
    await offer({ code: variant, actions: [{ type: 'CreateLineItem', productId, variantId: second?.id ?? '' }] })
    const { lines, amount } = await quote({ promotionCodes: [product] })
    expect([amount, lines.length]).toEqual([2 * TOTE, 2])
    expect(lines[1]).toEqual({
      productId,
      variantId: first?.id,
      priceId: first?.prices[0]?.id,
      name: 'Canvas tote, Natural',
      quantity: 2,
      unitAmount: 0,
      discountAmount: 0,
      amount: 0,
      deferredAmount: 0,
      recurring: null,
      promotionId: given,
    })
    expect((await quote({ promotionCodes: [variant] })).lines[1]).toMatchObject({ variantId: second?.id, quantity: 1 })
  })

  test('a gift that is not on sale, or only by subscription, is left out', async () => {
    const { call, local, services } = platform()
    const price = { currencyOptions: { USD: { amount: 500 } } }
    const make = async (change: object) => {
      const { productId } = await call(contract.products.create, {
        body: { storeId: local.storeId, name: 'Gift', variants: [{ name: 'One', prices: [{ ...price, ...change }] }] },
      })
      return productId
    }
    const recurring = await make({ recurring: true, interval: 'month' })
    const withdrawn = await make({})
    for (const productId of [recurring, withdrawn]) {
      const code = newCode()
      await offer({ code, actions: [{ type: 'CreateLineItem', productId }] })
      if (productId === withdrawn) {
        const sql = `UPDATE products SET resource = replace(resource, '"active":true', '"active":false') WHERE id = ?`
        await services.db.write([{ sql, params: [productId] }])
      }
      const { promotions } = await quote({ promotionCodes: [code] })
      expect(promotions.leftOut).toEqual([expect.objectContaining({ clause: 'actions', field: 'actions[0]' })])
    }
  })

  test('a buyer who was told another price is not charged', async () => {
    const { services } = platform()
    const charges = async () => (await services.db.read('SELECT * FROM simulator_charges', [])).length
    const before = await charges()
    const answer = await pay({ expectedAmount: 4_799 })
    expect([answer.status, answer.error.code, answer.error.param]).toEqual([409, 'state_conflict', 'expectedAmount'])
    expect(answer.error.message).toContain('4800')
    expect(answer.error.message).toContain('4799')
    expect(await charges()).toBe(before)
  })

  test('an order that promotions make free is paid without a processor, and counts as their use', async () => {
    const code = newCode()
    const id = await offer({ code, actions: [{ type: 'OrderPercentageAdjustment', adjustmentPercentage: 100 }] })
    expect((await quote({ promotionCodes: [code] })).amount).toBe(0)
    const { payment, order } = await paid({ promotionCodes: [code] })
    expect(payment).toMatchObject({ status: 'succeeded', amount: 0, attempts: [] })
    expect(order).toMatchObject({ status: 'paid', amount: 0, discountAmount: 2 * TOTE })
    expect(await usage(id)).toEqual({ count: 1, reserved: 0 })
  })

  test.for([
    ['codes', { promotionCodes: ['A'] }, 'promotionCodes'],
    ['shipping', { shippingAmount: 1 }, 'shippingAmount'],
    ['an expected amount', { expectedAmount: 1 }, 'expectedAmount'],
    ['an amount that is expected later', { expectedDeferredAmount: 1 }, 'expectedDeferredAmount'],
  ] as const)('a payment of a plain amount has no %s', async ([, change, param]) => {
    const answer = await pay({ amount: 100, lines: undefined, ...change })
    expect([answer.status, answer.error.code, answer.error.param]).toEqual([400, 'parameter_invalid', param])
  })

  test('shipping that goes over the greatest amount is refused', async () => {
    const answer = await quoteRefused({ shippingAmount: Number.MAX_SAFE_INTEGER })
    expect([answer.status, answer.error.code, answer.error.param]).toEqual([400, 'amount_invalid', 'shippingAmount'])
  })

  test('a store and a variant that there are not are refused', async () => {
    const store = await quoteRefused({ storeId: 'none' })
    expect([store.status, store.error.param]).toEqual([404, 'storeId'])
    const variant = await quoteRefused({ lines: [{ variantId: 'none' }] })
    expect([variant.status, variant.error.param]).toEqual([404, 'lines[0].variantId'])
  })

  test('the oldest automatic promotions of a store are considered, those that are used up last', async () => {
    const { call, clock, local, services } = platform()
    const { productId } = await call(contract.products.create, {
      body: {
        id: `crowd-${engine}`,
        storeId: local.storeId,
        name: 'Crowd',
        variants: [{ id: `crowd-${engine}`, name: 'One', prices: [{ currencyOptions: { USD: { amount: 1_000 } } }] }],
      },
    })
    const rules = [{ type: 'ContainsProduct' as const, productIds: [productId] }]
    const ids: string[] = []
    for (let i = 0; i < 27; i++) {
      clock.advance(1)
      const usageLimit = i === 0 ? 0 : null
      ids.push(await offer({ automatic: true, name: `No ${i}`, usageLimit, rules }))
    }
    const { promotions } = await quote({ lines: [{ variantId: `crowd-${engine}` }] })
    const considered = [...promotions.applied, ...promotions.leftOut].map(({ promotionId }) => promotionId)
    expect(considered.toSorted()).toEqual(ids.slice(1, 26).toSorted())
    await services.db.write([{ sql: `UPDATE promotions SET enabled = 0 WHERE automatic = 1`, params: [] }])
  })

  test('a paid order tells of each promotion that it used', async () => {
    const { services, local } = platform()
    const [one, two] = [newCode(), newCode()]
    const ids = [
      await offer({ code: one, forceCombine: true }),
      await offer({ code: two, actions: [{ type: 'LineItemPercentageAdjustment', adjustmentPercentage: 50 }] }),
    ]
    const { payment } = await paid({ promotionCodes: [one, two] })
    const rows = await services.db.read(
      `SELECT store_id, customer_id, properties FROM events WHERE event_type = 's_promotion_applied' AND properties LIKE ?`,
      [`%${payment.orderId}%`],
    )
    expect(rows.map((row) => JSON.parse(String(row['properties'])))).toEqual(
      expect.arrayContaining([
        { promotionId: ids[0], orderId: payment.orderId, amount: 240, currency: 'USD' },
        { promotionId: ids[1], orderId: payment.orderId, amount: 2_400, currency: 'USD' },
      ]),
    )
    expect(rows.every((row) => row['store_id'] === local.storeId && row['customer_id'] === payment.customerId)).toBe(
      true,
    )
  })

  describe('a limited promotion', () => {
    test('is used as often as its limit says, and then a payment with its code is refused', async () => {
      const code = newCode()
      const id = await offer({ code, usageLimit: 1 })
      expect((await pay({ promotionCodes: [code] })).status).toBe(201)
      const answer = await pay({ promotionCodes: [code] })
      expect([answer.status, answer.error.code, answer.error.param]).toEqual([
        409,
        'promotion_exhausted',
        'promotionCodes[0]',
      ])
      expect((await quote({ promotionCodes: [code] })).promotions.leftOut).toEqual([
        expect.objectContaining({ promotionId: id, clause: 'usage_limit' }),
      ])
      expect(await usage(id)).toEqual({ count: 1, reserved: 0 })
    })

    test('that is automatic and used up is left out, and the order is paid without it', async () => {
      const id = await offer({ automatic: true, usageLimit: 1 })
      expect((await paid({})).payment.amount).toBe(4_320)
      const { payment, order } = await paid({})
      expect(payment.amount).toBe(4_800)
      expect(order.promotions.leftOut).toEqual([expect.objectContaining({ promotionId: id, clause: 'usage_limit' })])
      await platform().call(contract.promotions.update, { body: { id, data: { enabled: false } } })
    })

    test('gives its use back when the card is declined', async () => {
      const code = newCode()
      const id = await offer({ code, usageLimit: 1 })
      expect((await pay({ promotionCodes: [code] }, DECLINED)).status).toBe(402)
      expect(await usage(id)).toEqual({ count: 0, reserved: 0 })
      expect((await pay({ promotionCodes: [code] })).status).toBe(201)
    })

    it('is used exactly as often as its limit says by 64 payments at once', async () => {
      const code = newCode()
      const id = await offer({ code, usageLimit: 10 })
      const { id: paymentInstrumentId } = await newInstrument(platform())
      const order = { amount: undefined, lines: await totes(), promotionCodes: [code], paymentInstrumentId }
      const answers = await Promise.all(Array.from({ length: 64 }, () => requestPayment(platform(), order)))
      const payments = answers
        .filter(({ status }) => status === 201)
        .map(({ body: each }) => contract.payments.create.response.parse(each))
      expect(payments.map(({ amount }) => amount)).toEqual(Array(10).fill(4_320))
      for (const answer of answers.filter(({ status }) => status !== 201)) {
        expect([answer.status, answer.error.code, answer.error.param]).toEqual([
          409,
          'promotion_exhausted',
          'promotionCodes[0]',
        ])
      }
      expect(await usage(id)).toEqual({ count: 10, reserved: 0 })
      expect(await readPromotion(id)).toMatchObject({ usageCount: 10 })
    })

    it('is never oversold nor lost when some of the cards are declined, whatever others the order has', async () => {
      const codes = [newCode(), newCode(), newCode()]
      const ids: string[] = []
      for (const code of codes) ids.push(await offer({ code, usageLimit: 9, forceCombine: true }))
      const good = await newInstrument(platform())
      const bad = await newInstrument(platform(), { number: DECLINED })
      const lines = await totes()
      const choices = [[0], [1], [2], [0, 1], [1, 2], [2, 0], [2, 1, 0]]
      const sent = Array.from({ length: 64 }, (_, index) => ({
        promotionCodes: (choices[index % choices.length] ?? []).map((choice) => codes[choice]),
        paymentInstrumentId: index % 3 === 0 ? bad.id : good.id,
      }))
      const answers = await Promise.all(
        sent.map((each) => requestPayment(platform(), { amount: undefined, lines, ...each })),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 402, 409]))
      for (const [index, code] of codes.entries()) {
        const uses = answers.filter(({ status }, at) => status === 201 && sent[at]?.promotionCodes.includes(code))
        expect(uses.length).toBeLessThanOrEqual(9)
        expect(await usage(ids[index] ?? '')).toEqual({ count: uses.length, reserved: 0 })
      }
    })
  })
})
