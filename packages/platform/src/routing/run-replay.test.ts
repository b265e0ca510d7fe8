import { type CallOf, contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newFlow } from '../../test/payments/new-flow.ts'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { readPastPayments } from './past-payments.ts'

const soft = '4000000000009995'

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const replay = (body: CallOf<typeof contract.paymentFlows.replay>['body']) =>
    platform().call(contract.paymentFlows.replay, { body })
  const payThrough = async (paymentFlowId: string, change: object = {}, number?: string) => {
    const { id: paymentInstrumentId } = await newInstrument(platform(), number === undefined ? {} : { number })
    const answer = await requestPayment(platform(), { paymentInstrumentId, paymentFlowId, ...change })
    return answer.status === 201 ? contract.payments.create.response.parse(answer.body).id : answer.error.paymentId
  }

  test('a draft of a flow tells which of its payments would have gone elsewhere, and moves none', async () => {
    const { flow, processorIds } = await newFlow(platform(), 1)
    const [first = '', second = ''] = processorIds
    const paid = [await payThrough(flow.id), await payThrough(flow.id)]
    platform().clock.advance(1)
    const declined = await payThrough(flow.id, {}, soft)
    await payThrough(flow.id, { currency: 'EUR' })
    await payThrough(platform().local.paymentFlowId)
    const paymentFlowId = flow.id
    const same = await replay({ paymentFlowId, flow: {} })
    expect(same).toMatchObject({ payments: 4, moved: 0, moves: [], complete: true })
    const turned = await replay({ paymentFlowId, flow: { processorConfigs: [{ processorId: second }] } })
    expect(turned).toMatchObject({ payments: 4, moved: 4, refused: 0, otherMoves: 0 })
    expect(turned.moves).toMatchObject([
      { attempt: 'first', fromProcessorId: first, toProcessorId: second, currency: 'USD', brand: 'visa', payments: 3 },
      { currency: 'EUR', payments: 1 },
    ])
    expect(turned.moves[0]?.paymentIds).toEqual([declined, ...paid.toSorted().toReversed()])
    expect(turned.processors).toEqual([
      { processorId: second, before: 0, after: 4 },
      { processorId: first, before: 4, after: 0 },
    ])
    const single = await replay({ paymentFlowId, flow: { strategy: 'simple' } })
    expect(single.moves).toMatchObject([
      { attempt: 'further', fromProcessorId: second, toProcessorId: null, paymentIds: [declined] },
    ])
    const charges = () => platform().services.db.read('SELECT attempt_id FROM simulator_charges ORDER BY 1', [])
    const before = await charges()
    await replay({ flow: { strategy: 'simple', processorConfigs: [{ processorId: second }] } })
    expect(await charges()).toEqual(before)
    expect(await platform().call(contract.paymentFlows.get, { params: { paymentFlowId } })).toEqual(flow)
  })

  test('the payments are the newest of a time and a store, and those of all flows where none is named', async () => {
    const { flow } = await newFlow(platform(), 0)
    const rules = { strategy: flow.strategy, processorConfigs: flow.processorConfigs }
    platform().clock.advance(60_000)
    const createdFrom = new Date(platform().clock.now()).toISOString()
    const older = await payThrough(platform().local.paymentFlowId)
    platform().clock.advance(1_000)
    await payThrough(flow.id)
    const { storeId } = platform().local
    const all = await replay({ flow: rules, createdFrom, storeId })
    expect(all).toMatchObject({ payments: 2, moved: 1, createdFrom })
    expect(all.moves[0]?.paymentIds).toEqual([older])
    expect(await replay({ flow: rules, createdFrom, payments: 1 })).toMatchObject({ payments: 1, moved: 0 })
    const createdBefore = new Date(platform().clock.now()).toISOString()
    expect(await replay({ flow: rules, createdFrom, createdBefore })).toMatchObject({ payments: 1, moved: 1 })
    expect(await replay({ flow: rules, storeId: 'store_other' })).toMatchObject({ payments: 0, createdTo: null })
  })

  test('what is wrong with a draft is named', async () => {
    const refusal = async (body: object) => {
      const { status, error } = await platform().request('POST', contract.paymentFlows.replay.path, { body })
      return [status, error.code, error.param]
    }
    const { paymentFlowId } = platform().local
    const unknown = { processorConfigs: [{ processorId: 'processor_none' }] }
    expect(await refusal({ paymentFlowId, flow: unknown })).toEqual([
      404,
      'resource_missing',
      'flow.processorConfigs[0].processorId',
    ])
    expect(await refusal({ flow: { strategy: 'simple' } })).toEqual([400, 'parameter_missing', 'flow.processorConfigs'])
    expect(await refusal({ paymentFlowId: 'flow_none', flow: {} })).toEqual([404, 'resource_missing', 'paymentFlowId'])
    expect(await refusal({ paymentFlowId, flow: { name: 'x' } })).toEqual([400, 'parameter_invalid', 'flow.name'])
  })

  test('if time runs out, the result is marked as partial', async () => {
    const { db } = platform().services
    const { accountId } = platform().local
    const row = `INSERT INTO payments (account_id, id, order_id, store_id, customer_id, payment_instrument_id,
        payment_flow_id, card_brand, card_last4, status, currency, amount, lease_until, created_at, updated_at)
      SELECT ?, item.value ->> 0, 'order', 'store', 'cus', 'pi', 'flow', 'visa', '4242', 'declined', 'USD', 1, 0, 0, 0
      FROM {items}`
    const ids = Array.from({ length: 1_500 }, (_, at) => [`pay_${String(at).padStart(8, '0')}`])
    await db.write([{ sql: row, params: [accountId, JSON.stringify(ids)] }])
    const wanted = { accountId, sinceMs: 0, limit: 10_000 }
    const some = await readPastPayments({ ...wanted, untilMs: performance.now() }, db)
    const all = await readPastPayments(wanted, db)
    expect([some.isComplete, all.isComplete]).toEqual([false, true])
    expect(some.payments).toEqual(all.payments.slice(-some.payments.length))
  })
})
