import { bankSimulator } from '@tillwright/bank-simulator'
import { contract, type Subscription } from '@tillwright/contract'
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

test('a card that is declined as expired, with the news of its new date, is charged again by all subscriptions that it had been refused to', async () => {
  const sentYears: number[] = []
  const simulator = simulatorOf(bankSimulator)
  let hasNews = false
  const updating: ProcessorDriver = {
    ...simulator,
    name: 'updating',
    async open(processor) {
      const driver = await simulator.open(processor)
      return {
        ...driver,
        authorise(authorisation) {
          const { initiatedBy, method } = authorisation
          if (initiatedBy === 'buyer' || method.type !== 'card' || method.card.kind !== 'number') {
            return driver.authorise(authorisation)
          }
          sentYears.push(method.card.expYear)
          if (method.card.expYear === 2043) return driver.authorise(authorisation)
          const refused = declined('expired_card', { reference: null })
          const cardUpdate = { expMonth: 6, expYear: 2043, newLast4: null }
          return Promise.resolve(hasNews ? { ...refused, cardUpdate } : refused)
        },
      }
    },
  }
  const platform = await startTestPlatform({ processors: [updating] })
  onTestFinished(() => platform.remove())
  const { services, local, clock, call } = platform
  const processor = { id: 'processor_updating', accountId: local.accountId, name: 'Updating', driver: 'updating' }
  await commit([insertProcessor(processor, clock.now())], services)
  const data = { name: 'Updating', strategy: 'simple' as const, processorConfigs: [{ processorId: processor.id }] }
  const { id: paymentFlowId } = await call(contract.paymentFlows.create, { body: { data } })
  const { id: paymentInstrumentId } = await newInstrument(platform)
  const lines = [{ variantId: await recurringVariant(platform) }]
  const buy = async () => {
    const { body } = await requestPayment(platform, { paymentInstrumentId, paymentFlowId, amount: undefined, lines })
    return contract.payments.create.response.parse(body).subscriptions[0]?.subscriptionId ?? ''
  }
  const until = (subscriptionId: string, wanted: Partial<Subscription>) =>
    expect
      .poll(async () => (clock.advance(5_001), call(contract.subscriptions.get, { params: { subscriptionId } })), {
        timeout: 60_000,
      })
      .toMatchObject(wanted)

  const first = await buy()
  clock.advance(12 * 60 * 60 * 1_000)
  const second = await buy()
  clock.advance(31 * DAY_MS - 12 * 60 * 60 * 1_000)
  await until(first, { status: 'past_due' })
  hasNews = true
  clock.advance(12 * 60 * 60 * 1_000)
  await until(second, { status: 'past_due' })
  clock.advance(DAY_MS)
  await until(first, { status: 'active' })
  await until(second, { status: 'active' })
  expect(sentYears.slice(2)).toEqual([2043, 2043])
})
