import { contract } from '@tillwright/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorise, newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { newFlow } from '../../test/payments/new-flow.ts'
import { sharedPlatforms } from '../../test/shared-platforms.ts'
import { sharedPlatform, ruleEngines } from '../../test/test-platform.ts'
import { readConfig } from '../config.ts'
import { openOperator, type Operator } from './operator.ts'
import { managePayments } from './payments.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  test('the ledger of a payment has both sides of each change, in their order', async () => {
    const { call, clock, services } = platform()
    const payments = managePayments(services)
    const { id } = await authorise(platform())
    expect((await payments.ledger({ payment: id })).lines).toEqual([])
    const params = { paymentId: id }
    clock.advance(1)
    await call(contract.payments.capture, { params, body: { amount: 1_500 } })
    clock.advance(1)
    const refunded = await call(contract.payments.refund, { params, body: { amount: 500 } })

    const { payment, lines } = await payments.ledger({ payment: id })
    expect(payment).toEqual(refunded)
    expect(lines.map(({ booking, ledgerAccount, amount }) => [booking, ledgerAccount, amount])).toEqual([
      ['captured', 'processor', 1_500],
      ['captured', 'sales', -1_500],
      ['refunded', 'refunds', 500],
      ['refunded', 'processor', -500],
    ])
    expect(lines.map(({ entry }) => entry)).toEqual(
      [payment.captures[0], payment.captures[0], payment.refunds[0], payment.refunds[0]].map((each) => each?.id),
    )
  })

  test('a payment of another account is not found', async () => {
    const { services } = platform()
    const { id } = await authorise(platform())
    const { accountId } = await platform().addAccount()
    await expect(managePayments(services).get({ payment: id, account: accountId })).rejects.toThrow(
      `has no payment '${id}'`,
    )
  })
})

describe.each(ruleEngines())('on %s', (engine) => {
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
    const charges = () => platform().services.db.read('SELECT attempt_id FROM simulator_charges ORDER BY 1', [])
    const before = await charges()
    expect(await operator.flows.replay({ account, flow: other.flow.id, sinceMs })).toMatchObject({
      payments: 3,
      moved: 3,
      refused: 0,
      processors: [
        { processorId: other.processorIds[0], before: 0, after: 3 },
        { processorId: one.processorIds[0], before: 3, after: 0 },
      ],
    })
    expect(await operator.flows.replay({ account, flow: one.flow.id, payments: 2 })).toMatchObject({
      payments: 2,
      moved: 0,
    })
    expect(await charges()).toEqual(before)
  })
})
