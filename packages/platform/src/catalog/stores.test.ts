import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CallOf, contract } from '@tillwright/contract'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sharedPlatform, startTestPlatform, ruleEngines } from '../../test/test-platform.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const create = (body: CallOf<typeof contract.stores.create>['body']) =>
    platform().call(contract.stores.create, { body })
  const refused = (body: object) => platform().request('POST', contract.stores.create.path, { body })

  test('a store comes back with all its fields; what was not sent is null or false', async () => {
    const { clock, local } = platform()
    const now = new Date(clock.now()).toISOString()
    const store = await create({ name: 'Shop' })
    expect(store).toMatchObject({
      id: expect.stringMatching(/^store_[0-9A-Za-z]{22}$/),
      accountId: local.accountId,
      name: 'Shop',
      baseCurrency: null,
      config: null,
      walletSubscriptionEnabled: false,
      flaggedForDeletionAt: null,
      createdAt: now,
      updatedAt: now,
    })
  })

  test('currency lists and plain texts are read back as they were sent', async () => {
    const sent = {
      name: 'Shop',
      presentmentCurrencies: 'EUR, USD',
      chargeCurrencies: 'EUR',
      baseCurrency: 'EUR',
      config: '{"a": 1}',
      type: 'web',
    }
    expect(await create(sent)).toMatchObject(sent)
  })

  test('times may carry any offset', async () => {
    const store = await create({
      name: 'Shop',
      createdAt: '2020-01-01T02:00:00+02:00',
      flaggedForDeletionAt: '2020-01-01T00:00:00.5Z',
    })
    expect(store).toMatchObject({
      createdAt: '2020-01-01T00:00:00.000Z',
      flaggedForDeletionAt: '2020-01-01T00:00:00.500Z',
    })
  })

  test('a store may bring its own id, once', async () => {
    expect(await create({ id: 'my-shop', name: 'Shop' })).toMatchObject({ id: 'my-shop' })
    const again = await refused({ id: 'my-shop', name: 'Another' })
    expect(again.status).toBe(409)
    expect(again.error).toMatchObject({ code: 'resource_exists', param: 'id' })
  })

  test.for(['http://localhost:8080/thanks', 'https://shop.example/thanks?from=till#top', ''])(
    'a local store sends its buyers to %j',
    async (customThankYouUrl) => {
      expect(await create({ name: 'Shop', customThankYouUrl })).toMatchObject({ customThankYouUrl })
    },
  )

  test('outside of a local platform the address is encrypted', async () => {
    const production = await startTestPlatform({ engine, environment: 'production' })
    onTestFinished(() => production.remove())
    const answers = ['http', 'https'].map((protocol) => {
      const body = { name: 'Shop', customThankYouUrl: `${protocol}://shop.example/thanks` }
      return production.request('POST', contract.stores.create.path, { body })
    })
    const [plain, encrypted] = await Promise.all(answers)
    expect([plain?.status, plain?.error.param]).toEqual([400, 'customThankYouUrl'])
    expect(plain?.error.message).toContain('https:')
    expect(encrypted?.status).toBe(201)
  })

  test.for([
    ['/thanks', 'must be'],
    ['javascript:alert(1)', 'must be'],
    ['https://ada:secret@shop.example/thanks', 'must not contain a user name or password'],
  ] as const)('%s is no address to send buyers to', async ([customThankYouUrl, message]) => {
    const { status, error } = await refused({ name: 'Shop', customThankYouUrl })
    expect([status, error.code, error.param]).toEqual([400, 'parameter_invalid', 'customThankYouUrl'])
    expect(error.message).toContain(message)
    expect(error.message).not.toContain('secret')
  })

  test('two accounts may give their stores the same id', async () => {
    const { apiKey, accountId } = await platform().addAccount()
    await create({ id: 'shared-id', name: 'Shop' })
    const other = await platform().call(contract.stores.create, { body: { id: 'shared-id', name: 'Other' } }, apiKey)
    expect(other).toMatchObject({ id: 'shared-id', accountId })
  })

  test('a store may name its own account, and no other', async () => {
    const { accountId } = await platform().addAccount()
    expect(await create({ name: 'Shop', accountId: platform().local.accountId })).toMatchObject({ name: 'Shop' })
    const other = await refused({ name: 'Shop', accountId })
    expect(other.status).toBe(404)
    expect(other.error).toMatchObject({ code: 'resource_missing', param: 'accountId' })
  })

  test('the payment flow that a store selects is one of its account', async () => {
    const { local, addAccount, request } = platform()
    expect(await create({ name: 'Shop', selectedPaymentFlowId: local.paymentFlowId })).toMatchObject({
      selectedPaymentFlowId: local.paymentFlowId,
    })
    const { apiKey } = await addAccount()
    const body = { name: 'Shop', selectedPaymentFlowId: local.paymentFlowId }
    const other = await request('POST', contract.stores.create.path, { body, key: apiKey })
    expect([other.status, other.error.param]).toEqual([404, 'selectedPaymentFlowId'])
  })

  test('credentials are never given back and never lie in the clear', async () => {
    const { services, folder, logged } = platform()
    const store = await create({ name: 'Shop', credentials: 'open-sesame-4711' })
    expect(JSON.stringify(store)).not.toContain('open-sesame')
    const rows = await services.db.read('SELECT * FROM stores WHERE id = ?', [store.id])
    expect(JSON.stringify(rows)).not.toContain('open-sesame')
    const sealed = String(rows[0]?.['credentials'])
    expect(Buffer.from(services.secrets.open('store credentials', sealed, store.id)).toString()).toBe(
      'open-sesame-4711',
    )
    expect(logged.join()).not.toContain('open-sesame')
    for (const name of await readdir(folder)) {
      expect(await readFile(join(folder, name), 'latin1')).not.toContain('open-sesame')
    }
  })

  test('a store can begin with products to try', async () => {
    const { services } = platform()
    const store = await create({ name: 'Shop', baseCurrency: 'JPY', createDemoProducts: true })
    const rows = await services.db.read('SELECT id, resource FROM products WHERE store_id = ? ORDER BY id', [store.id])
    expect(rows).toHaveLength(2)
    for (const { id } of rows) {
      const product = await platform().call(contract.products.get, { params: { productId: String(id) } })
      expect(product.variants[0]?.prices[0]?.currencyOptions).toEqual({
        JPY: { amount: expect.any(Number), currency: 'JPY' },
      })
    }
    const events = await services.db.read('SELECT event_type FROM events WHERE store_id = ? ORDER BY event_type', [
      store.id,
    ])
    expect(events.map((row) => row['event_type'])).toEqual([
      's_product_created',
      's_product_created',
      's_store_created',
    ])
  })

  test('a new store is one event', async () => {
    const { services } = platform()
    const store = await create({ name: 'Shop' })
    const events = await services.db.read('SELECT event_type, properties FROM events WHERE store_id = ?', [store.id])
    expect(events).toEqual([
      { event_type: 's_store_created', properties: JSON.stringify({ storeId: store.id, name: 'Shop' }) },
    ])
  })
})
