import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { ruleEngines, sharedPlatform } from '../../test/test-platform.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const create = async (name = 'Mug') => {
    const variants = [{ name: 'White', prices: [{ currencyOptions: { USD: { amount: 1_999 } } }] }]
    const body = { storeId: platform().local.storeId, name, description: 'Holds tea.', variants }
    const { productId } = await platform().call(contract.products.create, { body })
    return platform().call(contract.products.get, { params: { productId } })
  }
  const read = (productId: string) => platform().call(contract.products.get, { params: { productId } })
  const patch = (id: string, body: object, headers: Record<string, string> = {}) =>
    platform().request('PATCH', `/api/catalog/v1/products/${id}`, { body, headers })
  const listed = async (query: object) =>
    (await platform().call(contract.products.list, { query: { limit: 100, ...query } })).data.map(({ id }) => id)
  const eventsOf = async (id: string) => {
    const { data } = await platform().call(contract.eventLog.list, {
      query: { types: 's_product_updated', limit: 100 },
    })
    return data.map(({ properties }) => properties).filter((properties) => Object(properties).productId === id)
  }

  test('a product is changed by a merge patch: what is left out stays, and null clears', async () => {
    const { id, ...before } = await create()
    const { status, body } = await patch(id, { revision: 1, name: 'Cup', description: null, isTaxable: true })
    expect(status).toBe(200)
    const after = { ...before, name: 'Cup', description: null, isTaxable: true, revision: 2 }
    expect(body).toEqual({ id, ...after, updatedAt: expect.any(String) })
    expect(await read(id)).toEqual(body)
    const changed = ['name', 'description', 'isTaxable']
    expect(await eventsOf(id)).toEqual([{ productId: id, name: 'Cup', archived: false, revision: 2, changed }])
  })

  test('a product is found by its new name, and no longer by the old one', async () => {
    const { id } = await create('Teapot')
    await patch(id, { revision: 1, name: 'Samovar' })
    expect([await listed({ q: 'samovar' }), await listed({ q: 'teapot' })]).toEqual([[id], []])
  })

  test('the audit log has the product before and after', async () => {
    const before = await create()
    const { body: after } = await patch(before.id, { revision: 1, active: false })
    const { data } = await platform().call(contract.audit.list, { query: { operation: 'products.update', limit: 100 } })
    expect(data.find(({ resourceId }) => resourceId === before.id)).toMatchObject({
      operation: 'products.update',
      resourceType: 'product',
      resourceId: before.id,
      changes: { before: { active: true, revision: 1 }, after: { active: false, revision: 2 } },
    })
    expect(after).toMatchObject({ active: false, revision: 2 })
  })

  test('of two clients at once one wins, and the other sees both states', async () => {
    const { id } = await create()
    const answers = await Promise.all(['Ada', 'Bea'].map((name) => patch(id, { revision: 1, name })))
    const [won, lost] = answers.toSorted((one, other) => one.status - other.status)
    expect([won?.status, lost?.status]).toEqual([200, 409])
    expect(lost?.body).toMatchObject({
      error: { code: 'revision_conflict', expectedRevision: 1, currentRevision: 2, current: won?.body },
    })
    expect(await read(id)).toEqual(won?.body)
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test('a change that changes nothing keeps the revision and emits no event', async () => {
    const product = await create()
    expect((await patch(product.id, { revision: 1, name: 'Mug', description: 'Holds tea.' })).body).toEqual(product)
    expect(await eventsOf(product.id)).toEqual([])
  })

  test('the entity tag of a read is an If-Match, which an older one no longer is', async () => {
    const { id } = await create()
    const path = `/api/public/v1/products/${id}`
    const { headers } = await platform().request('GET', path)
    const ifMatch = { 'If-Match': String(headers['etag']) }
    expect((await patch(id, { name: 'Cup' }, ifMatch)).status).toBe(200)
    expect((await patch(id, { name: 'Bowl' }, ifMatch)).body).toMatchObject({ error: { code: 'revision_conflict' } })
    const changed = await platform().request('GET', path, { headers: { 'If-None-Match': ifMatch['If-Match'] } })
    expect([changed.status, Object(changed.body).name]).toEqual([200, 'Cup'])
  })

  test('the revision may come as If-Match, and a key used again with another is refused', async () => {
    const { id } = await create()
    const headers = { 'Idempotency-Key': `key-${id}` }
    expect((await patch(id, { name: 'Cup' }, { ...headers, 'If-Match': '"1"' })).status).toBe(200)
    const again = await patch(id, { name: 'Cup' }, { ...headers, 'If-Match': '"2"' })
    expect(again.body).toMatchObject({ error: { code: 'idempotency_key_reused' } })
  })

  test.for<[what: string, body: object, param: string, message: RegExp]>([
    ['no revision', { name: 'Cup' }, 'revision', /read the product/],
    ['a field that cannot change', { revision: 1, storeId: 'other' }, 'storeId', /storeId/],
    ['a field that nothing has', { revision: 1, colour: 'red' }, 'colour', /colour/],
    ['null of a field that cannot be empty', { revision: 1, name: null }, 'name', /name/],
  ])('%s is refused', async ([, body, param, message]) => {
    const { id } = await create()
    const refused = await patch(id, body)
    expect([refused.status, refused.body]).toMatchObject([400, { error: { param } }])
    expect(Object(refused.body).message).toMatch(message)
    expect((await read(id)).revision).toBe(1)
  })

  test('an archived product is left out of lists, can be read, and comes back', async () => {
    const { id } = await create('Heirloom')
    const move = (to: 'archive' | 'unarchive', revision: number) =>
      platform().call(contract.products[to], { params: { productId: id }, body: { revision } })
    expect(await move('archive', 1)).toMatchObject({ archived: true, revision: 2 })
    expect(await listed({ q: 'heirloom' })).toEqual([])
    expect(await listed({ q: 'heirloom', archived: true })).toEqual([id])
    expect((await read(id)).archived).toBe(true)
    expect(await move('archive', 2)).toMatchObject({ archived: true, revision: 2 })
    expect(await move('unarchive', 2)).toMatchObject({ archived: false, revision: 3 })
    expect(await listed({ q: 'heirloom' })).toEqual([id])
    const events = (await eventsOf(id)).map((properties) => [Object(properties).revision, Object(properties).archived])
    expect(events.toSorted()).toEqual([
      [2, true],
      [3, false],
    ])
  })
})
