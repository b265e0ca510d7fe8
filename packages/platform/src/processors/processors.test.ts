import { contract } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { newProcessor } from '../../test/new-processor.ts'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const archive = (processorIds: string[]) => platform().call(contract.processors.delete, { body: { processorIds } })
  const refused = (processorIds: unknown, key = platform().local.adminApiKey) =>
    platform().request('POST', contract.processors.delete.path, { body: { processorIds }, key })

  /** The processors that events say were archived, among these. */
  async function archivedOf(ids: readonly string[]): Promise<string[]> {
    const rows = await platform().services.db.read(
      "SELECT properties FROM events WHERE event_type = 's_processor_archived'",
      [],
    )
    const archived = rows.map((row): string => JSON.parse(String(row['properties'])).processorId)
    return archived.filter((id) => ids.includes(id)).toSorted()
  }

  test('the answer has each processor once, in the order that was asked for', async () => {
    const [a, b] = [await newProcessor(platform()), await newProcessor(platform())]
    expect(await archive([b, a, b])).toEqual({ processors: [b, a] })
    expect(await archivedOf([a, b])).toEqual([a, b].toSorted())
  })

  test('one that is archived already is answered too, and its event is not told again', async () => {
    const [a, b] = [await newProcessor(platform()), await newProcessor(platform())]
    await archive([a])
    expect(await archive([a, b])).toEqual({ processors: [a, b] })
    expect(await archivedOf([a, b])).toEqual([a, b].toSorted())
  })

  test('all or none: the first that the account does not have is named by its place', async () => {
    const own = await newProcessor(platform())
    const foreign = await newProcessor(platform(), (await platform().addAccount()).accountId)
    for (const other of ['none', foreign]) {
      const answer = await refused([own, other, 'none'])
      expect([answer.status, answer.error.code, answer.error.param]).toEqual([
        404,
        'resource_missing',
        'processorIds[1]',
      ])
    }
    expect(await archivedOf([own, foreign])).toEqual([])
    expect(await archive([own])).toEqual({ processors: [own] })
  })

  it('many requests at once archive a processor once', async () => {
    const ids = [await newProcessor(platform()), await newProcessor(platform()), await newProcessor(platform())]
    const answers = await Promise.all([ids, ids.toReversed(), ids, ids.toReversed()].map(archive))
    for (const { processors } of answers) expect(processors.toSorted()).toEqual(ids.toSorted())
    expect(await archivedOf(ids)).toEqual(ids.toSorted())
  })

  test.for([
    ['no list', undefined, 'parameter_missing', 'processorIds'],
    ['an empty list', [], 'parameter_invalid', 'processorIds'],
    ['51 ids', Array(51).fill('x'), 'parameter_invalid', 'processorIds'],
    ['a number', [1], 'parameter_invalid', 'processorIds[0]'],
    ['an empty id', ['x', ''], 'parameter_invalid', 'processorIds[1]'],
  ] as const)('%s is a 400', async ([, processorIds, code, param]) => {
    const answer = await refused(processorIds)
    expect([answer.status, answer.error.code, answer.error.param]).toEqual([400, code, param])
  })

  test('a key without the role org:admin archives nothing', async () => {
    const id = await newProcessor(platform())
    const answer = await refused([id], platform().local.apiKey)
    expect([answer.status, answer.error.code]).toEqual([403, 'role_required'])
    expect(await archivedOf([id])).toEqual([])
  })

  test('an archived processor vanishes from its flow, takes no payment, and stays on those that it took', async () => {
    const { call } = platform()
    const [gone, kept] = [await newProcessor(platform()), await newProcessor(platform())]
    const processorConfigs = [{ processorId: gone }, { processorId: kept }]
    const data = { name: 'F', strategy: 'simple', pickProcessorStrategy: 'ordered' } as const
    const fallbackProcessorConfigs = [{ processorId: gone }]
    const { id: paymentFlowId } = await call(contract.paymentFlows.create, {
      body: { data: { ...data, processorConfigs, fallbackProcessorConfigs } },
    })
    const { id: paymentInstrumentId } = await newInstrument(platform())
    const pay = () => requestPayment(platform(), { paymentInstrumentId, paymentFlowId })
    const before = contract.payments.create.response.parse((await pay()).body)
    expect(before.attempts[0]?.processorId).toBe(gone)

    await archive([gone])
    const flow = async () =>
      (await call(contract.paymentFlows.list, { query: {} })).find(({ id }) => id === paymentFlowId)
    expect(await flow()).toMatchObject({ processorConfigs: [{ processorId: kept }], fallbackProcessorConfigs: [] })
    expect((await pay()).body).toMatchObject({
      attempts: [{ processorId: kept, decision: { dropped: [{ processorId: gone, reason: 'archived' }] } }],
    })
    expect(await call(contract.payments.get, { params: { paymentId: before.id } })).toEqual(before)

    await archive([kept])
    expect(await flow()).toMatchObject({ processorConfigs: [], fallbackProcessorConfigs: [] })
    const answer = await pay()
    expect([answer.status, answer.error.code]).toEqual([402, 'no_eligible_processor'])
  })

  test('a new flow cannot have an archived processor', async () => {
    const id = await newProcessor(platform())
    await archive([id])
    const body = { data: { name: 'F', strategy: 'simple', processorConfigs: [{ processorId: id }] } }
    const answer = await platform().request('POST', contract.paymentFlows.create.path, { body })
    expect([answer.status, answer.error.param]).toEqual([404, 'data.processorConfigs[0].processorId'])
  })
})
