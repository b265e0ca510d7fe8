import {
  contract,
  type NewFunnelInput,
  type SessionPayment,
  type TestCardPreset,
  type ThreedsPreset,
} from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { type BuyersPage, codeOf, filledPage, payPage, takenOver } from '../../test/buyer-session.ts'
import { newFunnel } from '../../test/new-funnel.ts'
import { newCode, newPromotion } from '../../test/new-promotion.ts'
import { newInstrument, requestPayment, serviceToken } from '../../test/pay-with-card.ts'
import type { Answer } from '../../test/send-request.ts'
import { sharedPlatform, ruleEngines } from '../../test/test-platform.ts'
import { authenticateWaiting, newWaitingPayment, threedsActionOf } from '../../test/threeds-payment.ts'
import { updatePreview } from '../funnels/previews.ts'
import { commit } from '../http/operations/commit.ts'
import { insertProcessor } from '../processors/processors.ts'
import type { RequestContext } from '../request-context.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const paymentOf = ({ body }: Answer): SessionPayment => contract.session.pay.response.parse(body)
  const readPayment = (paymentId: string) => platform().call(contract.payments.get, { params: { paymentId } })

  async function previewed(
    asked: { testCardPreset?: TestCardPreset; customerId?: string } = {},
    funnel?: Partial<NewFunnelInput>,
  ): Promise<BuyersPage> {
    const { id: funnelId, storeId, steps } = await newFunnel(platform(), funnel)
    const body = { storeId, stepId: steps[0]?.id ?? '', ...asked }
    const { token } = await platform().call(contract.funnels.previewSession, { params: { funnelId }, body })
    return filledPage(platform(), { token })
  }

  test('a preview pays, and all that it tells of is a draft', async () => {
    const { services, call } = platform()
    const preview = await previewed()
    expect(preview.session).toMatchObject({ isPreview: true, preview: { testCardPreset: null } })
    const payment = paymentOf(await payPage(platform(), preview))
    expect(payment.status).toBe('succeeded')
    const rows = await services.db.read('SELECT event_type, draft FROM events WHERE properties LIKE ?', [
      `%${payment.orderId}%`,
    ])
    expect(rows.map((row) => row['event_type'])).toContain('s_order_paid')
    expect(rows.filter(({ draft }) => draft !== 1)).toEqual([])
    expect(await readPayment(payment.id)).toMatchObject({ preview: { testCardPreset: null } })
    expect(await call(contract.orders.get, { params: { orderId: payment.orderId } })).toMatchObject({ isPreview: true })
  })

  test('a preview never reaches a live processor, and uses up no promotion', async () => {
    const { services, call, local, clock } = platform()
    const id = `processor-live-${engine}`
    const processor = {
      id,
      accountId: local.accountId,
      name: 'Live',
      driver: 'stripe',
      sealedSecret: 'unreadable',
    } as const
    await commit([insertProcessor(processor, clock.now())], services)
    const data = { name: 'Live', strategy: 'simple' as const, processorConfigs: [{ processorId: id }] }
    const flow = await call(contract.paymentFlows.create, { body: { data } })
    const update = 'UPDATE stores SET selected_payment_flow_id = ? WHERE account_id = ? AND id = ?'
    const useFlow = (flowId: string) =>
      commit([{ sql: update, params: [flowId, local.accountId, local.storeId] }], services)
    await useFlow(flow.id)
    const code = newCode()
    const promotionId = await newPromotion(platform(), { code, usageLimit: 1 })
    for (let count = 0; count < 2; count++) {
      const preview = await previewed()
      const session = await preview.call(contract.session.addPromotionCode, { body: { code } })
      const payment = paymentOf(await payPage(platform(), { ...preview, session }))
      expect(payment).toMatchObject({ status: 'succeeded', amount: 4_320 })
      expect((await readPayment(payment.id)).attempts).toMatchObject([{ processorId: id, status: 'succeeded' }])
    }
    const { usageCount } = await call(contract.promotions.getById, {
      body: { id: promotionId, storeId: local.storeId },
    })
    expect(usageCount).toBe(0)
    await useFlow(local.paymentFlowId)
  })

  test('the preset decides the next payment whatever card is typed, and no further one', async () => {
    const declined = await previewed({ testCardPreset: 'network1_declined' })
    const answer = await payPage(platform(), declined)
    expect([answer.status, answer.error.code]).toEqual([402, 'card_declined'])
    expect(paymentOf(await payPage(platform(), declined)).status).toBe('succeeded')
    const success = await previewed({ testCardPreset: 'network1_success' })
    expect(paymentOf(await payPage(platform(), success, '4000000000000002')).status).toBe('succeeded')
  })

  test('a network’s limit for declines stops no preview, so that the preset decides', async () => {
    const number = '4000000000009995'
    const { id: paymentInstrumentId } = await newInstrument(platform(), { number })
    for (let count = 0; count < 20; count++) {
      expect((await requestPayment(platform(), { paymentInstrumentId })).error.code).toBe('insufficient_funds')
    }
    const headers = { 'Tillwright-Fault': 'network=retry_limit' }
    const stopped = await requestPayment(platform(), { paymentInstrumentId }, { headers })
    expect(stopped.error.declineCode).toBe('retry_limit_reached')

    const payCounted = async (page: BuyersPage) => {
      const body = { serviceToken: await serviceToken(platform(), number), expectedAmount: page.session.order.amount }
      return page.send('POST', '/pay', { body, headers })
    }
    const success = await previewed({ testCardPreset: 'network1_success' })
    expect(paymentOf(await payCounted(success)).status).toBe('succeeded')
    const declined = await previewed({ testCardPreset: 'network1_declined' })
    expect((await payCounted(declined)).error.declineCode).toBe('generic_decline')
    expect((await payCounted(declined)).error.code).toBe('insufficient_funds')

    const authenticated = await previewed({ testCardPreset: 'network1_success' })
    const params = { sessionId: authenticated.session.sessionId }
    await platform().call(contract.funnels.updatePreview, { params, body: { threeds: 'frictionless' } })
    const { id, nextAction } = paymentOf(await payCounted(authenticated))
    await authenticateWaiting(platform(), { actionToken: threedsActionOf({ nextAction }).actionToken })
    expect(paymentOf(await authenticated.send('POST', `/payments/${id}/continue`)).status).toBe('succeeded')
  })

  test('from a step with a given page URL a buyer is led away to pay, and returns to it', async () => {
    const { id: funnelId, storeId, steps } = await newFunnel(platform())
    const stepId = steps[0]?.id ?? ''
    const url = 'http://localhost:5180/checkout'
    const body = { storeId, stepId, stepUrls: [{ stepId, url }] }
    const { token } = await platform().call(contract.funnels.previewSession, { params: { funnelId }, body })
    const page = await filledPage(platform(), { token })
    expect((await page.call(contract.session.findOwnMethods, {})).data).toContainEqual({ type: 'paypal' })
    const { amount: expectedAmount, currency: expectedCurrency } = page.session.order
    const paying = { paymentMethod: { type: 'paypal' }, expectedAmount, expectedCurrency }
    const { id, nextAction } = paymentOf(await page.send('POST', '/pay', { body: paying }))
    const bank = nextAction?.type === 'redirect' ? nextAction.url : ''
    const paid = await fetch(bank, { method: 'POST', body: new URLSearchParams({ choice: 'pay' }), redirect: 'manual' })
    const back = await fetch(paid.headers.get('location') ?? '', { redirect: 'manual' })
    expect(back.headers.get('location')).toBe(`${url}?paymentId=${id}`)
    expect((await page.call(contract.session.get, {})).order.status).toBe('paid')
  })

  test('the preset for 3-D Secure has the issuer challenge the buyer', async () => {
    const { services } = platform()
    const preview = await previewed({ testCardPreset: 'network1_3ds' })
    const { id, nextAction } = paymentOf(await payPage(platform(), preview))
    const { actionToken, sessionId } = threedsActionOf({ nextAction })
    expect(await authenticateWaiting(platform(), { actionToken })).toMatchObject({ status: 'challenge_required' })
    const rows = await services.db.read('SELECT event_type, draft FROM events WHERE properties LIKE ?', [
      `%${sessionId}%`,
    ])
    expect(rows.map((row) => row['event_type'])).toContain('s_threeds_session_challenge_required')
    expect(rows.filter(({ draft }) => draft !== 1)).toEqual([])
    const early = await preview.send('POST', `/payments/${id}/continue`)
    expect([early.status, early.error.code]).toEqual([409, 'state_conflict'])
  })

  test('the outcome of 3-D Secure is chosen next to the card, for the next payment only', async () => {
    const { call } = platform()
    const chooseThreeds = async (threeds: ThreedsPreset, page: BuyersPage) => {
      const { sessionId } = page.session
      expect(await call(contract.funnels.updatePreview, { params: { sessionId }, body: { threeds } })).toMatchObject({
        preview: { threeds },
      })
    }
    const ends = { frictionless: 'successful', challenge: 'challenge_required', fail: 'failed' } as const
    for (const [threeds, status] of Object.entries(ends)) {
      const page = await previewed({ testCardPreset: 'network1_success' })
      await chooseThreeds(threeds as keyof typeof ends, page) // a key of the literal
      const payment = paymentOf(await payPage(platform(), page, '4000000000002503'))
      const { actionToken } = threedsActionOf(payment)
      expect([payment.status, await authenticateWaiting(platform(), { actionToken })]).toMatchObject([
        'requires_action',
        { status },
      ])
      const { preview } = await page.call(contract.session.get, {})
      expect(preview).toMatchObject({ threeds: null })
    }
    const page = await previewed()
    await chooseThreeds('none', page)
    const without = await payPage(platform(), page, '4000002500003155')
    expect([without.status, without.error.code]).toEqual([402, 'authentication_required'])
    expect(paymentOf(await payPage(platform(), page, '4000002500003155')).status).toBe('requires_action')
  })

  test('without 3-D Secure a preview is charged at once where the flow would have it', async () => {
    const { services, call, local } = platform()
    const { paymentFlowId } = (await newWaitingPayment(platform())).payment
    const update = 'UPDATE stores SET selected_payment_flow_id = ? WHERE account_id = ? AND id = ?'
    const useFlow = (id: string) => commit([{ sql: update, params: [id, local.accountId, local.storeId] }], services)
    await useFlow(paymentFlowId)
    const page = await previewed()
    const params = { sessionId: page.session.sessionId }
    await call(contract.funnels.updatePreview, { params, body: { threeds: 'none' } })
    expect(paymentOf(await payPage(platform(), page)).status).toBe('succeeded')
    expect(paymentOf(await payPage(platform(), await previewed())).status).toBe('requires_action')
    await useFlow(local.paymentFlowId)
  })

  test('a page shows other settings as soon as it reads its session again, and what is paid stays as it was told', async () => {
    const page = await previewed()
    const params = { sessionId: page.session.sessionId }
    await platform().call(contract.funnels.updatePreview, { params, body: { threeds: 'challenge' } })
    const builderOptions = { config: { headline: 'Last days' } }
    await platform().call(contract.funnels.updatePreview, { params, body: { builderOptions } })
    expect((await page.call(contract.session.get, {})).preview).toMatchObject({ builderOptions, threeds: 'challenge' })
  })

  test('nothing is said of a session that is a buyer’s, is not there, or is in production', async () => {
    const { services, local, request } = platform()
    const say = async (sessionId: string) => {
      const answer = await request('POST', `/api/funnels/v1/previews/${sessionId}`, { body: { threeds: 'fail' } })
      return [answer.status, answer.error.code]
    }
    const { session } = await filledPage(platform())
    expect(await say(session.sessionId)).toEqual([409, 'state_conflict'])
    expect(await say('fsn_none')).toEqual([404, 'resource_missing'])
    const production = { services: { ...services, environment: 'production' }, caller: { accountId: local.accountId } }
    const sent = { params: { sessionId: session.sessionId }, query: undefined, body: { threeds: 'fail' as const } }
    await expect(updatePreview(sent, production as RequestContext)).rejects.toMatchObject({ code: 'route_not_found' }) // what it reads of a call
  })

  test('what is entered and paid in a preview for a customer changes nothing of them', async () => {
    const { call, services } = platform()
    const { customerId } = await newInstrument(platform(), { customerData: { email: `kept-${engine}@example.com` } })
    const before = await rowsOf(customerId)
    const preview = await previewed({ customerId })
    await preview.call(contract.session.setContact, { body: { email: 'typed@example.com', firstName: 'Typed' } })
    const payment = paymentOf(await payPage(platform(), preview))
    expect(payment.status).toBe('succeeded')
    const { sessionId } = preview.session
    const { originalCustomerId } = await call(contract.funnelSessions.get, { params: { sessionId } })
    expect((await readPayment(payment.id)).customerId).toBe(originalCustomerId)
    expect(await rowsOf(customerId)).toEqual(before)
    const next = await takenOver(platform(), await codeOf(preview))
    expect(await call(contract.funnelSessions.get, { params: { sessionId } })).toMatchObject({ customerId })
    expect(next.session.customer.id).toBe(originalCustomerId)

    function rowsOf(id: string) {
      return Promise.all(
        [
          'SELECT * FROM customers WHERE id = ?',
          'SELECT * FROM payment_instruments WHERE customer_id = ?',
          'SELECT id FROM payments WHERE customer_id = ?',
        ].map((sql) => services.db.read(sql, [id])),
      )
    }
  })

  test('what declines in a preview counts against no card, and who types an e-mail address meets no real customer', async () => {
    const { services } = platform()
    const email = `real-${engine}@example.com`
    const { customerId } = await newInstrument(platform(), { customerData: { email } })
    const preview = await previewed()
    const { customer, sessionId } = await preview.call(contract.session.setContact, { body: { email } })
    await payPage(platform(), preview, '4000000000000002')
    const session = await platform().call(contract.funnelSessions.get, { params: { sessionId } })
    expect([session.customerId, session.customerHistory]).toEqual([customer.id, []])
    expect(session.customerId).not.toBe(customerId)
    const [attempt] = await services.db.read(
      `SELECT a.card_fingerprint FROM payment_attempts a JOIN payments p ON p.account_id = a.account_id AND p.id = a.payment_id
        WHERE p.funnel_session_id = ?`,
      [sessionId],
    )
    expect(attempt).toEqual({ card_fingerprint: null })
  })
})
