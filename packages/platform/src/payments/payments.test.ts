import { contract, type Payment } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newInstrument, pay, requestPayment } from '../../test/pay-with-card.ts'
import { sharedPlatform, ruleEngines } from '../../test/test-platform.ts'
import { drawOf } from '../runtime/randomness.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const read = (paymentId: string) => platform().call(contract.payments.get, { params: { paymentId } })
  const readOrder = (orderId: string) => platform().call(contract.orders.get, { params: { orderId } })

  async function eventsOf({ orderId }: Pick<Payment, 'orderId'>): Promise<unknown[]> {
    const rows = await platform().services.db.read(
      'SELECT event_type FROM events WHERE properties LIKE ? ORDER BY id',
      [`%${orderId}%`],
    )
    return rows.map((row) => row['event_type']).toSorted()
  }

  test('a payment of an amount succeeds, pays its order, and is read as it was answered', async () => {
    const { local, clock } = platform()
    const instrument = await newInstrument(platform())
    const answer = await requestPayment(platform(), { paymentInstrumentId: instrument.id, metadata: { cart: '7' } })
    expect(answer.status).toBe(201)
    const payment = contract.payments.create.response.parse(answer.body)
    const now = new Date(clock.now()).toISOString()
    expect(payment).toMatchObject({
      id: expect.stringMatching(/^pay_/),
      orderId: expect.stringMatching(/^order_/),
      accountId: local.accountId,
      storeId: local.storeId,
      customerId: instrument.customerId,
      paymentInstrumentId: instrument.id,
      paymentFlowId: local.paymentFlowId,
      status: 'succeeded',
      requireAction: 'none',
      amount: 1_999,
      currency: 'USD',
      declineCode: null,
      createdAt: now,
    })
    expect(await read(payment.id)).toEqual(payment)
    expect(await readOrder(payment.orderId)).toEqual({
      id: payment.orderId,
      accountId: local.accountId,
      storeId: local.storeId,
      customerId: instrument.customerId,
      paymentIds: [payment.id],
      status: 'paid',
      currency: 'USD',
      amount: 1_999,
      subtotal: 1_999,
      discountAmount: 0,
      shippingAmount: 0,
      shippingDiscount: 0,
      shippingOption: null,
      taxAmount: 0,
      hooks: [],
      deferredAmount: 0,
      lines: [],
      promotions: { applied: [], leftOut: [] },
      metadata: { cart: '7' },
      isPreview: false,
      buyer: null,
      createdAt: now,
      paidAt: now,
      revision: 1,
      updatedAt: now,
    })
  })

  test('a payment of lines costs what the catalogue says', async () => {
    const { local, call } = platform()
    const product = await call(contract.products.get, { params: { productId: local.productId } })
    const [first, second] = product.variants
    const { id } = await newInstrument(platform())
    const lines = [{ variantId: first?.id, quantity: 2 }, { variantId: second?.id }]
    const answer = await requestPayment(platform(), { paymentInstrumentId: id, amount: undefined, lines })
    const payment = contract.payments.create.response.parse(answer.body)
    expect(payment.amount).toBe(2 * 2_400 + 2_600)
    const order = await readOrder(payment.orderId)
    expect(order.lines.map(({ name, quantity, unitAmount, amount }) => [name, quantity, unitAmount, amount])).toEqual([
      ['Canvas tote, Natural', 2, 2_400, 4_800],
      ['Canvas tote, Night blue', 1, 2_600, 2_600],
    ])
  })

  test('a payment that succeeds is five events, each once', async () => {
    const payment = await pay(platform(), (await newInstrument(platform())).id)
    expect(await eventsOf(payment)).toEqual([
      's_checkout_started',
      's_order_created',
      's_order_paid',
      's_payment_created',
      's_payment_succeeded',
    ])
  })

  test('an event of a payment is read with its customer and store', async () => {
    const { services, call, local } = platform()
    const instrument = await newInstrument(platform(), { customerData: { email: `event-${engine}@example.com` } })
    const payment = await pay(platform(), instrument.id)
    const [row] = await services.db.read(
      "SELECT id FROM events WHERE event_type = 's_order_paid' AND properties LIKE ?",
      [`%${payment.id}%`],
    )
    const event = await call(contract.events.get, { params: { eventId: String(row?.['id']) } })
    expect(event).toMatchObject({
      eventType: 's_order_paid',
      accountId: local.accountId,
      storeId: local.storeId,
      customerId: instrument.customerId,
      draft: false,
      properties: { orderId: payment.orderId, amount: 1_999, currency: 'USD', paymentId: payment.id },
      customer: { id: instrument.customerId, email: `event-${engine}@example.com`, firstName: '', lastName: '' },
      store: { id: local.storeId, name: 'Fernhill Supply' },
    })
  })

  const declines: readonly [number: string, code: string, declineCode: string][] = [
    ['4000000000000002', 'card_declined', 'generic_decline'],
    ['4000000000009995', 'insufficient_funds', 'insufficient_funds'],
    ['4000000000009987', 'card_declined', 'lost_card'],
    ['4000000000009979', 'card_declined', 'stolen_card'],
    ['4000000000000069', 'expired_card', 'expired_card'],
    ['4000000000000127', 'incorrect_cvc', 'incorrect_cvc'],
    ['4000000000000119', 'processing_error', 'processing_error'],
  ]

  test.for(declines)('the test card %s is a 402 %s, and its payment says %s', async ([number, code, declineCode]) => {
    const { id } = await newInstrument(platform(), { number })
    const answer = await requestPayment(platform(), { paymentInstrumentId: id })
    expect(answer.status).toBe(402)
    expect(answer.error).toMatchObject({
      type: 'card_error',
      code,
      declineCode,
      paymentId: expect.stringMatching(/^pay_/),
    })
    const payment = await read(answer.error.paymentId ?? '')
    expect(payment).toMatchObject({ status: 'declined', declineCode, attempts: [{ status: 'declined', declineCode }] })
    expect(await readOrder(payment.orderId)).toMatchObject({ status: 'pending', paidAt: null })
    expect(await eventsOf(payment)).toEqual([
      's_checkout_started',
      's_order_created',
      's_payment_created',
      's_payment_failed',
    ])
  })

  test('a stolen card is not told apart from any other that was declined', async () => {
    const messages = await Promise.all(
      ['4000000000000002', '4000000000009979', '4000000000009987'].map(async (number) => {
        const { id } = await newInstrument(platform(), { number })
        return (await requestPayment(platform(), { paymentInstrumentId: id })).error.message
      }),
    )
    expect(new Set(messages).size).toBe(1)
  })

  test('each attempt keeps the choice that led to it, and the draw can be repeated from its id', async () => {
    const { attempts } = await pay(platform(), (await newInstrument(platform())).id)
    expect(attempts).toHaveLength(1)
    const [attempt] = attempts
    expect(attempt?.decision.candidates).toHaveLength(2)
    expect(attempt?.decision.dropped).toEqual([])
    expect(attempt?.decision.draw).toBe(drawOf(attempt?.id ?? ''))
    const [first, second] = attempt?.decision.candidates ?? []
    expect(attempt?.processorId).toBe((attempt?.decision.draw ?? 0) < 0.5 ? first?.processorId : second?.processorId)
  })

  test('a disabled processor takes nothing, and the attempt says why', async () => {
    const { services, local, call } = platform()
    const [one, two] = await services.db.read('SELECT id FROM processors WHERE account_id = ? ORDER BY id', [
      local.accountId,
    ])
    const processorConfigs = [
      { processorId: String(one?.['id']), disabled: true, weight: 100 },
      { processorId: String(two?.['id']) },
    ]
    const data = { name: 'One of two', strategy: 'simple', processorConfigs } as const
    const flow = await call(contract.paymentFlows.create, { body: { data: { ...data, processorConfigs } } })
    const answer = await requestPayment(platform(), {
      paymentInstrumentId: (await newInstrument(platform())).id,
      paymentFlowId: flow.id,
    })
    expect(answer.body).toMatchObject({
      paymentFlowId: flow.id,
      status: 'succeeded',
      attempts: [
        { processorId: two?.['id'], decision: { dropped: [{ processorId: one?.['id'], reason: 'disabled' }] } },
      ],
    })
  })

  test('a flow without an eligible processor is a 402, and nothing is recorded', async () => {
    const { services, local, call } = platform()
    const [one] = await services.db.read('SELECT id FROM processors WHERE account_id = ?', [local.accountId])
    const processorConfigs = [{ processorId: String(one?.['id']), disabled: true }]
    const flow = await call(contract.paymentFlows.create, {
      body: { data: { name: 'None', strategy: 'simple', processorConfigs } },
    })
    const answer = await requestPayment(platform(), {
      paymentInstrumentId: (await newInstrument(platform())).id,
      paymentFlowId: flow.id,
    })
    expect([answer.status, answer.error.code]).toEqual([402, 'no_eligible_processor'])
    expect(answer.error.message).toContain('(disabled)')
    expect(await services.db.read('SELECT id FROM payments WHERE payment_flow_id = ?', [flow.id])).toEqual([])
  })

  test.for([
    ['an unknown instrument', { paymentInstrumentId: 'none' }, 404, 'resource_missing', 'paymentInstrumentId'],
    ['an unknown flow', { paymentFlowId: 'none' }, 404, 'resource_missing', 'paymentFlowId'],
    [
      'an unknown variant',
      { amount: undefined, lines: [{ variantId: 'none' }] },
      404,
      'resource_missing',
      'lines[0].variantId',
    ],
    ['a store that there is not', { storeId: 'none' }, 404, 'resource_missing', 'storeId'],
    ['nothing', { amount: 0 }, 400, 'amount_invalid', 'amount'],
    ['half a cent', { amount: 1.5 }, 400, 'amount_invalid', 'amount'],
    ['a currency that there is not', { currency: 'XXX' }, 400, 'currency_unsupported', 'currency'],
  ] as const)('a payment of %s is refused', async ([, change, status, code, param]) => {
    const { id } = await newInstrument(platform())
    const answer = await requestPayment(platform(), { paymentInstrumentId: id, ...change })
    expect([answer.status, answer.error.code, answer.error.param]).toEqual([status, code, param])
  })

  test('an instrument pays in its own store alone', async () => {
    const { call, local } = platform()
    const body = { name: 'Another shop', selectedPaymentFlowId: local.paymentFlowId }
    const { id: storeId } = await call(contract.stores.create, { body })
    const { id: paymentInstrumentId } = await newInstrument(platform())
    const answer = await requestPayment(platform(), { paymentInstrumentId, storeId })
    expect([answer.status, answer.error.param]).toEqual([404, 'paymentInstrumentId'])
  })

  test('an order of things that cost nothing is paid once, without a processor', async () => {
    const { call, local } = platform()
    const prices = [{ currencyOptions: { USD: { amount: 0 } } }]
    const { productId } = await call(contract.products.create, {
      body: { storeId: local.storeId, name: 'Gift', variants: [{ name: 'One', prices }] },
    })
    const product = await call(contract.products.get, { params: { productId } })
    const { id } = await newInstrument(platform())
    const order = { paymentInstrumentId: id, amount: undefined, lines: [{ variantId: product.variants[0]?.id }] }
    const headers = { 'Idempotency-Key': 'free' }
    const answer = await requestPayment(platform(), order, { headers })
    const payment = contract.payments.create.response.parse(answer.body)
    const nobodyAsked = { amount: 0, attempts: [], paymentMethod: { type: 'none', sepaDebit: null, voucher: null } }
    expect(payment).toMatchObject({ status: 'succeeded', ...nobodyAsked })
    expect(await read(payment.id)).toEqual(payment)
    expect(await readOrder(payment.orderId)).toMatchObject({ status: 'paid', amount: 0 })
    expect((await requestPayment(platform(), order, { headers })).body).toEqual(answer.body)
    const { customerId } = payment
    const without = (change: object) =>
      requestPayment(platform(), { ...order, paymentInstrumentId: undefined, customerId, ...change })
    const none = { paymentMethod: { type: 'none' } }
    const taken = contract.payments.create.response.parse((await without(none)).body)
    expect(taken).toMatchObject({ status: 'succeeded', paymentInstrumentId: null, ...nobodyAsked })
    const ideal = await without({ paymentMethod: { type: 'ideal' }, returnUrl: 'https://shop.example/thanks' })
    expect([ideal.status, ideal.error.param]).toEqual([400, 'paymentMethod'])
    const dear = await without({ ...none, lines: undefined, amount: 100 })
    expect([dear.status, dear.error.param]).toEqual([400, 'paymentMethod'])
  })

  test('a store without a flow of its own needs one named', async () => {
    const { call, services } = platform()
    const instrument = await newInstrument(platform())
    const { id } = await call(contract.stores.create, { body: { name: 'Without a flow' } })
    await services.db.write([
      { sql: 'UPDATE payment_instruments SET store_id = ? WHERE id = ?', params: [id, instrument.id] },
    ])
    const answer = await requestPayment(platform(), { paymentInstrumentId: instrument.id, storeId: id })
    expect([answer.status, answer.error.code, answer.error.param]).toEqual([400, 'parameter_missing', 'paymentFlowId'])
  })

  test('an instrument that is no longer active pays nothing', async () => {
    const instrument = await newInstrument(platform())
    await platform().services.db.write([
      { sql: 'UPDATE payment_instruments SET is_active = 0 WHERE id = ?', params: [instrument.id] },
    ])
    const answer = await requestPayment(platform(), { paymentInstrumentId: instrument.id })
    expect([answer.status, answer.error.code]).toEqual([409, 'state_conflict'])
  })

  test('another account finds neither instrument nor payment nor order nor event', async () => {
    const { request, addAccount, addKey, services } = platform()
    const instrument = await newInstrument(platform())
    const payment = await pay(platform(), instrument.id)
    const [event] = await services.db.read('SELECT id FROM events WHERE properties LIKE ?', [`%${payment.id}%`])
    const { apiKey, accountId } = await addAccount()
    const admin = await addKey({ accountId, roles: ['org:admin'] })
    const answers = await Promise.all([
      requestPayment(platform(), { paymentInstrumentId: instrument.id }, { key: apiKey }),
      request('GET', `/api/payments/v1/payments/${payment.id}`, { key: apiKey }),
      request('GET', `/api/payments/v1/orders/${payment.orderId}`, { key: apiKey }),
      request('GET', `/api/public/v1/events/${String(event?.['id'])}`, { key: admin }),
    ])
    expect(answers.map(({ status, error }) => [status, error.code])).toEqual(Array(4).fill([404, 'resource_missing']))
  })

  test('statistics count what happened, and their parts sum to the whole', async () => {
    const { call, local, clock } = platform()
    clock.advance(1_000)
    const from = new Date(clock.now()).toISOString()
    await pay(platform(), (await newInstrument(platform())).id)
    const statistics = await call(contract.events.statistics, { body: { from, storeId: local.storeId } })
    expect(statistics.totalEvents).toBe(7)
    expect(statistics.eventsByType.every(({ count }) => count === 1)).toBe(true)
    expect(statistics.processedCount + statistics.unprocessedCount).toBe(7)
    const paid = await call(contract.events.statistics, {
      body: { from, eventType: ['s_order_paid', 's_payment_failed'] },
    })
    expect(paid).toMatchObject({ totalEvents: 1, eventsByType: [{ eventType: 's_order_paid', count: 1 }] })
  })
})
