import { contract, type PaymentFlow } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { newProcessor } from '../../test/new-processor.ts'
import { newInstrument } from '../../test/pay-with-card.ts'
import { newFlow } from '../../test/payments/new-flow.ts'
import { subscribe } from '../../test/subscribe.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { newAuthenticatedPayment } from '../../test/threeds-payment.ts'

const DAY_MS = 86_400_000

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const place = (id: string, move = '') => `/api/payments/v1/payment-flows/${id}${move}`
  const patch = (id: string, body: object, headers: Record<string, string> = {}) =>
    platform().request('PATCH', place(id), { body, headers })
  const move = (id: string, to: 'archive' | 'unarchive', revision: number) =>
    platform().request('POST', place(id, `/${to}`), { body: { revision } })
  const get = (paymentFlowId: string) => platform().call(contract.paymentFlows.get, { params: { paymentFlowId } })
  const create = async (change: Partial<PaymentFlow> = {}) => (await newFlow(platform(), 0, change)).flow
  const newStore = (selectedPaymentFlowId: string) =>
    platform().call(contract.stores.create, { body: { name: 'Harbour Goods', selectedPaymentFlowId } })
  const select = (storeId: string, revision: number, selectedPaymentFlowId: string | null) =>
    platform().request('PATCH', `/api/catalog/v1/stores/${storeId}`, { body: { revision, selectedPaymentFlowId } })
  const codeOf = ({ status, body }: { status: number; body: unknown }) => [status, Object(Object(body).error).code]
  const search = async (query: object) =>
    (await platform().call(contract.paymentFlows.search, { query: { limit: 100, ...query } })).data
  const eventsOf = async (id: string) => {
    const query = { types: 's_payment_flow_updated', limit: 100 }
    const { data } = await platform().call(contract.eventLog.list, { query })
    return data.map(({ properties }) => Object(properties)).filter(({ paymentFlowId }) => paymentFlowId === id)
  }

  test('a flow is changed by a merge patch, is one event and one entry of the audit log, and is found by its new name', async () => {
    const before = await create({ name: `Old ${engine}` })
    const processorId = await newProcessor(platform())
    const sent = { name: `Québec ${engine}`, strategy: 'simple', threeDsEnabled: true }
    const lists = { processorConfigs: [{ processorId, weight: 2 }] }
    const { status, body } = await patch(before.id, { revision: 1, ...sent, ...lists })
    const processorConfigs = [{ processorId, weight: 2, disabled: false, nonStickable: false }]
    const after = { ...before, ...sent, processorConfigs, revision: 2, updatedAt: expect.any(String) }
    expect([status, body]).toEqual([200, after])
    expect(await get(before.id)).toEqual(body)
    expect(await search({ q: `quebec ${engine}` })).toEqual([body])
    expect(await search({ q: `old ${engine}` })).toEqual([])
    const changed = ['name', 'strategy', 'threeDsEnabled', 'processorConfigs']
    expect(await eventsOf(before.id)).toEqual([
      {
        paymentFlowId: before.id,
        name: sent.name,
        archived: false,
        revision: 2,
        changed: expect.toSatisfy(sameAs(changed)),
      },
    ])
    const { data } = await platform().call(
      contract.audit.list,
      { query: { resourceId: before.id, operation: 'paymentFlows.update' } },
      platform().local.adminApiKey,
    )
    expect(data.map(({ changes }) => changes)).toEqual([
      { before: expect.objectContaining({ name: before.name }), after: expect.objectContaining({ name: sent.name }) },
    ])
  })

  test('a change of nothing keeps the revision and emits nothing', async () => {
    const flow = await create()
    const same = await patch(flow.id, { revision: 1, name: flow.name, processorConfigs: flow.processorConfigs })
    expect([same.status, same.body]).toEqual([200, flow])
    expect(await eventsOf(flow.id)).toEqual([])
  })

  it('of two clients at once one wins, and the other is shown the flow as it is', async () => {
    const { id } = await create()
    const answers = await Promise.all([
      patch(id, { revision: 1, name: 'One' }),
      patch(id, { name: 'Other' }, { 'If-Match': '"1"' }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const won = answers.find(({ status }) => status === 200)?.body
    const lost = answers.find(({ status }) => status === 409)?.body
    expect(Object(lost).error).toMatchObject({
      code: 'revision_conflict',
      expectedRevision: 1,
      currentRevision: 2,
      current: won,
    })
  })

  test('limits are merged one by one, have defaults where there were none, and are cleared by null', async () => {
    const { id } = await create()
    const missing = await patch(id, { revision: 1, abuseDetectionConfig: { maxAttemptsPerIp: 2 } })
    expect([missing.status, missing.error.code, missing.error.param]).toEqual([
      400,
      'parameter_missing',
      'abuseDetectionConfig.enabled',
    ])
    const made = await patch(id, { revision: 1, abuseDetectionConfig: { enabled: true, maxAttemptsPerIp: 2 } })
    const limits = { enabled: true, windowSeconds: 600, maxAttemptsPerIp: 2, maxAttemptsPerCard: 5, action: 'block' }
    expect(made.body).toMatchObject({ revision: 2, abuseDetectionConfig: limits })
    const merged = await patch(id, { revision: 2, abuseDetectionConfig: { action: 'flag' } })
    expect(merged.body).toMatchObject({ revision: 3, abuseDetectionConfig: { ...limits, action: 'flag' } })
    const cleared = await patch(id, { revision: 3, abuseDetectionConfig: null })
    expect(cleared.body).toMatchObject({ revision: 4, abuseDetectionConfig: null })
  })

  test('the rules of a new flow hold for a change too, and fields that cannot be changed are refused', async () => {
    const { id, processorConfigs } = await create()
    const [own] = processorConfigs
    const foreign = await newProcessor(platform(), (await platform().addAccount()).accountId)
    const refused = async (body: object) => {
      const { status, error } = await patch(id, { revision: 1, ...body })
      return [status, error.code, error.param]
    }
    expect(await refused({ processorConfigs: [own, { processorId: foreign }] })).toEqual([
      404,
      'resource_missing',
      'processorConfigs[1].processorId',
    ])
    expect(await refused({ fallbackProcessorConfigs: [own, own] })).toEqual([
      400,
      'parameter_invalid',
      'fallbackProcessorConfigs[1].processorId',
    ])
    expect(await refused({ processorConfigs: [] })).toEqual([400, 'parameter_invalid', 'processorConfigs'])
    expect(await refused({ archived: true })).toEqual([400, 'parameter_invalid', 'archived'])
  })

  test('archived processors stay out of a changed flow that keeps its lists', async () => {
    const { flow, processorIds } = await newFlow(platform(), 1)
    const [kept = '', gone = ''] = processorIds
    await platform().services.db.write([{ sql: 'UPDATE processors SET archived_at = 1 WHERE id = ?', params: [gone] }])
    const { body } = await patch(flow.id, { revision: 1, name: 'Renamed', fallbackProcessorConfigs: [] })
    expect(body).toMatchObject({ revision: 2, fallbackProcessorConfigs: [], processorConfigs: [{ processorId: kept }] })
    expect((await eventsOf(flow.id)).map(({ changed }) => changed)).toEqual([['name']])
  })

  test('flows of other accounts are not found, read, changed or archived', async () => {
    const { id } = await create({ name: `Foreign ${engine}` })
    const { apiKey: key } = await platform().addAccount()
    const answers = await Promise.all([
      platform().request('GET', place(id), { key }),
      platform().request('PATCH', place(id), { key, body: { revision: 1, name: 'Mine' } }),
      platform().request('POST', place(id, '/archive'), { key, body: { revision: 1 } }),
      platform().request('POST', place(id, '/unarchive'), { key, body: { revision: 1 } }),
    ])
    expect(answers.map(codeOf)).toEqual(answers.map(() => [404, 'resource_missing']))
    const found = await platform().call(contract.paymentFlows.search, { query: { q: `foreign ${engine}` } }, key)
    expect(found.data).toEqual([])
    expect(await get(id)).toMatchObject({ name: `Foreign ${engine}`, revision: 1 })
  })

  test('a flow that stores have selected is not archived, and the refusal names them', async () => {
    const { id } = await create()
    const [one, other] = [await newStore(id), await newStore(id)]
    const refused = await move(id, 'archive', 1)
    expect(codeOf(refused)).toEqual([409, 'state_conflict'])
    expect(refused.error.message).toContain(`'${one.id}'`)
    expect(refused.error.message).toContain(`'${other.id}'`)
    for (const store of [one, other]) expect((await select(store.id, 1, null)).status).toBe(200)
    expect((await move(id, 'archive', 1)).body).toMatchObject({ archived: true, revision: 2 })
  })

  it('of an archive and a store that selects the flow at once only one succeeds', async () => {
    for (let round = 0; round < 3; round++) {
      const { id } = await create()
      const store = await platform().call(contract.stores.create, { body: { name: 'Harbour Goods' } })
      const [archived, selected] = await Promise.all([move(id, 'archive', 1), select(store.id, 1, id)])
      expect([archived.status, selected.status].toSorted()).toEqual([200, 409])
    }
  })

  test('an archived flow takes nothing new, is listed when it is asked for, and comes back', async () => {
    const { id } = await create({ name: `Retired ${engine}` })
    const instrument = await newInstrument(platform())
    const pay = () =>
      platform().request('POST', contract.payments.create.path, {
        body: {
          storeId: platform().local.storeId,
          paymentInstrumentId: instrument.id,
          paymentFlowId: id,
          currency: 'USD',
          amount: 100,
        },
      })
    const open = () =>
      platform().request('POST', contract.stores.create.path, { body: { name: 'New', selectedPaymentFlowId: id } })
    const store = await platform().call(contract.stores.create, { body: { name: 'Harbour Goods' } })
    expect((await move(id, 'archive', 1)).status).toBe(200)
    const refused = [await pay(), await open(), await select(store.id, 1, id)]
    expect(refused.map(codeOf)).toEqual(refused.map(() => [409, 'state_conflict']))
    expect(refused.map(({ error }) => error.param)).toEqual([
      'paymentFlowId',
      'selectedPaymentFlowId',
      'selectedPaymentFlowId',
    ])
    const ids = async (query: object) => (await search({ q: `retired ${engine}`, ...query })).map((flow) => flow.id)
    expect([await ids({}), await ids({ archived: true })]).toEqual([[], [id]])
    expect(await get(id)).toMatchObject({ archived: true, revision: 2 })
    expect((await move(id, 'unarchive', 2)).body).toMatchObject({ archived: false, revision: 3 })
    expect((await pay()).status).toBe(201)
  })

  test('an archived flow ends what it has begun: a payment under way is charged, and a subscription renews', async () => {
    const { payment } = await newAuthenticatedPayment(platform())
    const { flow } = await newFlow(platform(), 0)
    const subscription = await subscribe(platform(), { order: { paymentFlowId: flow.id } })
    const { revision } = await get(payment.paymentFlowId)
    expect((await move(payment.paymentFlowId, 'archive', revision)).status).toBe(200)
    expect((await move(flow.id, 'archive', 1)).status).toBe(200)
    const continued = await platform().call(contract.payments.continue, { params: { paymentId: payment.id } })
    expect(continued.status).toBe('succeeded')
    const { data } = await platform().call(contract.payments.list, { query: { customerId: subscription.customerId } })
    expect(data).toHaveLength(1)
    platform().clock.advance(32 * DAY_MS)
    const charged = async () => {
      platform().clock.advance(5_001)
      const query = { customerId: subscription.customerId }
      return (await platform().call(contract.payments.list, { query })).data.map(({ status }) => status)
    }
    await expect.poll(charged, { timeout: 60_000 }).toEqual(['succeeded', 'succeeded'])
    await move(payment.paymentFlowId, 'unarchive', revision + 1)
  })

  test('the list is filtered by time, is paged, and is a CSV file where that is asked for', async () => {
    const name = `Paged${engine}`
    const flows: PaymentFlow[] = []
    for (let made = 0; made < 3; made++) {
      flows.push(await create({ name }))
      platform().clock.advance(1)
    }
    const { data, nextCursor } = await platform().call(contract.paymentFlows.search, { query: { q: name, limit: 2 } })
    const rest = await search({ q: name, after: nextCursor })
    expect([...data, ...rest].map(({ id }) => id)).toEqual(flows.map(({ id }) => id).toReversed())
    expect(await search({ q: name, createdBefore: '2020-01-01T00:00:00Z' })).toEqual([])
    const headers = { Authorization: `Bearer ${platform().local.apiKey}`, Accept: 'text/csv' }
    const csv = await fetch(`${platform().apiUrl}/api/payments/v1/payment-flows?q=${name}`, { headers })
    const lines = (await csv.text()).trim().split(/\r?\n/)
    expect([csv.status, lines.length]).toEqual([200, 4])
    expect(lines[0]).toContain('name,')
  })
})

function sameAs(names: readonly string[]) {
  return (given: string[]) => given.toSorted().join() === names.toSorted().join()
}
