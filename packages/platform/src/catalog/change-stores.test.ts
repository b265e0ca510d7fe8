import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newInstrument } from '../../test/pay-with-card.ts'
import { ruleEngines, sharedPlatform } from '../../test/test-platform.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const create = (fields: object = {}) =>
    platform().call(contract.stores.create, {
      body: { name: 'Harbour Goods', selectedPaymentFlowId: platform().local.paymentFlowId, ...fields },
    })
  const patch = (id: string, body: object) => platform().request('PATCH', `/api/catalog/v1/stores/${id}`, { body })
  const move = (storeId: string, to: 'archive' | 'unarchive', revision: number) =>
    platform().call(contract.stores[to], { params: { storeId }, body: { revision } })
  const codeOf = ({ status, body }: { status: number; body: unknown }) => [status, Object(Object(body).error).code]
  const credentialsOf = async (id: string) => {
    const sql = 'SELECT credentials FROM stores WHERE account_id = ? AND id = ?'
    const [row] = await platform().services.db.read(sql, [platform().local.accountId, id])
    const sealed = row?.['credentials']
    if (sealed === null || sealed === undefined) return null
    return platform().services.secrets.open('store credentials', String(sealed), id).toString()
  }

  test('a store is changed by a merge patch, and is found by its new name', async () => {
    const before = await create({ config: '{"a":1}', baseCurrency: 'USD' })
    const sent = { name: `Quay ${engine}`, config: null, chargeCurrencies: 'EUR', selectedPaymentFlowId: null }
    const { status, body } = await patch(before.id, { revision: 1, ...sent })
    expect([status, body]).toEqual([200, { ...before, ...sent, revision: 2, updatedAt: expect.any(String) }])
    expect(await platform().call(contract.stores.get, { params: { storeId: before.id } })).toEqual(body)
    const found = await platform().call(contract.stores.list, { query: { q: `quay ${engine}` } })
    expect(found.data).toEqual([body])
  })

  test('credentials are replaced and forgotten, are a change of their own, and are never shown', async () => {
    const { id } = await create({ credentials: 'first-credentials' })
    const replaced = await patch(id, { revision: 1, credentials: 'second-credentials' })
    expect(replaced.body).toMatchObject({ revision: 2 })
    expect(JSON.stringify(replaced.body)).not.toContain('second-credentials')
    expect(await credentialsOf(id)).toBe('second-credentials')
    expect((await patch(id, { revision: 2, name: 'Other' })).status).toBe(200)
    expect(await credentialsOf(id)).toBe('second-credentials')
    expect((await patch(id, { revision: 3, credentials: null })).body).toMatchObject({ revision: 4 })
    expect(await credentialsOf(id)).toBeNull()
    const log = await platform().services.db.read(`SELECT changes FROM audit_entries WHERE resource_id = ?`, [id])
    expect(JSON.stringify(log)).not.toContain('second-credentials')
    const { data } = await platform().call(contract.eventLog.list, { query: { types: 's_store_updated', limit: 100 } })
    const ofStore = data.map(({ properties }) => Object(properties)).filter(({ storeId }) => storeId === id)
    expect(ofStore.map(({ changed }) => changed).toSorted()).toEqual([['credentials'], ['credentials'], ['name']])
  })

  test('the rules of a new store hold for a change too', async () => {
    const { id } = await create()
    const unsafe = await patch(id, { revision: 1, customThankYouUrl: 'https://ada:secret@shop.example/' })
    const unknown = await patch(id, { revision: 1, selectedPaymentFlowId: 'flow_none' })
    const moved = await patch(id, { revision: 1, accountId: 'acc_other' })
    expect([unsafe, unknown, moved].map(codeOf)).toEqual([
      [400, 'parameter_invalid'],
      [404, 'resource_missing'],
      [400, 'parameter_invalid'],
    ])
  })

  test('an archived store makes no new sales, and sells again when it is unarchived', async () => {
    const { storeId } = platform().local
    const { id: paymentInstrumentId } = await newInstrument(platform())
    const { revision } = await platform().call(contract.stores.get, { params: { storeId } })
    const pay = () =>
      platform().request('POST', contract.payments.create.path, {
        body: { storeId, paymentInstrumentId, currency: 'USD', amount: 100 },
      })
    const quote = () =>
      platform().request('POST', contract.orders.quote.path, {
        body: { storeId, currency: 'USD', lines: [{ variantId: 'v' }] },
      })
    expect(await move(storeId, 'archive', revision)).toMatchObject({ archived: true, revision: revision + 1 })
    expect([codeOf(await pay()), codeOf(await quote())]).toEqual([
      [409, 'state_conflict'],
      [409, 'state_conflict'],
    ])
    const listed = async (archived: boolean) =>
      (await platform().call(contract.stores.list, { query: { archived, limit: 100 } })).data.map(({ id }) => id)
    expect([(await listed(false)).includes(storeId), (await listed(true)).includes(storeId)]).toEqual([false, true])
    await move(storeId, 'unarchive', revision + 1)
    expect((await pay()).status).toBe(201)
  })
})
