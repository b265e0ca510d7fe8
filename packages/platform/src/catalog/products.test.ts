import { contract, type NewProductInput } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { sharedPlatform, ruleEngines } from '../../test/test-platform.ts'

const price = { currencyOptions: { USD: { amount: 1_999 }, JPY: { amount: 2_900 } } }

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const mug = (change: Partial<NewProductInput> = {}): NewProductInput => ({
    storeId: platform().local.storeId,
    name: 'Mug',
    variants: [{ name: 'White', prices: [price] }],
    ...change,
  })
  const create = async (change?: Partial<NewProductInput>) =>
    (await platform().call(contract.products.create, { body: mug(change) })).productId
  const refused = (change: Partial<NewProductInput>) =>
    platform().request('POST', contract.products.create.path, { body: mug(change) })
  const read = (productId: string) => platform().call(contract.products.get, { params: { productId } })

  test('products are listed newest first, of one store or of all', async () => {
    const { id: storeId } = await platform().call(contract.stores.create, { body: { name: 'Listed' } })
    const ids = [await create({ storeId, name: 'First' }), await create({ storeId, name: 'Second' })]
    const list = (query: object) => platform().call(contract.products.list, { query })
    const first = await list({ storeId, limit: 1 })
    const rest = await list({ storeId, limit: 1, after: first.nextCursor })
    const listed = [...first.data, ...rest.data]
    expect(listed.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    expect(listed[0]).toEqual(await read(listed[0]?.id ?? ''))
    expect(first.hasMore).toBe(true)
    expect((await list({ limit: 100 })).data.length).toBeGreaterThan(2)
  })

  test('a product is read as it was made, with ids and defaults filled in', async () => {
    const id = await create({
      description: 'Holds tea.',
      variants: [{ name: 'White', sku: `mug-${engine}`, grams: 300, prices: [price] }],
    })
    expect(id).toMatch(/^product_[0-9A-Za-z]{22}$/)
    expect(await read(id)).toEqual({
      id,
      storeId: platform().local.storeId,
      name: 'Mug',
      description: 'Holds tea.',
      unitLabel: null,
      accountingCode: null,
      taxCategory: null,
      active: true,
      isShippable: false,
      isTaxable: false,
      autoSync: false,
      archived: false,
      createdAt: expect.any(String),
      revision: 1,
      updatedAt: expect.any(String),
      variants: [
        {
          id: expect.stringMatching(/^variant_[0-9A-Za-z]{22}$/),
          name: 'White',
          description: '',
          sku: `mug-${engine}`,
          grams: 300,
          active: true,
          default: true,
          archived: false,
          prices: [
            {
              id: expect.stringMatching(/^price_[0-9A-Za-z]{22}$/),
              recurring: false,
              billingTiming: 'in_advance',
              interval: null,
              intervalCount: 1,
              trialDays: 0,
              offeredToPages: false,
              default: true,
              archived: false,
              currencyOptions: { USD: { amount: 1_999, currency: 'USD' }, JPY: { amount: 2_900, currency: 'JPY' } },
            },
          ],
        },
      ],
    })
  })

  test('the first variant and the first price are the default, unless another says so', async () => {
    const unmarked = await read(
      await create({
        variants: [
          { name: 'A', prices: [price, price] },
          { name: 'B', prices: [price] },
        ],
      }),
    )
    expect(unmarked.variants.map((variant) => variant.default)).toEqual([true, false])
    expect(unmarked.variants[0]?.prices.map((one) => one.default)).toEqual([true, false])
    const marked = await read(
      await create({
        variants: [
          { name: 'A', prices: [price] },
          { name: 'B', default: true, prices: [price, { ...price, default: true }] },
        ],
      }),
    )
    expect(marked.variants.map((variant) => variant.default)).toEqual([false, true])
    expect(marked.variants[1]?.prices.map((one) => one.default)).toEqual([false, true])
  })

  test('a product may bring its own id, once', async () => {
    expect(await create({ id: 'mug-1' })).toBe('mug-1')
    const again = await refused({ id: 'mug-1' })
    expect(again.status).toBe(409)
    expect(again.error).toMatchObject({ code: 'resource_exists', param: 'id' })
  })

  test('a store that there is not is a 404 of storeId', async () => {
    const unknown = await refused({ storeId: 'none' })
    expect(unknown.status).toBe(404)
    expect(unknown.error).toMatchObject({ code: 'resource_missing', param: 'storeId' })
  })

  test('another account’s store and product are not found', async () => {
    const { addAccount, request } = platform()
    const { apiKey } = await addAccount()
    const id = await create()
    const making = await request('POST', contract.products.create.path, { body: mug(), key: apiKey })
    const reading = await request('GET', `/api/public/v1/products/${id}`, { key: apiKey })
    expect([making.status, making.error.param]).toEqual([404, 'storeId'])
    expect([reading.status, reading.error.code]).toEqual([404, 'resource_missing'])
  })

  test('a sku is unique in its store, and nothing of a refused product remains', async () => {
    const { services, call } = platform()
    const variant = { name: 'White', sku: 'one-sku', prices: [price] }
    await create({ variants: [variant] })
    const again = await refused({ id: 'refused-mug', variants: [{ name: 'Black', prices: [price] }, variant] })
    expect(again.status).toBe(409)
    expect(again.error).toMatchObject({ code: 'resource_exists', param: 'variants[1].sku' })
    expect(await services.db.read('SELECT id FROM products WHERE id = ?', ['refused-mug'])).toEqual([])
    expect(await services.db.read('SELECT id FROM events WHERE properties LIKE ?', ['%refused-mug%'])).toEqual([])
    const { id: storeId } = await call(contract.stores.create, { body: { name: 'Another shop' } })
    expect(await create({ storeId, variants: [variant] })).toMatch(/^product_/)
  })

  test('a variant may bring its own id, which no other variant has', async () => {
    const variant = { id: 'my-variant', name: 'White', prices: [price] }
    expect((await read(await create({ variants: [variant] }))).variants[0]?.id).toBe('my-variant')
    const again = await refused({ variants: [variant] })
    expect([again.status, again.error.param]).toEqual([409, 'variants[0].id'])
  })

  test('a price may bring its own id, which no other price of the account has', async () => {
    const own = { ...price, id: 'my-price' }
    const white = { name: 'White', prices: [own] }
    const id = await create({ variants: [white] })
    expect((await read(id)).variants[0]?.prices[0]?.id).toBe('my-price')
    const again = await refused({ id: 'second-mug', variants: [{ name: 'Black', prices: [price, own] }] })
    expect([again.status, again.error.code, again.error.param]).toEqual([
      409,
      'resource_exists',
      'variants[0].prices[1].id',
    ])
    const twice = { ...price, id: 'twice' }
    const both = await refused({
      variants: [
        { name: 'White', prices: [twice] },
        { name: 'Black', prices: [twice] },
      ],
    })
    expect([both.status, both.error.param]).toEqual([409, 'variants[1].prices[0].id'])
    const [generated] = (await read(await create())).variants[0]?.prices ?? []
    const copied = await refused({ variants: [{ name: 'White', prices: [{ ...price, id: String(generated?.id) }] }] })
    expect([copied.status, copied.error.param]).toEqual([409, 'variants[0].prices[0].id'])
    const sent = () => refused({ variants: [{ name: 'White', prices: [{ ...price, id: 'at-once' }] }] })
    const statuses = await Promise.all([sent(), sent(), sent()])
    expect(statuses.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    const { apiKey } = await platform().addAccount()
    const made = await platform().request('POST', contract.stores.create.path, { body: { name: 'Shop' }, key: apiKey })
    const { id: storeId } = contract.stores.create.response.parse(made.body)
    const body = mug({ storeId, variants: [white] })
    expect((await platform().request('POST', contract.products.create.path, { body, key: apiKey })).status).toBe(201)
  })

  test('a price can recur', async () => {
    const recurring = {
      ...price,
      recurring: true,
      interval: 'month',
      intervalCount: 3,
      billingTiming: 'usage',
    } as const
    const product = await read(await create({ variants: [{ name: 'Club', prices: [recurring] }] }))
    expect(product.variants[0]?.prices[0]).toMatchObject({
      recurring: true,
      interval: 'month',
      intervalCount: 3,
      billingTiming: 'usage',
    })
  })

  test('the greatest amount comes back to the unit', async () => {
    const dear = { currencyOptions: { USD: { amount: 2 ** 53 - 1 } } }
    const product = await read(await create({ variants: [{ name: 'Moon', prices: [dear] }] }))
    expect(product.variants[0]?.prices[0]?.currencyOptions['USD']?.amount).toBe(9_007_199_254_740_991)
  })

  test('names keep every character', async () => {
    const name = 'Tasse “Größe 1” 杯子 🫖 \u0301\u202e\n'
    expect((await read(await create({ name }))).name).toBe(name)
  })

  test('a new product is one event', async () => {
    const { services, local } = platform()
    const id = await create()
    const events = await services.db.read(
      'SELECT event_type, store_id, properties FROM events WHERE properties LIKE ?',
      [`%${id}%`],
    )
    expect(events).toEqual([
      {
        event_type: 's_product_created',
        store_id: local.storeId,
        properties: JSON.stringify({ productId: id, name: 'Mug' }),
      },
    ])
  })
})
