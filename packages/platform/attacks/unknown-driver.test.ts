/**
 * A buyer of a shop whose processor has a driver that this platform does not know: a name mistyped in the database, one
 * from a newer version, or a simulator's row that came along into production. They hope for goods without money.
 */
import { contract } from '@tillwright/contract'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { openOperator } from '../src/operator/operator.ts'
import type { Driver } from '../src/processors/driver.ts'
import { simulatorDriver } from '../src/processors/simulator.ts'
import { newProcessor } from '../test/new-processor.ts'
import { newInstrument, requestPayment } from '../test/pay-with-card.ts'
import { sharedPlatform, startTestPlatform, ruleEngines } from '../test/test-platform.ts'

describe.each(ruleEngines())('in production on %s', (engine) => {
  const platform = sharedPlatform({ engine, environment: 'production' })
  const stopped = 'this platform has no such driver'

  async function processorOf(driver: string): Promise<string> {
    const id = await newProcessor(platform())
    const sql = 'UPDATE processors SET driver = ? WHERE account_id = ? AND id = ?'
    const outcome = await platform().services.db.write([{ sql, params: [driver, platform().local.accountId, id] }])
    expect(outcome.outcome).toBe('committed')
    return id
  }

  async function flowOf(...processorIds: string[]): Promise<string> {
    const data = {
      name: 'F',
      strategy: 'simple' as const,
      processorConfigs: processorIds.map((id) => ({ processorId: id })),
    }
    return (await platform().call(contract.paymentFlows.create, { body: { data } })).id
  }

  test.for(['strype', 'simulatr', 'constructor', 'worldpay'])(
    'nothing is paid through a processor of the driver %s, and operators see why',
    async (driver) => {
      const id = await processorOf(driver)
      const paymentFlowId = await flowOf(id)
      const { id: paymentInstrumentId } = await newInstrument(platform())
      const answer = await requestPayment(platform(), { paymentInstrumentId, paymentFlowId })
      expect(answer.status).toBe(402)
      expect(answer.error.code).toBe('no_eligible_processor')
      expect(answer.error.message).toContain('driver_unavailable')
      const paid = await platform().services.db.read(
        'SELECT attempt_id FROM simulator_charges WHERE processor_id = ?',
        [id],
      )
      expect(paid).toEqual([])
      const errors = platform()
        .logged.map((line) => JSON.parse(line))
        .filter(({ processorId }) => processorId === id)
      expect(errors).toMatchObject([{ level: 50, msg: expect.stringContaining('no driver here') }])
    },
  )

  test('other processors of the flow go on', async () => {
    const [unknown, known] = [await processorOf('strype'), await newProcessor(platform())]
    const paymentFlowId = await flowOf(unknown, known)
    for (let n = 0; n < 5; n++) {
      const { id: paymentInstrumentId } = await newInstrument(platform())
      const answer = await requestPayment(platform(), { paymentInstrumentId, paymentFlowId })
      const payment = contract.payments.create.response.parse(answer.body)
      expect(payment).toMatchObject({ status: 'succeeded', attempts: [{ processorId: known }] })
      expect(payment.attempts[0]?.decision.dropped).toEqual([{ processorId: unknown, reason: 'driver_unavailable' }])
    }
  })

  test('what is left of a payment whose driver has gone since is refused, and not made up', async () => {
    const id = await newProcessor(platform())
    const { id: paymentInstrumentId } = await newInstrument(platform())
    const paymentFlowId = await flowOf(id)
    const answer = await requestPayment(platform(), { paymentInstrumentId, paymentFlowId, captureMethod: 'manual' })
    const payment = contract.payments.create.response.parse(answer.body)
    expect(payment.status).toBe('authorized')
    await platform().services.db.write([
      { sql: "UPDATE processors SET driver = 'gone' WHERE account_id = ? AND id = ?", params: [payment.accountId, id] },
    ])
    await platform().restart()
    const captured = await platform().request('POST', `/api/payments/v1/payments/${payment.id}/capture`, { body: {} })
    expect(captured.status).toBeGreaterThanOrEqual(400)
    const { status, capturedAmount } = await platform().call(contract.payments.get, {
      params: { paymentId: payment.id },
    })
    expect([status, capturedAmount]).toEqual(['authorized', 0])
    const lines = platform().logged.filter((line) => line.includes(id) && line.includes(stopped))
    expect(lines.length).toBeGreaterThanOrEqual(2) // at the start and on use
    const operator = await openOperator(readConfig(platform().settings))
    onTestFinished(() => operator.close())
    expect(await operator.processors.stopped()).toContainEqual({ id, accountId: payment.accountId, driver: 'gone' })
  })

  test.for(['', ' ', 'Stripe', 'stripe ', 'stripe\n', 'strïpe', '1stripe', 'a'.repeat(41)])(
    'no row can have the driver %j',
    async (driver) => {
      const id = await newProcessor(platform())
      const sql = 'UPDATE processors SET driver = ? WHERE account_id = ? AND id = ?'
      const params = [driver, platform().local.accountId, id]
      await expect(platform().services.db.write([{ sql, params }])).rejects.toThrow(/check/i)
    },
  )
})

describe('a simulator in production', () => {
  const opened: string[] = []
  const never: Driver['authorise'] = () => Promise.reject(new Error('A simulator was asked.'))
  const spy = {
    ...simulatorDriver,
    name: 'pretender',
    open: async ({ processorId }: { processorId: string }) => {
      opened.push(processorId)
      return { authorise: never, capture: never, refund: never, void: never, query: never } as unknown as Driver
    },
  }

  test('is not opened for a live payment even where the composition has handed it in', async () => {
    const platform = await startTestPlatform({ environment: 'production', processors: [spy] })
    onTestFinished(() => platform.remove())
    const id = await newProcessor(platform)
    await platform.services.db.write([{ sql: "UPDATE processors SET driver = 'pretender' WHERE id = ?", params: [id] }])
    const data = { name: 'F', strategy: 'simple' as const, processorConfigs: [{ processorId: id }] }
    const { id: paymentFlowId } = await platform.call(contract.paymentFlows.create, { body: { data } })
    const { id: paymentInstrumentId } = await newInstrument(platform)
    const answer = await requestPayment(platform, { paymentInstrumentId, paymentFlowId })
    expect([answer.status, answer.error.code]).toEqual([402, 'no_eligible_processor'])
    await expect(platform.restart()).rejects.toThrow('which moves no money')
    expect(opened).toEqual([])
  })
})
