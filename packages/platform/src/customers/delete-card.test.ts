import { contract, type Event, type Payment } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { authorise, newInstrument, pay, requestPayment } from '../../test/pay-with-card.ts'
import { subscribe } from '../../test/subscribe.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { authenticateWaiting, newAuthenticatedPayment, newWaitingPayment } from '../../test/threeds-payment.ts'
import { browserData } from '../../test/browser-data.ts'
import { presentCard } from '../payments/charge/charge-card.ts'
import { SLOW_MS } from '../processors/driver.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine, env: { TILLWRIGHT_ANSWER_SECONDS: '1' } })
  const deleteCard = (paymentInstrumentId: string) =>
    platform().call(contract.paymentInstruments.delete, { params: { paymentInstrumentId } })
  const readPayment = (paymentId: string) => platform().call(contract.payments.get, { params: { paymentId } })
  const events = async (type: string, id: string): Promise<Event['properties'][]> => {
    const sql = 'SELECT properties FROM events WHERE event_type = ? AND properties LIKE ?'
    const rows = await platform().services.db.read(sql, [type, `%${id}%`])
    return rows.map((row) => JSON.parse(String(row['properties'])))
  }

  it('a deleted card leaves nothing behind but what payments say of it', async () => {
    const { call, services } = platform()
    const instrument = await newInstrument(platform(), { customerData: { email: 'gone@example.com' } })
    const payment = await authorise(platform(), { paymentInstrumentId: instrument.id })
    const held = 'SELECT c.* FROM cards c JOIN payment_instruments i ON i.card_id = c.id WHERE i.id = ?'
    const [card] = await services.db.read(held, [instrument.id])
    expect(card?.['sealed_card']).not.toBe('')

    expect(await deleteCard(instrument.id)).toEqual({ id: instrument.id, deleted: true, subscriptionIds: [] })
    for (const [table, column, value] of [
      ['cards', 'id', card?.['id']],
      ['payment_instruments', 'id', instrument.id],
      ['processor_tokens', 'payment_instrument_id', instrument.id],
      ['search_words', 'id', instrument.id],
    ] as const) {
      const sql = `SELECT * FROM ${table} WHERE account_id = ? AND ${column} = ?`
      const rows = await services.db.read(sql, [platform().local.accountId, value ?? null])
      expect([table, rows]).toEqual([table, []])
    }
    const { data } = await call(contract.paymentInstruments.list, { query: { customerId: instrument.customerId } })
    expect(data).toEqual([])
    const read = await call(contract.payments.capture, { params: { paymentId: payment.id }, body: {} })
    expect(read).toMatchObject({ status: 'succeeded', paymentInstrumentId: instrument.id })
    const { data: found } = await call(contract.payments.list, {
      query: { q: 'visa 4242', customerId: payment.customerId },
    })
    expect(found.map(({ id }) => id)).toEqual([payment.id])
    expect(await events('s_payment_instrument_deleted', instrument.id)).toEqual([
      { paymentInstrumentId: instrument.id, brand: 'visa', last4: '4242' },
    ])
  })

  it('of clients that charge and delete a card at once each has a plain answer, and nothing of the card is left', async () => {
    const { request, services, local } = platform()
    const pairs = Array.from({ length: 8 }, async () => {
      const { id } = await newInstrument(platform())
      const deleting = () =>
        request('DELETE', contract.paymentInstruments.delete.path.replace('{paymentInstrumentId}', id))
      const paying = () => requestPayment(platform(), { paymentInstrumentId: id })
      const [paid, deleted, again] = await Promise.all([paying(), deleting(), deleting()])
      // Charged, declined because the card is gone, or refused.
      expect([201, 402, 404, 409], paid.text).toContain(paid.status)
      expect([200, 404, 409], again.text).toContain(again.status)
      expect([200, 404, 409], deleted.text).toContain(deleted.status)
      expect([deleted.status, again.status]).toContain(200)
      return id
    })
    const ids = new Set(await Promise.all(pairs))
    for (const table of ['processor_tokens', 'payment_instruments']) {
      const column = table === 'payment_instruments' ? 'id' : 'payment_instrument_id'
      const rows = await services.db.read(`SELECT ${column} AS id FROM ${table} WHERE account_id = ?`, [
        local.accountId,
      ])
      expect(rows.filter(({ id }) => ids.has(String(id)))).toEqual([])
    }
  })

  test('the next card of a customer without a default is the default', async () => {
    const first = await newInstrument(platform(), { customerData: { email: 'again@example.com' } })
    const { customerId } = first
    const second = await newInstrument(platform(), { customerId })
    await deleteCard(first.id)
    const third = await newInstrument(platform(), { customerId })
    expect([first.isDefault, second.isDefault, third.isDefault]).toEqual([true, false, true])
  })

  test('a payment that was sent to its processor before goes on, and keeps no token of the deleted card', async () => {
    const { id: paymentInstrumentId } = await newInstrument(platform())
    const headers = { 'Tillwright-Fault': 'processor=slow' }
    const { body } = await requestPayment(platform(), { paymentInstrumentId }, { headers })
    const payment: Payment = contract.payments.create.response.parse(body)
    expect(payment.status).toBe('processing')
    await deleteCard(paymentInstrumentId)
    platform().clock.advance(SLOW_MS)
    await expect.poll(async () => (await readPayment(payment.id)).status, { timeout: 20_000 }).toBe('succeeded')
    const tokens = await platform().services.db.read(
      'SELECT token FROM processor_tokens WHERE payment_instrument_id = ?',
      [paymentInstrumentId],
    )
    expect(tokens).toEqual([])
  })

  test('a payment whose card is deleted before it is sent is declined, and no processor is asked', async () => {
    const { services, local } = platform()
    const instrument = await newInstrument(platform())
    const { attempts } = await pay(platform(), instrument.id)
    const sql = 'SELECT card_id FROM payment_instruments WHERE id = ?'
    const [row] = await services.db.read(sql, [instrument.id])
    await deleteCard(instrument.id)
    const outcome = await presentCard(
      {
        accountId: local.accountId,
        processorId: attempts[0]?.processorId ?? '',
        preview: null,
        paidWith: { cardId: String(row?.['card_id']) },
        code: null,
        facts: { attemptId: 'att', startedAtMs: 0, amount: 1, currency: 'USD', capture: 'now', descriptor: null },
        initiatedBy: 'buyer',
        storedCredential: null,
        threeds: null,
        exemption: null,
        buyer: { name: null, email: null, billingAddress: null, ip: null },
        customerId: 'cus_1',
        orderId: 'order_1',
        returnUrl: null,
        fault: null,
      },
      {
        services,
        driverOf: () => Promise.resolve(new Proxy({} as never, { get: (_, name) => name !== 'then' && asked })),
        codes: { seal: asked, open: asked },
      },
    )
    expect(outcome).toEqual({
      outcome: 'declined',
      declineCode: 'card_deleted',
      kind: 'hard',
      advice: null,
      reference: null,
    })
  })

  test('a buyer who is authenticated with a card that was deleted meanwhile is not charged', async () => {
    const { payment } = await newAuthenticatedPayment(platform())
    await deleteCard(payment.paymentInstrumentId ?? '')
    const path = `/api/payments/v1/payments/${payment.id}/continue`
    const { status, error } = await platform().request('POST', path)
    expect([status, error.code, error.declineCode]).toEqual([402, 'card_declined', 'card_deleted'])
    expect(await readPayment(payment.id)).toMatchObject({
      status: 'declined',
      declineCode: 'card_deleted',
      attempts: [],
      routing: { stopped: 'card_deleted' },
    })
  })

  test('nor with one that was deactivated meanwhile', async () => {
    const { payment } = await newAuthenticatedPayment(platform())
    const params = { paymentInstrumentId: payment.paymentInstrumentId ?? '' }
    await platform().call(contract.paymentInstruments.update, { params, body: { isActive: false, revision: 1 } })
    const { status, error } = await platform().request('POST', `/api/payments/v1/payments/${payment.id}/continue`)
    expect([status, error.code, error.declineCode]).toEqual([402, 'card_declined', 'card_inactive'])
    expect(await readPayment(payment.id)).toMatchObject({ status: 'declined', attempts: [] })
  })

  test('a buyer cannot begin to authenticate with a deleted card', async () => {
    const waiting = await newWaitingPayment(platform())
    await deleteCard(waiting.payment.paymentInstrumentId ?? '')
    const body = { actionToken: waiting.actionToken, browser: browserData, methodCompletion: 'U' }
    const answer = await platform().vaultRequest('POST', contract.threedsFrame.authenticate.path, { body })
    expect([answer.status, answer.error.code]).toEqual([409, 'state_conflict'])
    await expect(authenticateWaiting(platform(), waiting)).rejects.toThrow('deleted')
  })

  it('the renewal of a subscription whose card was deleted is declined, and tried again with another card', async () => {
    const { call, clock } = platform()
    const subscription = await subscribe(platform())
    const { id: subscriptionId, customerId, paymentInstrumentId } = subscription
    expect((await deleteCard(paymentInstrumentId)).subscriptionIds).toEqual([subscriptionId])
    clock.advance(32 * DAY_MS)
    const read = () => call(contract.subscriptions.get, { params: { subscriptionId } })
    const until = (status: string) =>
      expect.poll(async () => (clock.advance(5_001), (await read()).status), { timeout: 60_000 }).toBe(status)
    await until('past_due')
    const [pastDue] = await events('s_subscription_past_due', subscriptionId)
    expect(await readPayment(String(pastDue?.['paymentId']))).toMatchObject({
      status: 'declined',
      declineCode: 'card_deleted',
      attempts: [],
    })
    const another = await newInstrument(platform(), { customerId, number: '5555555555554444' })
    const body = { paymentInstrumentId: another.id }
    await call(contract.subscriptions.update, { params: { subscriptionId }, body })
    await until('active')
  })
})

const asked = () => Promise.reject(new Error('It was asked.'))
