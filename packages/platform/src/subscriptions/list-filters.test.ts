import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { subscribe } from '../../test/subscribe.ts'
import { ruleEngines, sharedPlatform } from '../../test/test-platform.ts'
import { DAY_MS } from './periods.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  test('the trials that end in a week are found by their next payment, without what is paused or has ended', async () => {
    const { call, clock } = platform()
    const trial = (trialDays: number) => subscribe(platform(), { trialDays })
    const [soon, inAWeek, , paused, canceled] = [
      await trial(3),
      await trial(7),
      await trial(14),
      await trial(7),
      await trial(7),
    ]
    await call(contract.subscriptions.pause, { params: { subscriptionId: paused.id } })
    await call(contract.subscriptions.cancel, { params: { subscriptionId: canceled.id }, body: { atPeriodEnd: false } })
    const at = (days: number) => new Date(clock.now() + days * DAY_MS).toISOString()
    const found = async (query: object) =>
      (await call(contract.subscriptions.list, { query })).data.map(({ id }) => id).toSorted()
    expect(await found({ status: 'trialing', nextPaymentFrom: at(6), nextPaymentBefore: at(8) })).toEqual([inAWeek.id])
    expect(await found({ nextPaymentBefore: at(8) })).toEqual([soon.id, inAWeek.id].toSorted())
    expect(await found({ status: 'paused', nextPaymentFrom: at(0) })).toEqual([])
    expect(await found({ nextPaymentFrom: inAWeek.nextPaymentAt ?? '', nextPaymentBefore: at(8) })).toEqual([
      inAWeek.id,
    ])
  })

  test('what ends with its period is found as well', async () => {
    const { call } = platform()
    const { id: subscriptionId, customerId } = await subscribe(platform())
    await call(contract.subscriptions.cancel, { params: { subscriptionId }, body: {} })
    const found = async (cancelAtPeriodEnd: boolean) =>
      (await call(contract.subscriptions.list, { query: { customerId, cancelAtPeriodEnd } })).data.length
    expect([await found(true), await found(false)]).toEqual([1, 0])
  })
})
