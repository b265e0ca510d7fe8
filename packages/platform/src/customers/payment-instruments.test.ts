import { contract } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { encryptedForm, newInstrument, requestPayment, serviceToken } from '../../test/pay-with-card.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { readCard } from '../vault/cards.ts'

const CREATE = contract.paymentInstruments.createFromToken
const MINUTE_MS = 60_000

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const refused = (body: object, key?: string) =>
    platform().request('POST', CREATE.path, { body, ...(key !== undefined && { key }) })

  test('a card becomes an instrument of a new customer, and is read as it was made', async () => {
    const { call, local, clock } = platform()
    const customerData = {
      email: 'Ada@Example.com',
      firstName: 'Ada',
      lastName: 'Lovelace',
      billingAddress: { country: 'GB' },
    }
    const body = { serviceToken: await serviceToken(platform()), storeId: local.storeId, customerData }
    const { paymentInstrument, customer } = await call(CREATE, { body })
    const now = new Date(clock.now()).toISOString()
    expect(customer).toEqual({
      id: customer.id,
      email: 'Ada@Example.com',
      firstName: 'Ada',
      lastName: 'Lovelace',
      createdAt: now,
    })
    expect(paymentInstrument).toMatchObject({
      id: expect.stringMatching(/^pi_[0-9A-Za-z]{22}$/),
      type: 'card',
      customerId: customer.id,
      accountId: local.accountId,
      isActive: true,
      isDefault: true,
      tokenizer: 'tillwright_vault',
      createdAt: now,
      processorTokens: [],
      card: { last4: '4242', brand: 'visa', expYear: 2040, expMonth: 12 },
    })
    const read = await call(contract.paymentInstruments.get, { params: { paymentInstrumentId: paymentInstrument.id } })
    const { createdAt, ...owner } = paymentInstrument.customer
    expect([owner, createdAt]).toEqual([read.customer, now])
    expect(read).toEqual({ ...paymentInstrument, customer: owner })
  })

  test('an instrument tells which processors hold its card: each that has authorized a payment with it', async () => {
    const { call, local } = platform()
    const { id: paymentInstrumentId } = await newInstrument(platform(), {})
    const held = async () =>
      (await call(contract.paymentInstruments.get, { params: { paymentInstrumentId } })).processorTokens
    expect(await held()).toEqual([])
    await requestPayment(platform(), { paymentInstrumentId, captureMethod: 'manual' })
    const [token] = await held()
    expect(token).toMatchObject({ processorType: 'simulator', status: 'used' })
    expect(token?.token).toMatch(/^tok_\*{4}\w{4}$/)
    await Promise.all([1, 2, 3].map(() => requestPayment(platform(), { paymentInstrumentId })))
    const processors = (await held()).map(({ processorId }) => processorId)
    expect(new Set(processors).size).toBe(processors.length)
    const flows = await call(contract.paymentFlows.list, { query: {} })
    const flow = flows.find(({ id }) => id === local.paymentFlowId)
    expect(flow?.processorConfigs.map(({ processorId }) => processorId)).toEqual(expect.arrayContaining(processors))
  })

  test('a co-badged card is kept as one of the network that its holder chose, with the name on it', async () => {
    const { call, local, services } = platform()
    const chosen = { number: '6703444444444449', cvc: '123', network: 'maestro', name: 'Ada Lovelace' }
    const token = await call(contract.vault.createToken, { body: { jwe: await encryptedForm(platform(), chosen) } })
    expect(token.card.brand).toBe('maestro')
    const body = { serviceToken: token.serviceToken, storeId: local.storeId }
    const { paymentInstrument } = await call(CREATE, { body })
    expect(paymentInstrument.card).toMatchObject({ brand: 'maestro', last4: '4449' })
    expect(JSON.stringify(paymentInstrument)).not.toContain('Lovelace')

    const rows = await services.db.read('SELECT * FROM cards WHERE brand = ?', ['maestro'])
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain('Lovelace')
    expect(await readCard(String(rows[0]?.['id']), local.accountId, services)).toMatchObject({ name: 'Ada Lovelace' })
  })

  test('a network that the card does not belong to is refused, and nothing is stored', async () => {
    const { vaultRequest, services } = platform()
    const before = await services.db.read('SELECT id FROM cards', [])
    const body = { jwe: await encryptedForm(platform(), { network: 'mastercard' }) }
    const answer = await vaultRequest('POST', contract.vault.createToken.path, { body })
    expect([answer.status, answer.error.code, answer.error.param]).toEqual([400, 'parameter_invalid', 'network'])
    expect(await services.db.read('SELECT id FROM cards', [])).toHaveLength(before.length)
  })

  test('a customer is known by e-mail in any case, and a second card is not the default one', async () => {
    const first = await newInstrument(platform(), { customerData: { email: 'bob@example.com' } })
    const second = await newInstrument(platform(), {
      customerData: { email: 'BOB@example.com' },
      number: '5555555555554444',
    })
    expect(second.customerId).toBe(first.customerId)
    expect([first.isDefault, second.isDefault]).toEqual([true, false])
    expect(second.card).toMatchObject({ brand: 'mastercard', last4: '4444' })
  })

  test('a customer is known by id', async () => {
    const { customerId } = await newInstrument(platform())
    expect((await newInstrument(platform(), { customerId })).customerId).toBe(customerId)
  })

  test('without e-mail and id every card is a new customer’s', async () => {
    const [one, two] = [await newInstrument(platform()), await newInstrument(platform())]
    expect(one.customerId).not.toBe(two.customerId)
    expect(one.customer.email).toBe('')
  })

  it('two cards of one new customer at once make one customer', async () => {
    const customerData = { email: `racing-${engine}@example.com` }
    const [one, two] = await Promise.all([
      newInstrument(platform(), { customerData }),
      newInstrument(platform(), { customerData }),
    ])
    expect(one.customerId).toBe(two.customerId)
  })

  test('a customer of another store with the same e-mail is another one', async () => {
    const { services, local, call } = platform()
    await newInstrument(platform(), { customerData: { email: 'eve@example.com' } })
    const { id } = await call(contract.stores.create, { body: { name: 'Another shop' } })
    await services.db.write([
      { sql: 'UPDATE customers SET store_id = ? WHERE email_key = ?', params: [id, 'eve@example.com'] },
    ])
    const here = await newInstrument(platform(), { customerData: { email: 'eve@example.com' } })
    const rows = await services.db.read('SELECT id, store_id FROM customers WHERE email_key = ?', ['eve@example.com'])
    expect(rows).toHaveLength(2)
    expect(rows).toContainEqual({ id: here.customerId, store_id: local.storeId })
  })

  test('an unknown customer is a 404, and the token is not spent on it', async () => {
    const { local, call } = platform()
    const body = { serviceToken: await serviceToken(platform()), storeId: local.storeId }
    const answer = await refused({ ...body, customerId: 'none' })
    expect([answer.status, answer.error.param]).toEqual([404, 'customerId'])
    expect((await call(CREATE, { body })).paymentInstrument.card.last4).toBe('4242')
  })

  it('a token is spent once, also by requests at once', async () => {
    const body = { serviceToken: await serviceToken(platform()), storeId: platform().local.storeId }
    const answers = await Promise.all([refused(body), refused(body), refused(body)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400])
    const later = await refused(body)
    expect([later.status, later.error.code]).toEqual([400, 'token_used'])
  })

  test('a token is good for 15 minutes', async () => {
    const { local, clock } = platform()
    const token = await serviceToken(platform())
    clock.advance(15 * MINUTE_MS)
    const answer = await refused({ serviceToken: token, storeId: local.storeId })
    expect([answer.status, answer.error.code]).toEqual([400, 'token_expired'])
  })

  test('a token belongs to its store and its account', async () => {
    const { call, addAccount } = platform()
    const token = await serviceToken(platform())
    const { id: otherStore } = await call(contract.stores.create, { body: { name: 'Another shop' } })
    const { apiKey } = await addAccount()
    const { id: thiefsStore } = await call(contract.stores.create, { body: { name: 'Shop' } }, apiKey)
    const elsewhere = await refused({ serviceToken: token, storeId: otherStore })
    const stolen = await refused({ serviceToken: token, storeId: thiefsStore }, apiKey)
    for (const { status, error } of [elsewhere, stolen]) expect([status, error.code]).toEqual([400, 'token_invalid'])
  })

  test.for(['abc', 'e30', '{}', 'ä'])('%j is no token', async (token) => {
    const answer = await refused({ serviceToken: token, storeId: platform().local.storeId })
    expect([answer.status, answer.error.code, answer.error.param]).toEqual([400, 'token_invalid', 'serviceToken'])
  })

  test('another account’s instrument is not found', async () => {
    const { request, addAccount } = platform()
    const { id } = await newInstrument(platform())
    const { apiKey } = await addAccount()
    expect((await request('GET', `/api/public/v1/payment-instruments/${id}`, { key: apiKey })).status).toBe(404)
  })

  test('a new card of a new customer is two events, of a known one one', async () => {
    const { services } = platform()
    const { customerId } = await newInstrument(platform())
    const types = async () =>
      (
        await services.db.read('SELECT event_type FROM events WHERE customer_id = ? ORDER BY event_type', [customerId])
      ).map((row) => row['event_type'])
    expect(await types()).toEqual(['s_customer_created', 's_payment_instrument_created'])
    await newInstrument(platform(), { customerId })
    expect(await types()).toEqual([
      's_customer_created',
      's_payment_instrument_created',
      's_payment_instrument_created',
    ])
  })
})
