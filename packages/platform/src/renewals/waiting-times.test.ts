import { bankSimulator } from '@tillwright/bank-simulator'
import { contract } from '@tillwright/contract'
import { expect, onTestFinished, test } from 'vitest'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { recurringVariant } from '../../test/subscribe.ts'
import { startTestPlatform } from '../../test/test-platform.ts'
import { commit } from '../http/operations/commit.ts'
import { declined } from '../processors/authorisation.ts'
import type { ProcessorDriver } from '../processors/processor-driver.ts'
import { insertProcessor } from '../processors/processors.ts'
import { simulatorOf } from '../processors/simulator.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

test('a renewal that was declined with the advice to wait for ten days is not tried before, and its processor is asked no sooner', async () => {
  const askedMs: number[] = []
  const simulator = simulatorOf(bankSimulator)
  const advising: ProcessorDriver = {
    ...simulator,
    name: 'advising',
    async open(processor) {
      const driver = await simulator.open(processor)
      return {
        ...driver,
        authorise(authorisation) {
          if (authorisation.initiatedBy === 'buyer') return driver.authorise(authorisation)
          askedMs.push(processor.services.clock.now())
          return Promise.resolve(declined('insufficient_funds', { reference: null, advice: '30' }))
        },
      }
    },
  }
  const platform = await startTestPlatform({ processors: [advising] })
  onTestFinished(() => platform.remove())
  const { services, local, clock, call } = platform
  const processor = { id: 'processor_advising', accountId: local.accountId, name: 'Advising', driver: 'advising' }
  await commit([insertProcessor(processor, clock.now())], services)
  const data = { name: 'Advising', strategy: 'simple' as const, processorConfigs: [{ processorId: processor.id }] }
  const { id: paymentFlowId } = await call(contract.paymentFlows.create, { body: { data } })
  const { id: paymentInstrumentId } = await newInstrument(platform)
  const lines = [{ variantId: await recurringVariant(platform), quantity: 1 }]
  const { body } = await requestPayment(platform, { paymentInstrumentId, paymentFlowId, amount: undefined, lines })
  const [link] = contract.payments.create.response.parse(body).subscriptions
  const params = { subscriptionId: link?.subscriptionId ?? '' }

  clock.advance(32 * DAY_MS)
  await expect.poll(() => (clock.advance(5_001), askedMs.length), { timeout: 60_000 }).toBe(1)
  const pastDue = async () => call(contract.subscriptions.get, { params })
  await expect.poll(async () => (await pastDue()).status, { timeout: 60_000 }).toBe('past_due')
  const [firstMs = 0] = askedMs
  expect(Date.parse((await pastDue()).nextPaymentAt ?? '') - firstMs).toBeGreaterThanOrEqual(10 * DAY_MS)
  clock.advance(11 * DAY_MS)
  await expect.poll(() => (clock.advance(5_001), askedMs.length), { timeout: 60_000 }).toBe(2)
  expect((askedMs[1] ?? 0) - firstMs).toBeGreaterThanOrEqual(10 * DAY_MS)
})
