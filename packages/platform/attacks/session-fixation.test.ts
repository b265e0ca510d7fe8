import { contract } from '@tillwright/contract'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { createDatabase, dropDatabase } from '../../../.ci/postgres-database.ts'
import { beginSession, buyersPage, codeOf, filledPage, payPage, takenOver } from '../test/buyer-session.ts'
import { newPreviewSession } from '../test/new-funnel.ts'
import { serviceToken } from '../test/pay-with-card.ts'
import type { Answer } from '../test/send-request.ts'
import { ruleTest, sharedPlatform, startTestPlatform, testableEngines } from '../test/test-platform.ts'

// The attacker has what everybody has: the publishable key of a page. They begin a session, keep a copy of its token, and
// send the session to a buyer, to read what the buyer types in it and to pay with the buyer's card.

const MINUTE_MS = 60_000
const refusal = ({ status, error }: Answer) => [status, error.code, error.param]

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const redeem = (code: string, headers: Record<string, string> = {}) =>
    platform().pageRequest('POST', '/api/session/v1/sessions/redeem', { body: { code }, headers })
  /** The sender's page, with everything said that they could say, and the code that they send. */
  const sent = async () => {
    const sender = await filledPage(platform(), { quantity: 50 })
    await sender.call(contract.session.setContact, {
      body: { email: `mallory-${Math.random()}@example.com`, firstName: 'Mallory' },
    })
    await sender.call(contract.session.setAddress, {
      body: { shippingAddress: { line1: '1 Sender Street', country: 'IE' }, billingAddress: { country: 'IE' } },
    })
    return { sender, code: await codeOf(sender) }
  }

  it('the sender’s token opens nothing once the buyer’s page has redeemed the code', async () => {
    const { sender, code } = await sent()
    const buyer = await takenOver(platform(), code)
    await buyer.call(contract.session.setContact, { body: { email: `ada-${engine}@example.com` } })
    await buyer.call(contract.session.confirmOrder, {
      body: { confirmation: buyer.session.broughtAlong?.confirmation ?? '' },
    })
    const paid = await payPage(platform(), buyer)
    expect(paid.status).toBe(201)
    const { id, paymentInstrumentId } = contract.session.pay.response.parse(paid.body)
    const { session: operations } = contract
    const tries = [
      sender.send('GET', ''),
      sender.send('POST', '/hand-over'),
      sender.send('PUT', '/order/lines', { body: { lines: [] } }),
      sender.send('POST', '/order/confirm', { body: { confirmation: 'x' } }),
      sender.send('PUT', '/contact', { body: { email: 'mallory@example.com' } }),
      sender.send('PUT', '/address', { body: { shippingAddress: null } }),
      sender.send('PUT', '/order/shipping', { body: { shippingOptionId: 'ship_x' } }),
      sender.send('POST', '/promotion-codes', { body: { code: 'X' } }),
      sender.send('DELETE', '/promotion-codes?code=X'),
      sender.send('GET', '/payment-methods'),
      sender.send('POST', '/pay', { body: { paymentInstrumentId, expectedAmount: 120_000, expectedCurrency: 'USD' } }),
      sender.send('POST', `/payments/${id}/continue`),
      sender.send('POST', '/next', { body: { stepId: platform().local.stepId } }),
      sender.send('POST', '/go-to', { body: { stepId: platform().local.stepId } }),
      sender.send('POST', '/events', { body: { name: 'spy' } }),
    ]
    // All that a token opens was tried: a new operation has to be added here.
    expect(tries).toHaveLength(Object.values(operations).filter(({ audience }) => audience === 'session').length)
    for (const answer of await Promise.all(tries)) {
      expect([answer.status, answer.error.code]).toEqual([401, 'session_token_replaced'])
      expect(answer.text).not.toMatch(/ada-|\b4242\b/)
    }
    const charged = await platform().services.db.read('SELECT id FROM payments WHERE funnel_session_id = ?', [
      sender.session.sessionId,
    ])
    expect(charged).toHaveLength(1)
  })

  it('a code is good for one page: again, and by two at once, it opens nothing', async () => {
    const { code } = await sent()
    const answers = await Promise.all([redeem(code), redeem(code), redeem(code)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
    expect(refusal(await redeem(code))).toEqual([400, 'token_invalid', 'code'])
  })

  test('the answer to a redemption is given again to the page that has asked, and not to another one', async () => {
    const { code } = await sent()
    const own = { 'Idempotency-Key': `own-${engine}` }
    const first = await redeem(code, own)
    expect((await redeem(code, own)).text).toBe(first.text)
    expect(refusal(await redeem(code, { 'Idempotency-Key': `other-${engine}` }))[1]).toBe('token_invalid')
    expect((await redeem(`fscode_${'0'.repeat(43)}`, own)).error.code).toBe('idempotency_key_reused')
  })

  test('a code is dead after a minute, and when there is a newer one', async () => {
    const { sender, code } = await sent()
    platform().clock.advance(MINUTE_MS)
    expect(refusal(await redeem(code))).toEqual([400, 'token_expired', 'code'])
    const [older, newer] = [await codeOf(sender), await codeOf(sender)]
    expect(refusal(await redeem(older))).toEqual([400, 'token_invalid', 'code'])
    platform().clock.advance(MINUTE_MS - 1)
    expect((await redeem(newer)).status).toBe(200)
  })

  test('a code opens nothing in pages of another store or another account, and stays good for its own', async () => {
    const { code } = await sent()
    const { call, addKey, addAccount, pageRequest } = platform()
    const { id: storeId } = await call(contract.stores.create, { body: { name: 'Other store' } })
    const { accountId } = await addAccount()
    for (const place of [{ storeId }, { accountId, storeId: null }]) {
      const key = await addKey({ kind: 'publishable', allowedOrigins: ['http://127.0.0.1:9'], ...place })
      const answer = await pageRequest('POST', '/api/session/v1/sessions/redeem', { key, body: { code } })
      expect(refusal(answer)).toEqual([400, 'token_invalid', 'code'])
    }
    const elsewhere = await redeem(code, { Origin: 'https://attacker.example' })
    expect([elsewhere.status, elsewhere.error.code]).toEqual([401, 'api_key_invalid'])
    expect((await redeem(code)).status).toBe(200)
  })

  test('a token is no code, and a code is no token; neither lies readable in the database', async () => {
    const { sender, code } = await sent()
    expect(refusal(await redeem(sender.token))).toEqual([400, 'token_invalid', 'code'])
    const asToken = await platform().request('GET', '/api/session/v1/session', { key: code })
    expect([asToken.status, asToken.error.code]).toEqual([401, 'session_token_invalid'])
    const keyed = { 'Idempotency-Key': `stored-${engine}` }
    const handedOver = await sender.send('POST', '/hand-over', { headers: keyed })
    const made = contract.session.handOver.response.parse(handedOver.body)
    const { token } = contract.session.redeem.response.parse((await redeem(made.code, keyed)).body)
    const { db } = platform().services
    const rows = [
      ...(await db.read('SELECT * FROM funnel_sessions', [])),
      ...(await db.read('SELECT * FROM replaced_session_tokens', [])),
      ...(await db.read('SELECT * FROM idempotency_keys', [])),
    ]
    for (const secret of [code, made.code, token, sender.token]) expect(JSON.stringify(rows)).not.toContain(secret)
    expect(platform().logged.join('')).not.toMatch(/fscode_|fstok_/)
  })

  test('what the sender has said of a buyer is gone, from the session and from its customer', async () => {
    const known = `known-${engine}@example.com`
    const { sender } = await sent()
    await platform().call(contract.paymentInstruments.createFromToken, {
      body: {
        storeId: platform().local.storeId,
        serviceToken: await serviceToken(platform()),
        customerData: { email: known },
      },
    })
    await sender.call(contract.session.setContact, { body: { email: known } })
    const buyer = await takenOver(platform(), await codeOf(sender))
    expect(buyer.session.customer).toEqual({
      id: sender.session.customer.id,
      email: '',
      firstName: '',
      lastName: '',
      phone: null,
      billingAddress: null,
      shippingAddress: null,
    })
    const { customerId, originalCustomerId } = await platform().call(contract.funnelSessions.get, {
      params: { sessionId: sender.session.sessionId },
    })
    expect(customerId).toBe(originalCustomerId)
    const [row] = await platform().services.db.read('SELECT email, first_name, details FROM customers WHERE id = ?', [
      customerId,
    ])
    expect(row).toMatchObject({ email: '', first_name: '' })
    expect(JSON.stringify(row)).not.toContain('Sender Street')
  })

  test('50 units that the sender has put into the order are paid only after the buyer has seen and confirmed them', async () => {
    const { code } = await sent()
    const buyer = await takenOver(platform(), code)
    expect(buyer.session.broughtAlong?.lines).toMatchObject([{ quantity: 50, amount: 120_000 }])
    expect(refusal(await payPage(platform(), buyer))).toEqual([409, 'state_conflict', 'broughtAlong'])
    const confirmation = buyer.session.broughtAlong?.confirmation ?? ''
    await filledPage(platform(), { token: buyer.token, quantity: 49 })
    expect(refusal(await buyer.send('POST', '/order/confirm', { body: { confirmation } }))).toEqual([
      409,
      'state_conflict',
      'confirmation',
    ])
    const emptied = await buyer.call(contract.session.setLines, { body: { lines: [] } })
    expect(emptied.broughtAlong).toBeNull()
    const own = await filledPage(platform(), { token: buyer.token, quantity: 1 })
    expect((await payPage(platform(), own)).status).toBe(201)
  })

  test('a card that the sender was declined with is nothing that the buyer’s page can charge', async () => {
    const { sender } = await sent()
    await payPage(platform(), sender, '4000000000000002')
    const { payment } = await sender.call(contract.session.get, {})
    const buyer = await takenOver(platform(), await codeOf(sender))
    expect(buyer.session.payment).toBeNull()
    await buyer.call(contract.session.confirmOrder, {
      body: { confirmation: buyer.session.broughtAlong?.confirmation ?? '' },
    })
    const body = {
      paymentInstrumentId: payment?.paymentInstrumentId,
      expectedAmount: 120_000,
      expectedCurrency: 'USD',
    }
    expect((await buyer.send('POST', '/pay', { body })).status).toBe(404)
  })

  test('in a session that its sender has paid in, another card pays for an address that was said anew alone', async () => {
    const { sender } = await sent()
    await payPage(platform(), sender)
    const buyer = await takenOver(platform(), await codeOf(sender))
    expect(buyer.session).toMatchObject({
      order: { status: 'paid' },
      paymentInstruments: [{ card: { last4: '4242' } }],
    })
    const more = await filledPage(platform(), { token: buyer.token, quantity: 1 })
    expect(refusal(await payPage(platform(), more, '5555555555554444'))).toEqual([409, 'state_conflict', 'contact'])
    await more.call(contract.session.setContact, { body: { email: `victim-${engine}@example.com` } })
    expect(refusal(await payPage(platform(), more, '5555555555554444'))[2]).toBe('address')
    await more.call(contract.session.setAddress, { body: { shippingAddress: { country: 'FR' } } })
    expect((await payPage(platform(), more, '5555555555554444')).status).toBe(201)
  })

  it('what was under way with the sender’s token when the code was redeemed changes nothing', async () => {
    const { sender, code } = await sent()
    const [taken, ...late] = await Promise.all([
      redeem(code),
      ...Array.from({ length: 8 }, (_, index) =>
        sender.send('PUT', '/contact', { body: { email: `late-${engine}-${index}@example.com` } }),
      ),
    ])
    expect(taken?.status).toBe(200)
    const { token } = contract.session.redeem.response.parse(taken?.body)
    const { customer } = (await buyersPage(platform(), token)).session
    expect(customer.email).toBe('')
    for (const { status } of late) expect([200, 401]).toContain(status)
  })

  test('a preview can be handed over as well, and stays one', async () => {
    const { token, sessionId } = await newPreviewSession(platform())
    const code = await codeOf(await buyersPage(platform(), token))
    expect((await takenOver(platform(), code)).session).toMatchObject({ sessionId, isPreview: true })
    const old = await platform().request('GET', '/api/session/v1/session', { key: token })
    expect([old.status, old.error.code]).toEqual([401, 'session_token_replaced'])
  })
})

it('codes are redeemed no faster than sessions are begun', async () => {
  const platform = await startTestPlatform({ rateLimits: true })
  try {
    const guess = () =>
      platform.pageRequest('POST', '/api/session/v1/sessions/redeem', { body: { code: `fscode_${'0'.repeat(43)}` } })
    const answers = await Promise.all(Array.from({ length: 121 }, guess))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
  } finally {
    await platform.remove()
  }
})

it.runIf(testableEngines().includes('postgres'))('a token is dead at once on every process', async () => {
  const databaseUrl = await createDatabase(inject('postgresUrl') ?? '')
  onTestFinished(() => dropDatabase(inject('postgresUrl') ?? '', databaseUrl))
  const one = await startTestPlatform({ databaseUrl })
  onTestFinished(() => one.remove())
  const other = await startTestPlatform({ databaseUrl })
  onTestFinished(() => other.remove())
  const { token } = await beginSession(one)
  const read = () => other.request('GET', '/api/session/v1/session', { key: token })
  expect((await read()).status).toBe(200)
  await takenOver(one, await codeOf(await buyersPage(one, token)))
  expect((await read()).error.code).toBe('session_token_replaced')
})
