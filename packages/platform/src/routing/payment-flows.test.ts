import { type CallOf, contract, type PaymentFlow } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { sharedPlatform, ruleEngines } from '../../test/test-platform.ts'
import { insertProcessor } from '../processors/processors.ts'

type Data = CallOf<typeof contract.paymentFlows.create>['body']['data']

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  let made = 0

  async function newProcessor(accountId = platform().local.accountId): Promise<string> {
    const id = `processor_${engine}_${(made += 1)}`
    await platform().services.db.write([insertProcessor({ id, accountId, name: 'P', driver: 'simulator' }, 0)])
    return id
  }
  const dataOf = (processorId: string, change: Partial<Data> = {}): Data => ({
    name: 'Flow',
    strategy: 'cascade',
    processorConfigs: [{ processorId }],
    ...change,
  })
  const create = (data: Data) => platform().call(contract.paymentFlows.create, { body: { data } })
  const refused = (data: Data) => platform().request('POST', contract.paymentFlows.create.path, { body: { data } })
  const list = (query: { limit?: number; after?: string } = {}) =>
    platform().call(contract.paymentFlows.list, { query })

  test('a flow comes back with its defaults', async () => {
    const processorId = await newProcessor()
    const flow = await create(dataOf(processorId, { processorConfigs: [{ processorId, weight: 3 }] }))
    expect(flow).toEqual({
      id: expect.stringMatching(/^flow_[0-9A-Za-z]{22}$/),
      name: 'Flow',
      strategy: 'cascade',
      threeDsEnabled: false,
      stickyProcessorEnabled: false,
      pickProcessorStrategy: 'weighted',
      fallbackMode: false,
      maxFallbackRetries: 0,
      processorConfigs: [{ processorId, weight: 3, disabled: false, nonStickable: false }],
      fallbackProcessorConfigs: [],
      abuseDetectionConfig: null,
      exemptionPolicy: null,
      createdAt: expect.any(String),
      archived: false,
      revision: 1,
      updatedAt: flow.createdAt,
    })
    expect(await list()).toContainEqual(flow)
  })

  test('every processor of a flow is one of the account’s, and the first that is not is named by its place', async () => {
    const { addAccount, services } = platform()
    const own = await newProcessor()
    const foreign = await newProcessor((await addAccount()).accountId)
    const archived = await newProcessor()
    await services.db.write([{ sql: 'UPDATE processors SET archived_at = 1 WHERE id = ?', params: [archived] }])
    for (const processorId of ['none', foreign, archived]) {
      const answer = await refused(dataOf(own, { processorConfigs: [{ processorId: own }, { processorId }] }))
      expect(answer.status).toBe(404)
      expect(answer.error).toMatchObject({ code: 'resource_missing', param: 'data.processorConfigs[1].processorId' })
    }
    const fallback = await refused(dataOf(own, { fallbackProcessorConfigs: [{ processorId: 'none' }] }))
    expect(fallback.error.param).toBe('data.fallbackProcessorConfigs[0].processorId')
  })

  test('a processor stands once in a list, and may stand in both', async () => {
    const processorId = await newProcessor()
    const twice = await refused(dataOf(processorId, { processorConfigs: [{ processorId }, { processorId }] }))
    expect([twice.status, twice.error.param]).toEqual([400, 'data.processorConfigs[1].processorId'])
    const both = await create(dataOf(processorId, { fallbackProcessorConfigs: [{ processorId }] }))
    expect(both.fallbackProcessorConfigs).toHaveLength(1)
  })

  test('an archived processor vanishes from the flows that are read', async () => {
    const [kept, gone] = [await newProcessor(), await newProcessor()]
    const { id } = await create(dataOf(kept, { processorConfigs: [{ processorId: kept }, { processorId: gone }] }))
    await platform().services.db.write([{ sql: 'UPDATE processors SET archived_at = 1 WHERE id = ?', params: [gone] }])
    const found = (await list()).find((flow) => flow.id === id)
    expect(found?.processorConfigs.map(({ processorId }) => processorId)).toEqual([kept])
  })

  test('archived flows and those of other accounts are not listed', async () => {
    const { services, addKey, addAccount, call } = platform()
    const { id } = await create(dataOf(await newProcessor()))
    const { accountId } = await addAccount()
    const admin = await addKey({ accountId, roles: ['org:admin'] })
    expect(await call(contract.paymentFlows.list, { query: {} }, admin)).toEqual([])
    await services.db.write([{ sql: 'UPDATE payment_flows SET archived = 1 WHERE id = ?', params: [id] }])
    expect((await list()).map((flow) => flow.id)).not.toContain(id)
  })

  test('pages of a list, each found by the link in the last, make up the whole, and no flow comes twice', async () => {
    const processorId = await newProcessor()
    for (let i = 0; i < 5; i++) await create(dataOf(processorId))
    const whole = await list()
    const { request, local } = platform()
    const pages: PaymentFlow[][] = []
    for (let path = '/api/public/v1/payment-flows?limit=2'; path !== '';) {
      const answer = await request('GET', path, { key: local.adminApiKey })
      pages.push(contract.paymentFlows.list.response.parse(answer.body))
      const { link = '' } = answer.headers
      path = /^<([^>]+)>; rel="next"$/.exec(String(link))?.[1] ?? ''
    }
    expect(pages.flat()).toEqual(whole)
    expect(pages.slice(0, -1).every((page) => page.length === 2)).toBe(true)
  })

  test('a page that is to begin after an unknown flow is a 400 of after, also where another account has it', async () => {
    const { request, local, addAccount } = platform()
    const foreign = await addAccount()
    const { id } = await platform().call(
      contract.paymentFlows.create,
      { body: { data: dataOf(await newProcessor(foreign.accountId)) } },
      foreign.apiKey,
    )
    for (const after of ['flow_none', id]) {
      const path = `${contract.paymentFlows.list.path}?limit=1&after=${after}`
      const { status, error } = await request('GET', path, { key: local.adminApiKey })
      expect([status, error.code, error.param]).toEqual([400, 'parameter_invalid', 'after'])
      expect(error.message).toContain(`after is '${after}', which is no payment flow of this account`)
    }
  })

  test('a list that is whole has no link', async () => {
    const { request, local } = platform()
    const answer = await request('GET', '/api/public/v1/payment-flows?limit=100', { key: local.adminApiKey })
    expect(answer.headers['link']).toBeUndefined()
  })

  test('a new flow is one event', async () => {
    const { id } = await create(dataOf(await newProcessor()))
    const events = await platform().services.db.read(
      'SELECT event_type, properties FROM events WHERE properties LIKE ?',
      [`%${id}%`],
    )
    expect(events).toEqual([
      { event_type: 's_payment_flow_created', properties: JSON.stringify({ paymentFlowId: id, name: 'Flow' }) },
    ])
  })
})
