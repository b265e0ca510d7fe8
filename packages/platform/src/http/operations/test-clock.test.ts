import { contract } from '@tillwright/contract'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { consoleHeaders, placeMember } from '../../../test/console-browser.ts'
import { subscribe } from '../../../test/subscribe.ts'
import { sharedPlatform, startTestPlatform, testableEngines } from '../../../test/test-platform.ts'

const MONTH_MS = 32 * 86_400_000

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  it('a developer advances the clock past a renewal, which happens then, and stays signed in', async () => {
    const { call, request, clock } = platform()
    const { id, nextPaymentAt, currentPeriodEnd } = await subscribe(platform())
    const { token } = await placeMember(platform(), { role: 'developer' })
    const headers = consoleHeaders(platform(), token)
    const before = await call(contract.testClock.get, {})
    const to = new Date(Date.parse(nextPaymentAt ?? '') + 1_000).toISOString()
    const advanced = await request('POST', contract.testClock.advance.path, { key: '', headers, body: { to } })
    expect(advanced.body).toEqual({ now: to, aheadMs: before.aheadMs + Date.parse(to) - Date.parse(before.now) })
    const renewed = async () => {
      clock.advance(1_000)
      return (await call(contract.subscriptions.get, { params: { subscriptionId: id } })).currentPeriodStart
    }
    await expect.poll(renewed, { timeout: 10_000 }).toBe(currentPeriodEnd)
    expect((await request('GET', contract.me.get.path, { key: '', headers })).status).toBe(200)
    const { data } = await call(contract.audit.list, { query: { operation: 'testClock.advance' } })
    expect(data).toMatchObject([{ actor: { kind: 'member' }, changes: { after: { now: to } } }])
  })

  it('the clock cannot be set back, nor be moved by who may not', async () => {
    const { request, clock, local } = platform()
    const { path } = contract.testClock.advance
    const at = (ms: number) => new Date(clock.now() + ms).toISOString()
    for (const to of [at(0), at(-1_000), at(200 * MONTH_MS)]) {
      const refused = await request('POST', path, { key: local.adminApiKey, body: { to } })
      expect([refused.status, refused.error.param]).toEqual([400, 'to'])
    }
    const { token } = await placeMember(platform(), { role: 'support' })
    const headers = consoleHeaders(platform(), token)
    expect((await request('POST', path, { key: '', headers, body: { to: at(1_000) } })).status).toBe(403)
  })
})

test('production has no test clock', async () => {
  const production = await startTestPlatform({ environment: 'production' })
  onTestFinished(() => production.remove())
  const { request, clock, local } = production
  const to = new Date(clock.now() + MONTH_MS).toISOString()
  const sent = { key: local.adminApiKey, body: { to } }
  const answers = [
    await request('POST', contract.testClock.advance.path, sent),
    await request('GET', contract.testClock.get.path, { key: local.adminApiKey }),
  ]
  expect(answers.map(({ status, error }) => [status, error.code])).toEqual([
    [404, 'route_not_found'],
    [404, 'route_not_found'],
  ])
})
