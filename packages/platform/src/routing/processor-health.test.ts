import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { wantedProcessor } from '../../test/new-processor.ts'
import { newFlow } from '../../test/payments/new-flow.ts'
import { sharedPlatform, testableEngines } from '../../test/test-platform.ts'

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const healthOf = async (processorId: string) => {
    const { data } = await platform().call(contract.processors.health, {})
    return data.find((each) => each.processorId === processorId)
  }

  test('a processor that fails five times in a row is left alone for half a minute, and tried again', async () => {
    // Nothing listens there.
    const { id: dead } = await platform().call(contract.processors.create, { body: wantedProcessor })
    const { flow, processorIds } = await newFlow(platform(), 1)
    const [working = ''] = processorIds
    const configs = { processorConfigs: [{ processorId: dead }], fallbackProcessorConfigs: [{ processorId: working }] }
    await platform().call(contract.paymentFlows.update, {
      params: { paymentFlowId: flow.id },
      body: { ...configs, revision: 1 },
    })
    expect(await healthOf(dead)).toMatchObject({ circuit: 'closed', attempts: 0, latency: null })
    const { id: paymentInstrumentId } = await newInstrument(platform())
    const payOnce = () => requestPayment(platform(), { paymentInstrumentId, paymentFlowId: flow.id })
    for (let i = 0; i < 6; i++) expect((await payOnce()).status).toBe(201)
    const openUntil = new Date(platform().clock.now() + 30_000).toISOString()
    expect(await healthOf(dead)).toMatchObject({
      circuit: 'open',
      circuitOpenUntil: openUntil,
      circuitOpenIn: 1,
      attempts: 5,
      approved: 0,
      failed: 5,
    })
    expect(await healthOf(working)).toMatchObject({
      circuit: 'closed',
      circuitOpenUntil: null,
      attempts: 6,
      approved: 6,
      latency: { medianMs: 0, p95Ms: 0 },
    })
    // Attempts that skipped it because of its failures skip it in a replay, too.
    const replay = { paymentFlowId: flow.id, flow: {} }
    expect(await platform().call(contract.paymentFlows.replay, { body: replay })).toMatchObject({
      payments: 6,
      moved: 0,
    })
    platform().clock.advance(30_000)
    expect(await healthOf(dead)).toMatchObject({ circuit: 'half_open', circuitOpenUntil: null, circuitOpenIn: 0 })
    platform().clock.advance(15 * 60_000)
    expect(await healthOf(working)).toMatchObject({ attempts: 0 })
  })
})
