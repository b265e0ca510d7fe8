import { contract, type Payment } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newProcessor } from '../../test/new-processor.ts'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { sharedPlatforms } from '../../test/shared-platforms.ts'
import { ruleEngines } from '../../test/test-platform.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platforms = sharedPlatforms(engine)

  async function newStickyFlow(change: { nonStickable?: boolean } = {}): Promise<string> {
    const [first, call] = [platforms()[0], platforms()[0].call]
    const ids = [await newProcessor(first), await newProcessor(first), await newProcessor(first)]
    const data = {
      name: 'Sticky',
      strategy: 'simple' as const,
      stickyProcessorEnabled: true,
      processorConfigs: ids.map((processorId) => ({ processorId, ...change })),
    }
    return (await call(contract.paymentFlows.create, { body: { data } })).id
  }

  /** Pays as often as told, on each platform in turn: the first attempts. */
  async function payAgain(paymentInstrumentId: string, paymentFlowId: string, times: number) {
    const [{ local }] = platforms()
    const attempts: Payment['attempts'] = []
    for (let i = 0; i < times; i++) {
      const serverContext = platforms()[i % platforms().length] ?? platforms()[0]
      const order = { paymentInstrumentId, paymentFlowId, storeId: local.storeId }
      const { body } = await requestPayment(serverContext, order, { key: local.apiKey })
      attempts.push(...contract.payments.create.response.parse(body).attempts)
    }
    return attempts
  }

  test('a customer stays with the processor of the last success, whichever process serves the next payment', async () => {
    const { id } = await newInstrument(platforms()[0])
    const attempts = await payAgain(id, await newStickyFlow(), 8)
    expect(attempts.map(({ decision }) => decision.sticky)).toEqual(['none', ...Array(7).fill('kept')])
    expect(new Set(attempts.map(({ processorId }) => processorId)).size).toBe(1)
  })

  test('a customer is kept in one flow, and not where a processor is not sticky', async () => {
    const { id } = await newInstrument(platforms()[0])
    await payAgain(id, await newStickyFlow(), 1)
    const attempts = await payAgain(id, await newStickyFlow({ nonStickable: true }), 2)
    expect(attempts.map(({ decision }) => decision.sticky)).toEqual(['none', 'non_stickable'])
  })

  test('a customer is kept with the processor of a success among the latest hundred payments, and not of one before', async () => {
    const { id } = await newInstrument(platforms()[0])
    const flow = await newStickyFlow()
    await payAgain(id, flow, 1)
    await addUntriedPayments(id, 99)
    expect((await payAgain(id, flow, 1))[0]?.decision.sticky).toBe('kept')
    await addUntriedPayments(id, 100)
    expect((await payAgain(id, flow, 1))[0]?.decision.sticky).toBe('none')
  })

  /** Copies of an instrument's latest payment, which come after it and were tried nowhere. */
  async function addUntriedPayments(paymentInstrumentId: string, total: number): Promise<void> {
    const { db } = platforms()[0].services
    const latest = 'SELECT * FROM payments WHERE payment_instrument_id = ? ORDER BY id DESC LIMIT 1'
    const [row = {}] = await db.read(latest, [paymentInstrumentId])
    const columns = Object.keys(row)
    const sql = `INSERT INTO payments (${columns.join()}) VALUES (${columns.map(() => '?').join()})`
    const copies = Array.from({ length: total }, (_, n) => ({ ...row, id: `${String(row['id'])}-${1_000 + n}` }))
    await db.write(copies.map((copy) => ({ sql, params: Object.values(copy) })))
  }
})
