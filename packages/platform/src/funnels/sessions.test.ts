import { contract, type Funnel, type NewFunnelInput } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newFunnel, newPreviewSession } from '../../test/new-funnel.ts'
import { newInstrument } from '../../test/pay-with-card.ts'
import { sharedPlatform, ruleEngines } from '../../test/test-platform.ts'
import { commit, LostRace } from '../http/operations/commit.ts'
import { pickVariant } from './previews.ts'
import { insertSession } from './sessions.ts'

const HOUR_MS = 60 * 60 * 1_000

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const funnelOf = (change?: Partial<NewFunnelInput>) => newFunnel(platform(), change)
  const read = (sessionId: string) => platform().call(contract.funnelSessions.get, { params: { sessionId } })
  const ask = ({ id, storeId, steps }: Funnel, change: object = {}, sent: object = {}) =>
    platform().request('POST', `/api/public/v1/funnels/${id}/preview-session`, {
      body: { storeId, stepId: steps[0]?.id, ...change },
      ...sent,
    })
  const preview = async (funnel: Funnel, change?: object) => {
    const answer = await ask(funnel, change)
    return contract.funnels.previewSession.response.parse(answer.body)
  }
  const rowOf = async (sessionId: string) => {
    const [row] = await platform().services.db.read('SELECT * FROM funnel_sessions WHERE id = ?', [sessionId])
    return row ?? {}
  }

  test('a preview is a session of a nameless customer at the step that was asked for', async () => {
    const { clock, local } = platform()
    const funnel = await funnelOf()
    const stepId = funnel.steps[1]?.id
    const begun = await preview(funnel, { stepId })
    expect(begun).toEqual({
      sessionId: expect.stringMatching(/^fsn_[0-9A-Za-z]{22}$/),
      funnelId: funnel.id,
      stepId,
      token: expect.stringMatching(/^fstok_[0-9A-Za-z]{43}$/),
      customerId: expect.stringMatching(/^cus_[0-9A-Za-z]{22}$/),
    })
    const { sessionId, customerId } = begun
    expect(await read(sessionId)).toEqual({
      sessionId,
      customerId,
      storeId: local.storeId,
      funnelId: funnel.id,
      funnelVariantId: null,
      currentStepId: stepId,
      furthestStepId: stepId,
      environment: 'staging',
      startedAt: clock.now(),
      lastActivityAt: clock.now(),
      originalCustomerId: customerId,
      customerHistory: [],
      metadata: {
        startedAt: new Date(clock.now()).toISOString(),
        totalStepsVisited: 1,
        cmsSessionId: sessionId,
        accountId: local.accountId,
        isPreview: true,
      },
      resources: { customer: { id: customerId } },
      preview: {
        enableSticky: false,
        currency: null,
        locale: null,
        testCardPreset: null,
        threeds: null,
        previewShippingCountry: null,
        builderOptions: {},
        contextData: {},
        stepUrls: [],
      },
    })
  })

  test('what the preview asked for is kept with the session', async () => {
    const funnel = await funnelOf()
    const asked = {
      enableSticky: true,
      currency: 'EUR',
      locale: 'de-at',
      testCardPreset: 'mastercard_success',
      previewShippingCountry: 'at',
      builderOptions: { zoom: 0.5, panels: ['left'] },
      contextData: { source: 'builder' },
      stepUrls: [{ stepId: funnel.steps[0]?.id ?? '', url: 'http://localhost:5180/checkout' }],
    }
    const repeated = { funnelId: funnel.id, accountId: platform().local.accountId, environment: 'production' }
    const { sessionId } = await preview(funnel, { ...asked, ...repeated, unknown: 1 })
    const session = await read(sessionId)
    expect(session.environment).toBe('production')
    expect(session.preview).toEqual({
      ...asked,
      threeds: null,
      locale: 'de-AT',
      testCardPreset: 'network2_success',
      previewShippingCountry: 'AT',
    })
  })

  test('its events are drafts, and tell of a customer without a name', async () => {
    const { services, call } = platform()
    const { sessionId, customerId, funnelId, stepId } = await newPreviewSession(platform())
    const rows = await services.db.read(
      'SELECT id, event_type, draft, properties FROM events WHERE customer_id = ? ORDER BY event_type',
      [customerId],
    )
    expect(rows.map(({ event_type: type, draft }) => [type, draft])).toEqual([
      ['s_customer_created', 1],
      ['s_funnel_session_started', 1],
      ['s_funnel_session_step_viewed', 1],
    ])
    const event = await call(contract.events.get, { params: { eventId: String(rows[1]?.['id']) } })
    expect(event.properties).toEqual({ sessionId, funnelId, funnelVariantId: null, stepId, stepType: 'checkout' })
    expect(event.customer).toEqual({ id: customerId, email: '', firstName: '', lastName: '' })
  })

  test('each preview has a customer of its own', async () => {
    const [one, other] = [await newPreviewSession(platform()), await newPreviewSession(platform())]
    expect(one.customerId).not.toBe(other.customerId)
  })

  test('a token is stored as its hash, with its store and the hour that it lives', async () => {
    const { clock, local } = platform()
    const { sessionId, token } = await newPreviewSession(platform())
    const row = await rowOf(sessionId)
    expect(row).toMatchObject({ store_id: local.storeId, token_expires_at: clock.now() + HOUR_MS })
    expect(row['token_hash']).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(row)).not.toContain(token)
  })

  test('an Idempotency-Key gives the same token again, which the database does not hold in the clear', async () => {
    const { services, restart } = platform()
    const funnel = await funnelOf()
    const sent = { headers: { 'Idempotency-Key': 'one-preview' } }
    const first = await ask(funnel, {}, sent)
    const { token } = contract.funnels.previewSession.response.parse(first.body)
    const kept = await services.db.read('SELECT body FROM idempotency_keys', [])
    expect(kept.length).toBeGreaterThan(0)
    expect(JSON.stringify(kept)).not.toContain(token)
    await restart()
    const again = await ask(funnel, {}, sent)
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(again.headers['idempotent-replayed']).toBe('true')
    const refused = await ask(funnel, { stepId: 'none' }, { headers: { 'Idempotency-Key': 'no-preview' } })
    const refusedAgain = await ask(funnel, { stepId: 'none' }, { headers: { 'Idempotency-Key': 'no-preview' } })
    expect([refusedAgain.status, refusedAgain.text]).toEqual([404, refused.text])
  })

  test('what does not belong to the funnel is not found, by its name', async () => {
    const { call, addAccount } = platform()
    const funnel = await funnelOf({ variants: [{ id: 'a', name: 'A' }] })
    const other = await funnelOf({ variants: [{ id: 'b', name: 'B' }] })
    const { id: otherStore } = await call(contract.stores.create, { body: { name: 'Other store' } })
    const { apiKey: key } = await addAccount()
    const answers = [
      await ask({ ...funnel, id: 'none' }),
      await ask(funnel, {}, { key }),
      await ask(funnel, { storeId: 'none' }),
      await ask(funnel, { storeId: otherStore }),
      await ask(funnel, { stepId: 'none' }),
      await ask(funnel, { stepId: other.steps[0]?.id }),
      await ask(funnel, { funnelVariantId: 'b' }),
    ]
    expect(answers.map(({ status, error }) => `${status} ${error.code} ${error.param}`)).toEqual([
      '404 resource_missing funnelId',
      '404 resource_missing funnelId',
      '404 resource_missing storeId',
      '404 resource_missing storeId',
      '404 resource_missing stepId',
      '404 resource_missing stepId',
      '404 resource_missing funnelVariantId',
    ])
  })

  test('a funnel or an account that contradicts the address or the key is refused by its name', async () => {
    const funnel = await funnelOf()
    const refusals = [await ask(funnel, { funnelId: 'another' }), await ask(funnel, { accountId: 'another' })].map(
      ({ status, error }) => [status, error.code, error.param],
    )
    expect(refusals).toEqual([
      [400, 'parameter_invalid', 'funnelId'],
      [404, 'resource_missing', 'accountId'],
    ])
  })

  test('a session shows the variant that was asked for, else one that was drawn by weight', async () => {
    const funnel = await funnelOf({
      variants: [
        { id: 'always', name: 'Always', weight: 1 },
        { id: 'never', name: 'Never', weight: 0 },
      ],
    })
    const variantOf = async (change?: object) => (await read((await preview(funnel, change)).sessionId)).funnelVariantId
    expect(await variantOf({ funnelVariantId: 'never' })).toBe('never')
    expect(await variantOf()).toBe('always')
    expect(await variantOf({ enableSticky: true })).toBe('always')
  })

  test('with enableSticky every preview for a customer shows the same variant, and without it they differ', async () => {
    const funnel = await funnelOf({
      variants: [
        { id: 'a', name: 'A' },
        { id: 'b', name: 'B' },
      ],
    })
    const customers = [
      await newInstrument(platform()),
      await newInstrument(platform()),
      await newInstrument(platform()),
    ]
    const drawn = async (body: object) => {
      const sessions = await Promise.all(Array.from({ length: 20 }, () => preview(funnel, body)))
      return new Set(
        (await Promise.all(sessions.map(({ sessionId }) => read(sessionId)))).map((each) => each.funnelVariantId),
      )
    }
    for (const { customerId } of customers) {
      expect(await drawn({ customerId, enableSticky: true })).toEqual(new Set([pickVariant(funnel, customerId)]))
    }
    expect((await drawn({ customerId: customers[0]?.customerId })).size).toBe(2)
    expect((await drawn({ enableSticky: true })).size).toBe(2)
  })

  test('a preview for a customer carries them, and keeps its own anonymous one for whatever is entered', async () => {
    const { clock, call } = platform()
    const { customerId } = await newInstrument(platform(), { customerData: { email: `named-${engine}@example.com` } })
    const begun = await preview(await funnelOf(), { customerId })
    const session = await read(begun.sessionId)
    expect([begun.customerId, session.customerId, session.resources.customer.id]).toEqual(Array(3).fill(customerId))
    expect(session.originalCustomerId).not.toBe(customerId)
    expect(session.customerHistory).toEqual([
      {
        fromCustomerId: session.originalCustomerId,
        toCustomerId: customerId,
        reason: 'preview',
        timestamp: clock.now(),
      },
    ])
    const shown = await call(contract.session.get, {}, begun.token)
    expect(shown.customer).toMatchObject({ id: session.originalCustomerId, email: '' })
  })

  test('a preview is not for a customer of another store or account, or for none', async () => {
    const { call, addAccount } = platform()
    const funnel = await funnelOf()
    const { id: storeId } = await call(contract.stores.create, { body: { name: 'Other store' } })
    const elsewhere = await newFunnel(platform(), { storeId })
    const { customerId } = await newInstrument(platform())
    const { apiKey: key } = await addAccount()
    const answers = [
      await ask(funnel, { customerId: 'cus_none' }),
      await ask(elsewhere, { customerId }),
      await ask(funnel, { customerId }, { key }),
    ]
    expect(answers.map(({ status, error }) => `${status} ${error.param}`)).toEqual([
      '404 customerId',
      '404 customerId',
      '404 funnelId',
    ])
  })

  test('a production preview does not begin at a step that buyers do not see', async () => {
    const funnel = await funnelOf({
      steps: [
        { type: 'custom', name: 'Draft', path: '/draft', previewOnly: true },
        { type: 'checkout', name: 'Checkout', path: '/checkout' },
      ],
    })
    const { status, error } = await ask(funnel, { environment: 'production' })
    expect([status, error.code, error.param]).toEqual([400, 'parameter_invalid', 'stepId'])
    expect((await ask(funnel, { environment: 'staging' })).status).toBe(201)
    expect((await ask(funnel, { environment: 'production', stepId: funnel.steps[1]?.id })).status).toBe(201)
  })

  test('an inactive funnel can be previewed', async () => {
    expect((await ask(await funnelOf({ active: false }))).status).toBe(201)
  })

  test('no session begins in a funnel that has changed since it was read', async () => {
    const { services, call } = platform()
    const funnel = await funnelOf()
    const session = await read((await newPreviewSession(platform(), funnel)).sessionId)
    await call(contract.funnels.update, { params: { funnelId: funnel.id }, body: { name: 'Changed' } })
    const late = { ...session, sessionId: `late-${engine}` }
    await expect(commit([insertSession(late, 'late hash', 1)], services)).rejects.toThrow(LostRace)
    await commit([insertSession(late, 'late hash', 2)], services)
    expect(await read(late.sessionId)).toEqual(late)
  })

  test('another account’s session is not found', async () => {
    const { addAccount, request } = platform()
    const { sessionId } = await newPreviewSession(platform())
    const { apiKey: key } = await addAccount()
    const answer = await request('GET', `/api/public/v1/funnel-sessions/${sessionId}`, { key })
    expect([answer.status, answer.error.code, answer.error.param]).toEqual([404, 'resource_missing', 'sessionId'])
  })

  test('a session can be read when its token has long expired', async () => {
    const { sessionId } = await newPreviewSession(platform())
    const before = await read(sessionId)
    platform().clock.advance(24 * HOUR_MS)
    expect(await read(sessionId)).toEqual(before)
  })
})
