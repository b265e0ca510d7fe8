import { type BuyerSession, contract } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { beginSession, buyersPage, type BuyersPage, filledPage, payPage } from '../../test/buyer-session.ts'
import { newFunnel } from '../../test/new-funnel.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'

const HOUR_MS = 60 * 60 * 1_000

const steps = [
  { id: 'landing', type: 'landing', name: 'Landing', path: '/' },
  { id: 'checkout', type: 'checkout', name: 'Checkout', path: '/checkout' },
  { id: 'upsell', type: 'upsell', name: 'More', path: '/more' },
  { id: 'draft', type: 'custom', name: 'Draft', path: '/draft', previewOnly: true },
  { id: 'thanks', type: 'thank_you', name: 'Thanks', path: '/thanks' },
]

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })

  const goTo = (page: BuyersPage, stepId: string, headers: Record<string, string> = {}) =>
    page.send('POST', '/go-to', { body: { stepId }, headers })
  /** A moment later: events are told apart by when they happened. */
  const next = (page: BuyersPage, stepId: string) => {
    platform().clock.advance(1)
    return page.call(contract.session.next, { body: { stepId } })
  }
  const goneTo = (page: BuyersPage, stepId: string) => {
    platform().clock.advance(1)
    return page.call(contract.session.goTo, { body: { stepId } })
  }
  const stepOf = (session: BuyerSession) => session.step?.id

  async function entered(): Promise<BuyersPage> {
    const { id: funnelId } = await newFunnel(platform(), { steps })
    return filledPage(platform(), { token: (await beginSession(platform(), { funnelId })).token })
  }

  async function eventsOf({ session }: BuyersPage): Promise<{ type: unknown; properties: Record<string, unknown> }[]> {
    const rows = await platform().services.db.read(
      'SELECT event_type, properties FROM events WHERE properties LIKE ? ORDER BY id',
      [`%${session.sessionId}%`],
    )
    return rows.map((row) => ({ type: row['event_type'], properties: JSON.parse(String(row['properties'])) }))
  }

  test('a buyer goes back and forward again, and the furthest step stays', async () => {
    const page = await entered()
    await next(page, 'landing')
    const back = await goneTo(page, 'landing')
    expect([stepOf(back), back.furthestStepId, back.nextStep?.id]).toEqual(['landing', 'checkout', 'checkout'])
    expect(stepOf(await goneTo(page, 'checkout'))).toBe('checkout')
    const viewed = (await eventsOf(page)).filter(({ type }) => type === 's_funnel_session_step_viewed')
    expect(viewed.map(({ properties }) => properties['stepId'])).toEqual(['landing', 'checkout', 'landing', 'checkout'])
  })

  test('a buyer whose step the merchant removes goes on: behind the checkout once it is paid, else from the beginning', async () => {
    const { id: funnelId } = await newFunnel(platform(), { steps })
    const enter = async () => filledPage(platform(), { token: (await beginSession(platform(), { funnelId })).token })
    const [paying, looking] = [await enter(), await enter()]
    await next(paying, 'landing')
    await payPage(platform(), { ...paying, session: await paying.call(contract.session.get, {}) })
    expect(stepOf(await next(paying, 'checkout'))).toBe('upsell')
    const left = steps.filter(({ id }) => id !== 'upsell' && id !== 'landing')
    await platform().call(contract.funnels.update, { params: { funnelId }, body: { steps: left } })
    const at = await Promise.all([paying, looking].map(({ call }) => call(contract.session.get, {})))
    expect(at.map(({ step, furthestStepId }) => [step?.id, furthestStepId])).toEqual([
      ['thanks', 'thanks'],
      ['checkout', 'checkout'],
    ])
    expect(stepOf(await goneTo(paying, 'checkout'))).toBe('checkout')
    expect(stepOf(await next(paying, 'checkout'))).toBe('thanks')
  })

  test('a step that is further, hidden or unknown is refused, and an offer that was taken stays closed', async () => {
    const page = await entered()
    await next(page, 'landing')
    const early = await Promise.all(['thanks', 'draft', 'none'].map((stepId) => goTo(page, stepId)))
    await payPage(platform(), page)
    await next(page, 'checkout')
    await payPage(platform(), await filledPage(platform(), { token: page.token }))
    await next(page, 'upsell')
    const late = await goTo(page, 'upsell')
    expect([...early, late].map(({ status, error }) => [status, error.code, error.param])).toEqual([
      [409, 'state_conflict', 'stepId'],
      [404, 'resource_missing', 'stepId'],
      [404, 'resource_missing', 'stepId'],
      [409, 'state_conflict', 'stepId'],
    ])
    expect(late.error.message).toContain('offer was left')
    expect(stepOf(await goneTo(page, 'checkout'))).toBe('checkout')
  })

  test('a staging preview goes to any step, also to the end', async () => {
    const { id: funnelId, storeId } = await newFunnel(platform(), { steps })
    const asked = { params: { funnelId }, body: { storeId, stepId: 'landing' } }
    const page = await buyersPage(platform(), (await platform().call(contract.funnels.previewSession, asked)).token)
    for (const stepId of ['draft', 'thanks', 'upsell']) {
      expect(stepOf(await goneTo(page, stepId))).toBe(stepId)
    }
    expect(await page.call(contract.session.get, {})).toMatchObject({ isCompleted: true, furthestStepId: 'thanks' })
  })

  test('a production preview goes through the funnel as a buyer does', async () => {
    const { id: funnelId, storeId } = await newFunnel(platform(), { steps })
    const body = { storeId, stepId: 'landing', environment: 'production' } as const
    const { token } = await platform().call(contract.funnels.previewSession, { params: { funnelId }, body })
    const page = await filledPage(platform(), { token })
    const early = await Promise.all(['thanks', 'draft'].map((stepId) => goTo(page, stepId)))
    expect(early.map(({ status }) => status)).toEqual([409, 404])
    await next(page, 'landing')
    expect((await payPage(platform(), page)).status).toBe(201)
    expect((await next(page, 'checkout')).nextStep?.id).toBe('thanks')
    expect(stepOf(await next(page, 'upsell'))).toBe('thanks')
    const { isPreview, isCompleted } = await page.call(contract.session.get, {})
    expect([isPreview, isCompleted]).toEqual([true, true])
  })

  it('two tabs that go to one step are both there, and once', async () => {
    const page = await entered()
    await next(page, 'landing')
    const headers = { 'Idempotency-Key': `back-${engine}` }
    const answers = await Promise.all([goTo(page, 'landing'), goTo(page, 'landing', headers)])
    const again = await goTo(page, 'landing', headers)
    expect([...answers, again].map(({ status }) => status)).toEqual([200, 200, 200])
    expect(again.text).toBe(answers[1]?.text)
    const viewed = (await eventsOf(page)).filter(({ type }) => type === 's_funnel_session_step_viewed')
    expect(viewed).toHaveLength(3)
  })

  it('two tabs of which one goes on and one goes back end at one of both', async () => {
    const page = await entered()
    await next(page, 'landing')
    await payPage(platform(), page)
    const [onward, back] = await Promise.all([next(page, 'checkout'), goTo(page, 'landing')])
    expect([back.status, onward.furthestStepId]).toEqual([200, expect.stringMatching(/^(checkout|upsell)$/)])
    const { step, furthestStepId } = await page.call(contract.session.get, {})
    expect(['landing', 'upsell']).toContain(step?.id)
    expect(['checkout', 'upsell']).toContain(furthestStepId)
  })

  test('each step that is left onward tells whether something was paid there, and the end whether anything was', async () => {
    const page = await entered()
    await next(page, 'landing')
    await payPage(platform(), page)
    await next(page, 'checkout')
    await next(page, 'upsell')
    const events = await eventsOf(page)
    const left = events.filter(({ type }) => type === 's_funnel_session_step_completed')
    expect(left.map(({ properties: { stepId, nextStepId, paid } }) => [stepId, nextStepId, paid])).toEqual([
      ['landing', 'checkout', false],
      ['checkout', 'upsell', true],
      ['upsell', 'thanks', false],
    ])
    expect(events.find(({ type }) => type === 's_funnel_session_completed')?.properties).toMatchObject({
      stepId: 'thanks',
      paid: true,
    })
  })

  test('what a page tells of becomes an event of its session, once for a key', async () => {
    const page = await entered()
    const sent = { name: 'video_played', properties: { seconds: 42, deep: { of: ['any'] } } }
    const headers = { 'Idempotency-Key': `track-${engine}` }
    const send = () => page.send('POST', '/events', { body: sent, headers })
    expect([(await send()).body, (await send()).body]).toEqual([{ success: true }, { success: true }])
    const tracked = (await eventsOf(page)).filter(({ type }) => type === 's_funnel_session_event_tracked')
    const { sessionId, funnel } = page.session
    expect(tracked.map(({ properties }) => properties)).toEqual([
      { sessionId, funnelId: funnel?.id, stepId: 'landing', ...sent },
    ])
  })

  test('it tells so outside of any funnel too, in words of its own that have bounds', async () => {
    const begun = await beginSession(platform(), { storeId: platform().local.storeId })
    const page = await buyersPage(platform(), begun.token)
    await page.call(contract.session.track, { body: { name: 'opened' } })
    const [event] = await eventsOf(page)
    expect(event?.properties).toMatchObject({ funnelId: null, stepId: null, name: 'opened', properties: {} })
    const bad = [
      { name: 'Opened', properties: {} },
      { name: '9lives', properties: {} },
      { name: 'a'.repeat(65), properties: {} },
      { name: 'opened', properties: { text: 'x'.repeat(20_000) } },
    ]
    const answers = await Promise.all(bad.map((body) => page.send('POST', '/events', { body })))
    expect(answers.map(({ status, error }) => [status, error.param])).toEqual([
      [400, 'name'],
      [400, 'name'],
      [400, 'name'],
      [400, 'properties'],
    ])
  })

  test('events of a preview are drafts, and an expired session tells and goes nowhere', async () => {
    const { clock, call, services } = platform()
    const { id: funnelId, storeId } = await newFunnel(platform(), { steps })
    const asked = { params: { funnelId }, body: { storeId, stepId: 'landing' } }
    const page = await buyersPage(platform(), (await call(contract.funnels.previewSession, asked)).token)
    await page.call(contract.session.track, { body: { name: 'opened', properties: {} } })
    const rows = await services.db.read('SELECT draft FROM events WHERE properties LIKE ?', [
      `%${page.session.sessionId}%`,
    ])
    expect(rows.every(({ draft }) => draft === 1)).toBe(true)
    clock.advance(HOUR_MS + 1)
    const answers = [
      await goTo(page, 'checkout'),
      await page.send('POST', '/events', { body: { name: 'opened', properties: {} } }),
    ]
    expect(answers.map(({ status, error }) => [status, error.code])).toEqual([
      [401, 'session_token_expired'],
      [401, 'session_token_expired'],
    ])
  })
})
