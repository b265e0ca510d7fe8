import { bankSimulator } from '@tillwright/bank-simulator'
import { contract, type Subscription } from '@tillwright/contract'
import { expect, onTestFinished, test } from 'vitest'
import { numbered } from '../../test/processors/new-authorisation.ts'
import { subscribeAt } from '../../test/subscribe.ts'
import { startTestPlatform } from '../../test/test-platform.ts'
import type { ProcessorDriver } from '../processors/processor-driver.ts'
import { simulatorOf } from '../processors/simulator.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** Answers what the merchant asks for while no buyer is there only when it is told to, and how. */
function hesitant() {
  const asked = Promise.withResolvers<void>()
  const told = Promise.withResolvers<'4242424242424242' | '4000000000009995'>()
  const driver: ProcessorDriver = {
    ...simulatorOf(bankSimulator),
    name: 'hesitant',
    async open(processor) {
      const opened = await simulatorOf(bankSimulator).open(processor)
      return {
        ...opened,
        async authorise(authorisation) {
          if (authorisation.initiatedBy === 'buyer') return opened.authorise(authorisation)
          asked.resolve()
          const method = { type: 'card', card: numbered(await told.promise, null), network: null } as const
          return opened.authorise({ ...authorisation, method })
        },
      }
    },
  }
  return { driver, asked: asked.promise, tell: told.resolve }
}

/** A subscription whose first renewal waits for the processor, and what can be done meanwhile. */
async function renewing() {
  const { driver, asked, tell } = hesitant()
  const platform = await startTestPlatform({ processors: [driver] })
  onTestFinished(() => platform.remove())
  const { call, clock } = platform
  const params = { subscriptionId: await subscribeAt(platform, driver) }
  const before = await call(contract.subscriptions.get, { params })
  clock.advance(31 * DAY_MS)
  await asked
  const until = (wanted: Partial<Subscription>) =>
    expect
      .poll(async () => (clock.advance(5_001), await call(contract.subscriptions.get, { params })), { timeout: 60_000 })
      .toMatchObject(wanted)
  return { platform, params, before, tell, until }
}

test('a cancellation while the next period is being paid ends with that one', async () => {
  const { platform, params, before, tell, until } = await renewing()
  const path = `/api/payments/v1/subscriptions/${params.subscriptionId}/cancel`
  expect(await platform.request('POST', path, { body: { atPeriodEnd: false } })).toMatchObject({
    status: 409,
    error: { code: 'state_conflict' },
  })
  const canceled = await platform.call(contract.subscriptions.cancel, { params, body: {} })
  expect(canceled).toMatchObject({ status: 'active', cancelAtPeriodEnd: true, canceledAt: null })
  tell('4242424242424242')
  await until({ status: 'active', cancelAtPeriodEnd: true, currentPeriodStart: before.currentPeriodEnd })
  platform.clock.advance(31 * DAY_MS)
  await until({ status: 'canceled' })
  const { data } = await platform.call(contract.payments.list, { query: { customerId: before.customerId } })
  expect(data.map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
})

test('if that payment is declined, it ends without a further try, and its buyer is not asked to pay', async () => {
  const { platform, params, before, tell, until } = await renewing()
  await platform.call(contract.subscriptions.cancel, { params, body: {} })
  tell('4000000000009995')
  await until({ status: 'past_due', nextPaymentAmount: 0 })
  const told = await platform.services.db.read('SELECT id FROM events WHERE event_type = ?', [
    's_subscription_action_required',
  ])
  expect(told).toEqual([])
  platform.clock.advance(DAY_MS)
  await until({ status: 'canceled' })
  const { data } = await platform.call(contract.payments.list, { query: { customerId: before.customerId } })
  expect(data.map(({ status }) => status)).toEqual(['declined', 'succeeded'])
})
