import { bankSimulator } from '@tillwright/bank-simulator'
import { contract } from '@tillwright/contract'
import { expect, onTestFinished, test } from 'vitest'
import { numbered } from '../../test/processors/new-authorisation.ts'
import { subscribeAt } from '../../test/subscribe.ts'
import { startTestPlatform } from '../../test/test-platform.ts'
import type { ProcessorDriver } from '../processors/processor-driver.ts'
import { simulatorOf } from '../processors/simulator.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const WITHOUT_FUNDS = '4000000000009995'

/** Declines what the merchant asks for while no buyer is there, and its answers to that are lost. */
const mute: ProcessorDriver = {
  ...simulatorOf(bankSimulator),
  name: 'mute',
  async open(processor) {
    const driver = await simulatorOf(bankSimulator).open(processor)
    return {
      ...driver,
      async authorise(authorisation) {
        if (authorisation.initiatedBy === 'buyer') return driver.authorise(authorisation)
        const method = { type: 'card', card: numbered(WITHOUT_FUNDS, null), network: null } as const
        await driver.authorise({ ...authorisation, method })
        throw new Error('The answer is lost.')
      },
    }
  },
}

test('a renewal whose decline is only found by asking for it brings its buyer back, once', async () => {
  const platform = await startTestPlatform({ processors: [mute] })
  onTestFinished(() => platform.remove())
  const { call, clock, services } = platform
  const subscriptionId = await subscribeAt(platform, mute)
  const eventsOf = async (type: string) =>
    (await services.db.read('SELECT properties FROM events WHERE event_type = ?', [type])).map(({ properties }) =>
      JSON.parse(String(properties)),
    )
  clock.advance(32 * DAY_MS)
  await expect
    .poll(async () => (clock.advance(5_001), (await eventsOf('s_subscription_past_due')).length), { timeout: 60_000 })
    .toBe(1)
  const [event, ...more] = await eventsOf('s_subscription_action_required')
  expect([event, more]).toMatchObject([{ subscriptionId, status: 'past_due' }, []])
  const { url } = await call(contract.subscriptions.createRecoveryLink, { params: { subscriptionId } })
  const subjectOf = (link: string) =>
    JSON.parse(Buffer.from(new URL(link).hash.slice(1).split('.')[0] ?? '', 'base64url').toString()).slice(0, 3)
  expect(subjectOf(event.recoveryUrl)).toEqual(subjectOf(url))
})
