import { contract, type NewFunnelInput, type SessionPayment } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { authenticatedPage, beginSession, buyersPage, filledPage, payPage } from '../../test/buyer-session.ts'
import { newFunnel } from '../../test/new-funnel.ts'
import { newCode, newPromotion } from '../../test/new-promotion.ts'
import { codeToken, newInstrument, serviceToken } from '../../test/pay-with-card.ts'
import type { Answer } from '../../test/send-request.ts'
import { ruleEngines, ruleTest, sharedPlatform, SHOP_URL, testableEngines } from '../../test/test-platform.ts'

const HOUR_MS = 60 * 60 * 1_000
const MINUTE_MS = 60 * 1_000

const refusal = ({ status, error }: Answer) => [status, error.code, error.param]

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const get = contract.session.get
  const page = () => buyersPage(platform())
  const filled = (quantity?: number) => filledPage(platform(), quantity === undefined ? {} : { quantity })
  const paymentOf = ({ body }: Answer): SessionPayment => contract.session.pay.response.parse(body)
  const read = (sessionId: string) => platform().call(contract.funnelSessions.get, { params: { sessionId } })
  const readOrder = (orderId: string) => platform().call(contract.orders.get, { params: { orderId } })
  const begin = (body: object, headers: Record<string, string> = {}) =>
    platform().pageRequest('POST', '/api/session/v1/sessions', { body, headers })
  const entered = async (funnel: Partial<NewFunnelInput>) => {
    const { id } = await newFunnel(platform(), funnel)
    return buyersPage(platform(), (await beginSession(platform(), { funnelId: id })).token)
  }

  async function eventsOf(sessionId: string): Promise<unknown[]> {
    const rows = await platform().services.db.read(
      'SELECT event_type FROM events WHERE properties LIKE ? ORDER BY id',
      [`%${sessionId}%`],
    )
    return rows.map((row) => row['event_type'])
  }

  describe.runIf(ruleEngines().includes(engine))('a session', () => {
    test('begins at the entry of a funnel, with a nameless customer and an empty order', async () => {
      const { clock, local } = platform()
      const { token, session } = await beginSession(platform())
      expect(token).toMatch(/^fstok_[0-9A-Za-z]{43}$/)
      expect(session).toMatchObject({
        storeId: local.storeId,
        isPreview: false,
        expiresAt: new Date(clock.now() + HOUR_MS).toISOString(),
        customer: { id: expect.stringMatching(/^cus_/), email: '', phone: null },
        funnel: { id: local.funnelId, variantId: null },
        step: { id: local.stepId, type: 'checkout' },
        order: { id: null, status: 'open', currency: 'USD', amount: 0, lines: [] },
        payment: null,
        preview: null,
      })
      expect((await eventsOf(session.sessionId)).toSorted()).toEqual([
        's_funnel_session_started',
        's_funnel_session_step_viewed',
      ])
      expect(await read(session.sessionId)).toMatchObject({ environment: 'production', metadata: { isPreview: false } })
      const [row] = await platform().services.db.read('SELECT * FROM funnel_sessions WHERE id = ?', [session.sessionId])
      expect(JSON.stringify(row)).not.toContain(token)
    })

    test('begins at the step whose page was opened, where buyers may begin there', async () => {
      const steps = [
        { id: 'landing', type: 'landing', name: 'Landing', path: '/' },
        { id: 'checkout', type: 'checkout', name: 'Checkout', path: '/checkout' },
        { id: 'thanks', type: 'thank_you', name: 'Thanks', path: '/thanks' },
      ]
      const { id: funnelId } = await newFunnel(platform(), { steps })
      const begun = async (stepId: string) => (await beginSession(platform(), { funnelId, stepId })).session
      expect(await begun('checkout')).toMatchObject({ step: { id: 'checkout' }, furthestStepId: 'checkout' })
      expect(await begun('thanks')).toMatchObject({ step: { id: 'landing' }, furthestStepId: 'landing' })
      expect(refusal(await begin({ funnelId, stepId: 'nowhere' }))).toEqual([404, 'resource_missing', 'stepId'])
      expect(refusal(await begin({ storeId: platform().local.storeId, stepId: 'any' }))).toEqual([
        400,
        'parameter_invalid',
        'stepId',
      ])
    })

    test('can be of a store alone, without any step', async () => {
      const { session, token } = await beginSession(platform(), { storeId: platform().local.storeId })
      expect(session).toMatchObject({ funnel: null, step: null, nextStep: null, furthestStepId: null })
      const { send } = await buyersPage(platform(), token)
      expect(refusal(await send('POST', '/next', { body: { stepId: 'any' } }))).toEqual([
        404,
        'resource_missing',
        'stepId',
      ])
    })

    test('begins in pages of the origins of the key alone, and for the store of the key alone', async () => {
      const { local, call } = platform()
      const { id: storeId } = await call(contract.stores.create, { body: { name: 'Other store' } })
      const foreign = await newFunnel(platform(), { storeId })
      const closed = await newFunnel(platform(), { active: false })
      const answers = [
        await begin({ funnelId: local.funnelId }, { Origin: 'https://elsewhere.example' }),
        await platform().request('POST', '/api/session/v1/sessions', {
          key: local.publishableKey,
          body: { funnelId: local.funnelId },
        }),
        await begin({ storeId }),
        await begin({ funnelId: foreign.id }),
        await begin({ funnelId: closed.id }),
        await begin({ funnelId: local.funnelId, storeId: local.storeId }),
        await begin({}),
      ]
      expect(answers.map(refusal)).toEqual([
        [401, 'api_key_invalid', undefined],
        [401, 'api_key_invalid', undefined],
        [404, 'resource_missing', 'storeId'],
        [404, 'resource_missing', 'funnelId'],
        [409, 'state_conflict', 'funnelId'],
        [400, 'parameter_invalid', 'funnelId'],
        [400, 'parameter_missing', 'funnelId'],
      ])
    })

    test('begins in pages of a dev server on this machine, on whichever port, and previews go on there', async () => {
      const { apiUrl, local, addKey, request } = platform()
      const allowedOrigins = ['http://localhost:*', 'http://127.0.0.1:*', 'https://localhost:*']
      const key = await addKey({ kind: 'publishable', storeId: local.storeId, allowedOrigins })
      const body = { funnelId: local.funnelId }
      for (const Origin of ['http://localhost:5173', 'http://127.0.0.1:41234', 'https://localhost:3000']) {
        const begun = await request('POST', '/api/session/v1/sessions', { key, body, headers: { Origin } })
        expect([begun.status, begun.headers['access-control-allow-origin']], Origin).toEqual([201, '*'])
      }
      const headers = { Origin: 'http://shop.example:5173' }
      expect((await request('POST', '/api/session/v1/sessions', { key, body, headers })).status).toBe(401)
      const asked = { params: { funnelId: local.funnelId }, body: { storeId: local.storeId, stepId: local.stepId } }
      const { token } = await platform().call(contract.funnels.previewSession, asked)
      const shown = await fetch(`${apiUrl}/api/session/v1/session`, {
        headers: { Origin: 'http://localhost:5173', Authorization: `Bearer ${token}` },
      })
      expect([shown.status, shown.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    })

    test('is opened by its token alone, in words that say what is wrong', async () => {
      const { request, local } = platform()
      const open = (key: string) => request('GET', '/api/session/v1/session', { key })
      const answers = [await open(''), await open(local.apiKey), await open(`fstok_${'0'.repeat(43)}`)]
      expect(answers.map(({ status, error }) => [status, error.code])).toEqual([
        [401, 'session_token_missing'],
        [401, 'session_token_invalid'],
        [401, 'session_token_invalid'],
      ])
      for (const { headers } of answers) expect(headers['www-authenticate']).toBe('Bearer')
      const { token } = await beginSession(platform())
      const elsewhere = await request('GET', `/api/public/v1/products/${local.productId}`, { key: token })
      expect([elsewhere.status, elsewhere.error.code]).toEqual([401, 'api_key_invalid'])
    })

    test('lives an hour after its last use, and a day at most', async () => {
      const { clock } = platform()
      const { token, call, send } = await page()
      const startedMs = clock.now()
      clock.advance(4 * MINUTE_MS)
      expect((await call(get, {})).expiresAt).toBe(new Date(startedMs + HOUR_MS).toISOString())
      clock.advance(50 * MINUTE_MS)
      expect((await call(get, {})).expiresAt).toBe(new Date(clock.now() + HOUR_MS).toISOString())
      while (clock.now() < startedMs + 23.5 * HOUR_MS) {
        clock.advance(30 * MINUTE_MS)
        await call(get, {})
      }
      expect((await call(get, {})).expiresAt).toBe(new Date(startedMs + 24 * HOUR_MS).toISOString())
      clock.advance(HOUR_MS)
      const answer = await send('GET', '', { key: token })
      expect([answer.status, answer.error.code]).toEqual([401, 'session_token_expired'])
    })

    test('is called by any page’s script, which sends its preflight and no cookie', async () => {
      const { apiUrl, local } = platform()
      const headers = { Origin: SHOP_URL, 'Content-Type': 'application/json' }
      const preflight = await fetch(`${apiUrl}/api/session/v1/session/order/lines`, {
        method: 'OPTIONS',
        headers: {
          Origin: 'https://page.example',
          'Access-Control-Request-Method': 'PUT',
          'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
        },
      })
      expect(preflight.status).toBe(204)
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
      expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
      expect(preflight.headers.get('access-control-allow-methods')?.split(',')).toContain('PUT')
      expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('idempotency-key')
      const begun = await fetch(`${apiUrl}/api/session/v1/sessions`, {
        method: 'POST',
        headers: { ...headers, Authorization: `Bearer ${local.publishableKey}` },
        body: JSON.stringify({ funnelId: local.funnelId }),
      })
      expect([begun.status, begun.headers.get('access-control-allow-origin')]).toEqual([201, '*'])
      const { token } = contract.session.begin.response.parse(await begun.json())
      const answers = await Promise.all(
        [token, 'fstok_wrong'].map((held) =>
          fetch(`${apiUrl}/api/session/v1/session`, {
            headers: { Origin: 'https://page.example', Authorization: `Bearer ${held}` },
          }),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 401])
      for (const answer of answers) {
        expect(answer.headers.get('access-control-allow-origin')).toBe('*')
        expect(answer.headers.get('access-control-expose-headers')).toContain('X-Request-Id')
      }
      const closed = await fetch(`${apiUrl}/api/payments/v1/payments`, { method: 'OPTIONS' })
      expect(closed.headers.get('access-control-allow-origin')).toBeNull()
    })
  })

  describe('its order', () => {
    test('is priced as a payment would be, with the codes that the buyer enters', async () => {
      const code = newCode()
      const endDate = '2031-01-01T00:00:00.000Z'
      await newPromotion(platform(), { code, endDate })
      const { call, send, session } = await filled()
      expect(session.order).toMatchObject({ status: 'open', amount: 4_800, subtotal: 4_800, promotionCodes: [] })
      const unknown = await send('POST', '/promotion-codes', { body: { code: 'NOTHING' } })
      expect(refusal(unknown)).toEqual([400, 'parameter_invalid', 'code'])
      const { order } = await call(contract.session.addPromotionCode, { body: { code: ` ${code.toLowerCase()} ` } })
      expect(order.amount).toBe(4_800 - order.discountAmount)
      expect(order.discountAmount).toBeGreaterThan(0)
      expect(order.promotions.applied).toMatchObject([{ code, saving: order.discountAmount, endsAt: endDate }])
      const again = await call(contract.session.addPromotionCode, { body: { code } })
      expect(again.order).toEqual(order)
      const without = await call(contract.session.removePromotionCode, { query: { code } })
      expect(without.order).toEqual(session.order)
      const gone = await send('DELETE', `/promotion-codes?code=${code}`)
      expect(refusal(gone)).toEqual([404, 'resource_missing', 'code'])
    })

    test('refuses what the store does not sell, by its place, and stays as it was', async () => {
      const { send, call, session } = await filled()
      const lines = [...session.order.lines.map(({ variantId }) => ({ variantId })), { variantId: 'none' }]
      expect(refusal(await send('PUT', '/order/lines', { body: { lines } }))).toEqual([
        404,
        'resource_missing',
        'lines[1].variantId',
      ])
      const inYen = { currency: 'JPY', lines: lines.slice(0, 1) }
      expect(refusal(await send('PUT', '/order/lines', { body: inYen }))).toEqual([
        400,
        'currency_unsupported',
        'currency',
      ])
      expect((await call(get, {})).order).toEqual(session.order)
    })

    test('is paid with a typed card: the session shows the order and its card, and a server all of the payment', async () => {
      const buyers = await filled()
      await buyers.call(contract.session.setAddress, { body: { shippingAddress: { city: 'Dublin', country: 'IE' } } })
      const payment = paymentOf(await payPage(platform(), buyers))
      expect(payment).toMatchObject({ status: 'succeeded', amount: 4_800, currency: 'USD' })
      const { order, payment: shown, paymentInstruments } = await buyers.call(get, {})
      expect(order).toMatchObject({ id: payment.orderId, status: 'paid', amount: 4_800 })
      expect([shown, paymentInstruments]).toMatchObject([payment, [{ card: { last4: '4242' } }]])
      const full = await platform().call(contract.payments.get, { params: { paymentId: payment.id } })
      expect(full).toMatchObject({
        funnelSessionId: buyers.session.sessionId,
        preview: null,
        customerId: buyers.session.customer.id,
      })
      const stored = await readOrder(payment.orderId)
      expect(stored).toMatchObject({ isPreview: false, buyer: { shippingAddress: { city: 'Dublin', country: 'IE' } } })
    })

    test('costs what the buyer was shown, or nothing is charged', async () => {
      const { send, call } = await filled()
      const body = { serviceToken: await serviceToken(platform()), expectedAmount: 1 }
      expect(refusal(await send('POST', '/pay', { body }))).toEqual([409, 'state_conflict', 'expectedAmount'])
      expect(await call(get, {})).toMatchObject({ order: { status: 'open' }, payment: null })
    })

    test('stays open when the card is declined, and is paid with another one', async () => {
      const buyers = await filled()
      const declined = await payPage(platform(), buyers, '4000000000000002')
      expect([declined.status, declined.error.code]).toEqual([402, 'card_declined'])
      const after = await buyers.call(get, {})
      expect(after).toMatchObject({
        order: { status: 'open' },
        payment: { status: 'declined' },
        paymentInstruments: [],
      })
      expect(paymentOf(await payPage(platform(), buyers)).status).toBe('succeeded')
    })

    it('is paid once by two tabs at once', async () => {
      const buyers = await filled()
      const [serviceOne, serviceOther] = [await serviceToken(platform()), await serviceToken(platform())]
      const answers = await Promise.all(
        [serviceOne, serviceOther].map((token) =>
          buyers.send('POST', '/pay', { body: { serviceToken: token, expectedAmount: 4_800 } }),
        ),
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
      const rows = await platform().services.db.read('SELECT id FROM payments WHERE funnel_session_id = ?', [
        buyers.session.sessionId,
      ])
      expect(rows).toHaveLength(1)
      const third = await payPage(platform(), buyers)
      expect(refusal(third)).toEqual([409, 'state_conflict', undefined])
    })

    it('loses no change of two tabs at once', async () => {
      const code = newCode()
      await newPromotion(platform(), { code })
      const { call } = await filled()
      await Promise.all([
        call(contract.session.addPromotionCode, { body: { code } }),
        call(contract.session.setContact, { body: { email: `tabs-${engine}@example.com` } }),
        call(contract.session.setAddress, { body: { billingAddress: { country: 'FR' } } }),
      ])
      expect(await call(get, {})).toMatchObject({
        customer: { email: `tabs-${engine}@example.com`, billingAddress: { country: 'FR' } },
        order: { promotionCodes: [code] },
      })
    })

    test('is followed by another one on the same card, which no other session can charge', async () => {
      const buyers = await filled()
      const paymentInstrumentId = paymentOf(await payPage(platform(), buyers)).paymentInstrumentId ?? ''
      const more = await filledPage(platform(), { token: buyers.token, quantity: 1 })
      expect(more.session.order).toMatchObject({ id: null, status: 'open', amount: 2_400 })
      const body = { paymentInstrumentId, expectedAmount: 2_400, expectedCurrency: 'USD' }
      const securityCodeToken = await codeToken(platform(), paymentInstrumentId)
      const paid = await more.send('POST', '/pay', { body: { ...body, securityCodeToken } })
      expect(paymentOf(paid)).toMatchObject({ status: 'succeeded', amount: 2_400 })
      const { id: ofServer } = await newInstrument(platform(), { customerId: buyers.session.customer.id })
      const other = await filled(1)
      for (const id of [paymentInstrumentId, ofServer]) {
        const answer = await other.send('POST', '/pay', { body: { ...body, paymentInstrumentId: id } })
        expect(refusal(answer)).toEqual([404, 'resource_missing', 'paymentInstrumentId'])
      }
    })

    test('waits for a buyer who has to authenticate, and is paid when the payment is continued', async () => {
      const { token, paymentId } = await authenticatedPage(platform())
      const { call, send } = await buyersPage(platform(), token)
      expect(await call(get, {})).toMatchObject({
        order: { status: 'pending' },
        payment: { status: 'requires_action', nextAction: { type: 'threeds_auth' } },
      })
      expect(refusal(await send('PUT', '/order/lines', { body: { lines: [] } }))[1]).toBe('state_conflict')
      const stranger = await page()
      const refused = await stranger.send('POST', `/payments/${paymentId}/continue`)
      expect([refused.status, refused.error.code]).toEqual([404, 'resource_missing'])
      const continued = await call(contract.session.continuePayment, { params: { paymentId } })
      expect(continued).toMatchObject({ id: paymentId, status: 'succeeded', nextAction: null })
    })

    test('is answered again under the same Idempotency-Key, which is the session’s own', async () => {
      const [one, other] = [await filled(), await filled()]
      const headers = { 'Idempotency-Key': `tab-${engine}` }
      const body = { serviceToken: await serviceToken(platform()), expectedAmount: 4_800 }
      const first = await one.send('POST', '/pay', { body, headers })
      const again = await one.send('POST', '/pay', { body, headers })
      expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([201, first.text, 'true'])
      const theirs = await other.send('POST', '/pay', { body, headers })
      expect(refusal(theirs)).toEqual([400, 'token_used', 'serviceToken'])
    })
  })

  describe.runIf(ruleEngines().includes(engine))('its buyer', () => {
    test('stays the session’s own customer, whichever customer the store has with the e-mail address', async () => {
      const email = `Known-${engine}@example.com`
      const known = await newInstrument(platform(), { customerData: { email } })
      const { call, session, token } = await page()
      const said = { email: email.toLowerCase(), firstName: 'Eve' }
      const after = await call(contract.session.setContact, { body: said })
      expect(after.customer).toMatchObject({ ...said, id: session.customer.id, lastName: '' })
      expect(JSON.stringify(after)).not.toContain(known.customerId)
      expect(await read(session.sessionId)).toMatchObject({
        customerId: session.customer.id,
        originalCustomerId: session.customer.id,
        customerHistory: [],
        resources: { customer: { id: session.customer.id } },
      })
      const payment = paymentOf(await payPage(platform(), await filledPage(platform(), { token })))
      expect(await readOrder(payment.orderId)).toMatchObject({
        customerId: session.customer.id,
        buyer: { email: email.toLowerCase() },
      })
      const rows = await platform().services.db.read(
        'SELECT c.email, c.first_name FROM customers c JOIN payment_instruments i ON i.customer_id = c.id WHERE c.id = ?',
        [known.customerId],
      )
      expect(rows).toEqual([{ email, first_name: '' }])
    })

    test('is not found by an address that was typed, so that a server makes that customer anew', async () => {
      const [one, other] = [await page(), await page()]
      const body = { email: `new-${engine}@example.com`, firstName: 'Ada', phone: '+353 1 555 0100' }
      await Promise.all([one, other].map(({ call }) => call(contract.session.setContact, { body })))
      const sessions = await Promise.all([one, other].map(({ session }) => read(session.sessionId)))
      const { customerId } = await newInstrument(platform(), { customerData: { email: body.email } })
      expect(new Set([...sessions.map((session) => session.customerId), customerId]).size).toBe(3)
      const rows = await platform().services.db.read('SELECT first_name, email_key FROM customers WHERE email = ?', [
        body.email,
      ])
      expect(rows.filter((row) => row['email_key'] === null)).toMatchObject([
        { first_name: 'Ada' },
        { first_name: 'Ada' },
      ])
    })
  })

  describe('its way', () => {
    const steps = [
      { type: 'landing', name: 'Landing', path: '/' },
      { type: 'checkout', name: 'Checkout', path: '/checkout' },
      { type: 'upsell', name: 'More', path: '/more' },
      { type: 'downsell', name: 'Less', path: '/less' },
      { type: 'custom', name: 'Draft', path: '/draft', previewOnly: true },
      { type: 'thank_you', name: 'Thanks', path: '/thanks' },
    ]

    test('leads through the steps by their rules, and is told of', async () => {
      const { call, send, token } = await entered({ steps })
      const next = async () => {
        const { step } = await call(get, {})
        return call(contract.session.next, { body: { stepId: step?.id ?? '' } })
      }
      expect((await next()).step?.type).toBe('checkout')
      const { step, sessionId } = await call(get, {})
      expect(refusal(await send('POST', '/next', { body: { stepId: step?.id } }))).toEqual([
        409,
        'state_conflict',
        'stepId',
      ])
      await payPage(platform(), await filledPage(platform(), { token }))
      expect((await next()).step?.type).toBe('upsell')
      await payPage(platform(), await filledPage(platform(), { token, quantity: 1 }))
      const end = await next()
      expect(end).toMatchObject({ step: { type: 'thank_you' }, nextStep: null, isCompleted: true })
      expect(await next()).toEqual(end)
      expect((await eventsOf(sessionId)).toSorted()).toEqual([
        's_funnel_session_completed',
        's_funnel_session_started',
        ...Array.from({ length: 3 }, () => 's_funnel_session_step_completed'),
        ...Array.from({ length: 4 }, () => 's_funnel_session_step_viewed'),
      ])
      const { metadata, furthestStepId } = await read(sessionId)
      expect([metadata.totalStepsVisited, furthestStepId]).toEqual([4, end.step?.id])
    })

    it('is gone once by two tabs at once', async () => {
      const { call, session } = await entered({ steps: steps.filter(({ type }) => type !== 'checkout') })
      const body = { stepId: session.step?.id ?? '' }
      await Promise.all([call(contract.session.next, { body }), call(contract.session.next, { body })])
      expect((await call(get, {})).step?.type).toBe('upsell')
      const stepsSeen = (await eventsOf(session.sessionId)).filter((type) => type === 's_funnel_session_step_viewed')
      expect(stepsSeen).toHaveLength(2)
    })
  })
})
