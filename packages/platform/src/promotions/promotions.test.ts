import { type CallOf, contract, type NewPromotionInput } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { newCode, newPromotion } from '../../test/new-promotion.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { codeKey } from './tables.ts'

type Change = CallOf<typeof contract.promotions.update>['body']['data']

const DAY_MS = 24 * 60 * 60 * 1_000

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const create = (change: Partial<NewPromotionInput> = {}) => newPromotion(platform(), change)
  const refused = (change: object) =>
    platform().request('POST', contract.promotions.create.path, {
      body: { storeId: platform().local.storeId, name: 'Refused', ...change },
    })
  const update = (id: string, data: Change) => platform().call(contract.promotions.update, { body: { id, data } })
  const updateRefused = (id: string, data: object) =>
    platform().request('POST', contract.promotions.update.path, { body: { id, data } })
  const read = (id: string, storeId = platform().local.storeId) =>
    platform().call(contract.promotions.getById, { body: { id, storeId } })
  const daysFromNow = (days: number) => new Date(platform().clock.now() + days * DAY_MS).toISOString()

  test('a promotion needs a store and a name, and the rest has the defaults of the reference', async () => {
    const { call, local, clock } = platform()
    const now = new Date(clock.now()).toISOString()
    const summary = await call(contract.promotions.create, { body: { storeId: local.storeId, name: 'Bare' } })
    const expected = {
      id: expect.stringMatching(/^promo_[0-9A-Za-z]{22}$/),
      storeId: local.storeId,
      name: 'Bare',
      code: null,
      enabled: true,
      automatic: false,
      usageLimit: null,
      usageCount: 0,
      startDate: null,
      endDate: null,
      ruleOperator: 'OR',
      createdAt: now,
      archived: false,
      revision: 1,
      updatedAt: now,
    }
    expect(summary).toEqual(expected)
    expect(await read(summary.id)).toEqual({
      ...expected,
      combinesWithOrderLevelDiscounts: false,
      combinesWithLineItemDiscounts: false,
      combinesWithShippingDiscounts: false,
      forceCombine: false,
      rules: [],
      actions: [],
    })
  })

  test('every type of rule and action is kept and read back with its defaults', async () => {
    const { productId } = platform().local
    const id = await create({
      code: `  ${newCode()} `,
      startDate: '2030-06-01T02:00:00+02:00',
      endDate: '2030-07-01T00:00:00Z',
      usageLimit: 0,
      ruleOperator: 'AND',
      combinesWithShippingDiscounts: true,
      rules: [
        { type: 'ContainsProduct', productIds: [productId] },
        { type: 'OrderAmountMinimum', amount: 2 ** 53 - 1, currency: 'JPY' },
        { type: 'OrderMinQuantity', quantity: 2 },
      ],
      actions: [
        { type: 'LineItemPercentageAdjustment', adjustmentPercentage: 0.01, targetProductId: productId },
        { type: 'LineItemAmountAdjustment', adjustmentAmount: { USD: { amount: 1 } } },
        { type: 'OrderPercentageAdjustment', adjustmentType: 'percentage', adjustmentPercentage: 100 },
        { type: 'OrderAmountAdjustment', adjustmentAmount: { USD: { amount: 5 }, JPY: { amount: 700 } } },
        { type: 'ShippingAdjustment', free: true },
        { type: 'ShippingAdjustment', adjustmentType: 'amount', adjustmentAmount: { USD: { amount: 300 } } },
        { type: 'CreateLineItem', productId },
        { type: 'SubscriptionLineItemFreeTrial', trialDays: 14 },
      ],
    })
    const target = { targetProductId: null, targetVariantId: null }
    const promotion = await read(id)
    expect(promotion).toMatchObject({
      code: expect.stringMatching(/^Code-\d+$/),
      startDate: '2030-06-01T00:00:00.000Z',
      endDate: '2030-07-01T00:00:00.000Z',
      usageLimit: 0,
      ruleOperator: 'AND',
      combinesWithShippingDiscounts: true,
    })
    expect(promotion.rules).toEqual([
      { type: 'ContainsProduct', productIds: [productId], variantIds: [], quantity: 1 },
      { type: 'OrderAmountMinimum', amount: 2 ** 53 - 1, currency: 'JPY' },
      { type: 'OrderMinQuantity', quantity: 2 },
    ])
    const free = { free: true, adjustmentType: null, adjustmentPercentage: null, adjustmentAmount: null }
    const less = { ...free, free: false, adjustmentType: 'amount', adjustmentAmount: { USD: { amount: 300 } } }
    expect(promotion.actions).toEqual([
      {
        type: 'LineItemPercentageAdjustment',
        adjustmentType: 'percentage',
        adjustmentPercentage: 0.01,
        ...target,
        targetProductId: productId,
      },
      {
        type: 'LineItemAmountAdjustment',
        adjustmentType: 'amount',
        adjustmentAmount: { USD: { amount: 1 } },
        ...target,
      },
      { type: 'OrderPercentageAdjustment', adjustmentType: 'percentage', adjustmentPercentage: 100 },
      {
        type: 'OrderAmountAdjustment',
        adjustmentType: 'amount',
        adjustmentAmount: { USD: { amount: 5 }, JPY: { amount: 700 } },
      },
      { type: 'ShippingAdjustment', ...free },
      { type: 'ShippingAdjustment', ...less },
      { type: 'CreateLineItem', productId, variantId: null, quantity: 1 },
      { type: 'SubscriptionLineItemFreeTrial', trialDays: 14, ...target },
    ])
  })

  test.for<[what: string, change: object, status: number, code: string, param: string]>([
    ['an unknown store', { storeId: 'none' }, 404, 'resource_missing', 'storeId'],
    [
      'an unknown product in a rule',
      { rules: [{ type: 'ContainsProduct', productIds: ['none'] }] },
      404,
      'resource_missing',
      'rules[0].productIds[0]',
    ],
    [
      'an unknown variant in a rule',
      { rules: [{ type: 'ContainsProduct', variantIds: ['none'] }] },
      404,
      'resource_missing',
      'rules[0].variantIds[0]',
    ],
    [
      'an unknown target',
      { actions: [{ type: 'LineItemPercentageAdjustment', adjustmentPercentage: 1, targetVariantId: 'none' }] },
      404,
      'resource_missing',
      'actions[0].targetVariantId',
    ],
    [
      'an unknown gift',
      { actions: [{ type: 'CreateLineItem', productId: 'none' }] },
      404,
      'resource_missing',
      'actions[0].productId',
    ],
  ])('%s is refused', async ([, change, status, code, param]) => {
    const answer = await refused(change)
    expect([answer.status, answer.error.code, answer.error.param]).toEqual([status, code, param])
  })

  test('an update changes what it names and leaves the rest, null clears, and lists are replaced whole', async () => {
    const { clock } = platform()
    const code = newCode()
    const id = await create({ code, usageLimit: 5, rules: [{ type: 'OrderMinQuantity', quantity: 2 }] })
    const before = await read(id)
    clock.advance(1_000)
    const updatedAt = new Date(clock.now()).toISOString()
    expect(await update(id, { name: 'Renamed' })).toMatchObject({ name: 'Renamed', code, usageLimit: 5, updatedAt })
    expect(await read(id)).toEqual({ ...before, name: 'Renamed', updatedAt, revision: 2 })
    await update(id, { code: null, usageLimit: null, rules: [] })
    expect(await read(id)).toEqual({
      ...before,
      name: 'Renamed',
      updatedAt,
      code: null,
      usageLimit: null,
      rules: [],
      revision: 3,
    })
    await update(id, {})
    expect((await read(id)).actions).toEqual(before.actions)
  })

  test('a promotion ends after it starts, also when an update names one of the two', async () => {
    const start = daysFromNow(2)
    const made = await refused({ startDate: start, endDate: start })
    expect([made.status, made.error.param]).toEqual([400, 'endDate'])
    const id = await create({ startDate: start, endDate: daysFromNow(3) })
    for (const [data, param] of [
      [{ endDate: start }, 'data.endDate'],
      [{ startDate: daysFromNow(3) }, 'data.startDate'],
      [{ startDate: start, endDate: start }, 'data.endDate'],
    ] as const) {
      const answer = await updateRefused(id, data)
      expect([answer.status, answer.error.code, answer.error.param]).toEqual([400, 'parameter_invalid', param])
    }
    expect(await update(id, { startDate: daysFromNow(4), endDate: daysFromNow(5) })).toMatchObject({ id })
    expect(await update(id, { endDate: null })).toMatchObject({ endDate: null })
  })

  test('what an update points at must exist, and is named by its place in data', async () => {
    const id = await create()
    for (const [data, param] of [
      [{ storeId: 'none' }, 'data.storeId'],
      [{ rules: [{ type: 'ContainsProduct', productIds: ['none'] }] }, 'data.rules[0].productIds[0]'],
      [{ actions: [{ type: 'CreateLineItem', variantId: 'none' }] }, 'data.actions[0].variantId'],
    ] as const) {
      const answer = await updateRefused(id, data)
      expect([answer.status, answer.error.param]).toEqual([404, param])
    }
  })

  test('a promotion stays in its store, which an update may name', async () => {
    const { call, local } = platform()
    const id = await create()
    const { id: storeId } = await call(contract.stores.create, { body: { name: 'Another shop' } })
    const moved = await updateRefused(id, { storeId })
    expect([moved.status, moved.error.code, moved.error.param]).toEqual([400, 'parameter_invalid', 'data.storeId'])
    expect(await update(id, { storeId: local.storeId, name: 'Stays' })).toMatchObject({ storeId: local.storeId })
    expect(await read(id)).toMatchObject({ storeId: local.storeId, name: 'Stays' })
  })

  test('an update that changes nothing is no change: neither its time nor an event tells of one', async () => {
    const { clock, services, local } = platform()
    const rules = [{ type: 'OrderMinQuantity' as const, quantity: 2 }]
    const id = await create({ code: newCode(), rules })
    const before = await read(id)
    clock.advance(1_000)
    const { code, name } = before
    const same = [{}, { name }, { code, rules, storeId: local.storeId }]
    for (const data of same) expect(await update(id, data)).toMatchObject({ updatedAt: before.updatedAt })
    expect(await read(id)).toEqual(before)
    const selectEvents = "SELECT properties FROM events WHERE event_type = 's_promotion_updated'"
    const rows = await services.db.read(selectEvents, [])
    expect(rows.filter(({ properties }) => String(properties).includes(id))).toEqual([])
    expect((await update(id, { name: 'Changed' })).updatedAt).toBe(new Date(clock.now()).toISOString())
  })

  it('two updates at once are both kept', async () => {
    const id = await create()
    await Promise.all([update(id, { name: 'Both' }), update(id, { usageLimit: 7 }), update(id, { automatic: true })])
    expect(await read(id)).toMatchObject({ name: 'Both', usageLimit: 7, automatic: true })
  })

  describe('a code', () => {
    test('is one among the live promotions of a store, whatever its case and the space around it', async () => {
      const { call } = platform()
      await create({ code: `Grüße-${engine}` })
      const again = await refused({ code: ` GRÜSSE-${engine} ` })
      expect([again.status, again.error.code, again.error.param]).toEqual([409, 'resource_exists', 'code'])
      const { id: storeId } = await call(contract.stores.create, { body: { name: 'Another shop' } })
      expect(await create({ storeId, code: `grüße-${engine}` })).toMatch(/^promo_/)
    })

    test('is free again when its promotion is disabled, has lost it or has ended', async () => {
      const { clock } = platform()
      const code = newCode()
      const first = await create({ code })
      await update(first, { enabled: false })
      const second = await create({ code })
      await update(second, { code: null })
      const third = await create({ code, endDate: daysFromNow(1) })
      expect((await refused({ code })).status).toBe(409)
      clock.advance(DAY_MS)
      const fourth = await create({ code })
      for (const [id, data, param] of [
        [first, { enabled: true }, 'data.code'],
        [second, { code }, 'data.code'],
        [third, { endDate: null }, 'data.code'],
      ] as const) {
        const answer = await updateRefused(id, data)
        expect([answer.status, answer.error.code, answer.error.param]).toEqual([409, 'resource_exists', param])
      }
      await update(fourth, { enabled: false })
      expect(await update(third, { endDate: null })).toMatchObject({ code, endDate: null })
    })

    test('is not held by a promotion that has ended before it was made', async () => {
      const code = newCode()
      await create({ code })
      const over = await create({ code, endDate: daysFromNow(-1) })
      const revived = await updateRefused(over, { endDate: daysFromNow(1) })
      expect([revived.status, revived.error.code]).toEqual([409, 'resource_exists'])
    })

    it('goes to one of many who ask for it at once', async () => {
      const code = newCode()
      const answers = await Promise.all(Array.from({ length: 8 }, () => refused({ code })))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(409)])
    })
  })

  test('an unknown promotion is a 404 of id, and one of another store a 404 of storeId', async () => {
    const { request, call, local } = platform()
    const id = await create()
    const { id: otherStore } = await call(contract.stores.create, { body: { name: 'Another shop' } })
    for (const [body, param] of [
      [{ id: 'none', storeId: local.storeId }, 'id'],
      [{ id, storeId: otherStore }, 'storeId'],
    ] as const) {
      const answer = await request('POST', contract.promotions.getById.path, { body })
      expect([answer.status, answer.error.code, answer.error.param]).toEqual([404, 'resource_missing', param])
      const place = param === 'id' ? 'in this account' : `in the store '${otherStore}'`
      expect(answer.error.message).toBe(`There is no promotion '${body.id}' ${place}.`)
    }
    expect((await updateRefused('none', {})).status).toBe(404)
  })

  test('another account finds neither promotion nor store nor product', async () => {
    const { addAccount, request, local, call, addKey } = platform()
    const id = await create()
    const { apiKey, accountId } = await addAccount()
    const admin = await addKey({ accountId, roles: ['org:admin'] })
    const own = await call(contract.stores.create, { body: { name: 'Own shop' } }, admin)
    const rules = [{ type: 'ContainsProduct', productIds: [local.productId] }]
    const answers = await Promise.all([
      request('POST', contract.promotions.getById.path, { body: { id, storeId: local.storeId }, key: apiKey }),
      request('POST', contract.promotions.update.path, { body: { id, data: {} }, key: apiKey }),
      request('POST', contract.promotions.create.path, { body: { storeId: local.storeId, name: 'A' }, key: apiKey }),
      request('POST', contract.promotions.create.path, { body: { storeId: own.id, name: 'A', rules }, key: apiKey }),
    ])
    expect(answers.map(({ status, error }) => [status, error.param])).toEqual([
      [404, 'id'],
      [404, 'id'],
      [404, 'storeId'],
      [404, 'rules[0].productIds[0]'],
    ])
  })

  test('a new promotion is one event, and so is each update', async () => {
    const { services, local } = platform()
    const code = newCode()
    const id = await create({ code })
    await update(id, { name: 'Renamed' })
    const events = await services.db.read(
      'SELECT event_type, store_id, properties FROM events WHERE properties LIKE ? ORDER BY event_type',
      [`%${id}%`],
    )
    const event = (event_type: string, name: string, more: object = {}) => ({
      event_type,
      store_id: local.storeId,
      properties: JSON.stringify({ promotionId: id, name, code, ...more }),
    })
    const changed = { archived: false, revision: 2, changed: ['name'] }
    expect(events).toEqual([
      event('s_promotion_created', 'Ten per cent'),
      event('s_promotion_updated', 'Renamed', changed),
    ])
  })
})

it.for([
  ['summer10', ' SUMMER10 '],
  ['straße', 'STRASSE'],
  ['e\u0301te\u0301', '\u00c9T\u00c9'],
  ['ｓａｌｅ', 'sale'],
] as const)('%s and %s are the same code', ([one, other]) => {
  expect(codeKey(one)).toBe(codeKey(other))
})

it('a space within a code counts', () => {
  expect(codeKey('SUMMER 10')).not.toBe(codeKey('SUMMER10'))
})
