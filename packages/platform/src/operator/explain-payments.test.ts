import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { newFlow } from '../../test/payments/new-flow.ts'
import { sharedPlatforms } from '../../test/shared-platforms.ts'
import { testableEngines } from '../../test/test-platform.ts'
import { readConfig } from '../config.ts'
import { openOperator, type Operator } from './operator.ts'

describe.each(testableEngines())('on %s', (engine) => {
  const platforms = sharedPlatforms(engine)
  const platform = () => platforms()[0]
  let operator: Operator
  beforeAll(async () => {
    operator = await openOperator(readConfig(platform().settings))
  })
  afterAll(() => operator.close())

  test('a payment is explained with every attempt, and the names of those who were asked', async () => {
    const { flow, processorIds } = await newFlow(platform(), 1)
    const { id } = await newInstrument(platform(), { number: '4000000000009995' })
    const { error } = await requestPayment(platform(), { paymentInstrumentId: id, paymentFlowId: flow.id })
    const payment = error.paymentId ?? ''
    const explained = await operator.payments.explain({ payment, account: platform().local.accountId })
    expect(explained).toMatchObject({
      flow: { id: flow.id, name: 'In order' },
      payment: {
        id: payment,
        attempts: [
          { processorId: processorIds[0], outcome: 'soft_decline', decision: { pool: 'primary', sticky: 'off' } },
          { processorId: processorIds[1], outcome: 'soft_decline', decision: { pool: 'fallback' } },
        ],
        routing: { stopped: 'retries_used_up' },
      },
    })
    expect(Object.keys(explained.processors)).toEqual(expect.arrayContaining([...processorIds]))
  })

  test('payments of the past are counted by where another flow would have sent them, and stay where they are', async () => {
    const account = platform().local.accountId
    platform().clock.advance(1_000)
    const sinceMs = platform().clock.now()
    const one = await newFlow(platform(), 0)
    const other = await newFlow(platform(), 0)
    const { id } = await newInstrument(platform())
    for (let i = 0; i < 3; i++) {
      await requestPayment(platform(), { paymentInstrumentId: id, paymentFlowId: one.flow.id })
    }
    const charges = () => platform().parts.db.read('SELECT attempt_id FROM simulator_charges ORDER BY 1', [])
    const before = await charges()
    expect(await operator.flows.replay({ account, flow: other.flow.id, sinceMs })).toMatchObject({
      payments: 3,
      unchanged: 0,
      refused: 0,
      processors: [
        { processorId: other.processorIds[0], before: 0, after: 3 },
        { processorId: one.processorIds[0], before: 3, after: 0 },
      ],
    })
    expect(await operator.flows.replay({ account, flow: one.flow.id, payments: 2 })).toMatchObject({
      payments: 2,
      unchanged: 2,
    })
    expect(await charges()).toEqual(before)
  })
})
