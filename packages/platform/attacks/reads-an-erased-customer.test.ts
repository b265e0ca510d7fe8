import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contract, HOOK_TIMEOUT_MAX_MS } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { sealAll } from '../src/audit/seal.ts'
import { verifyAudit } from '../src/audit/verify.ts'
import { emitterAt } from '../src/events/emit.ts'
import { newEndpoint } from '../src/events/endpoints.ts'
import { personalTables } from '../src/privacy/index.ts'
import { authenticationBody } from '../test/authenticate-card.ts'
import { buyersPage, filledPage, payPage } from '../test/buyer-session.ts'
import { consoleHeaders, placeMember } from '../test/console-browser.ts'
import { startReceiver } from '../test/events/start-receiver.ts'
import { authorise, newInstrument, requestPayment } from '../test/pay-with-card.ts'
import { removeHook, startMerchant } from '../test/merchant-server.ts'
import { newFlow } from '../test/payments/new-flow.ts'
import { subscribe } from '../test/subscribe.ts'
import { type TestPlatform, sharedPlatform, testableEngines } from '../test/test-platform.ts'
import { authenticateWaiting, threedsActionOf } from '../test/threeds-payment.ts'
import { tableNames } from '../test/walk/table-digests.ts'

/** A person with words that stand nowhere else. */
const PERSON = {
  email: 'Quillonia.Zvezdar@brambleforth.example',
  firstName: 'Quillonia',
  lastName: 'Zvezdarovich',
  phone: '+353 86 4471902',
  line1: '77 Thistlemarrow Crescent',
  city: 'Ballywhimsical',
  postalCode: 'XK9 T4W7',
} as const

const address = (country: string) => ({
  line1: PERSON.line1,
  city: PERSON.city,
  postalCode: PERSON.postalCode,
  country,
})

/** The forms in which a text may be stored: as typed, without case, in base64 at each offset, in an address. */
function formsOf(text: string): string[] {
  const base64 = ['', 'x', 'xx'].flatMap((before) => {
    const coded = Buffer.from(before + text)
    const inner = coded.toString('base64').slice(before.length === 0 ? 0 : 4, -4)
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')]
  })
  const bare = text.replaceAll(/[^\p{L}\p{N}]/gu, '')
  return [text, encodeURIComponent(text), encodeURIComponent(text).replaceAll('%20', '+'), bare, ...base64].filter(
    ({ length }) => length >= 6,
  )
}

const forms = Object.values(PERSON).flatMap(formsOf)

/** Where any of the forms is found in a text, without its content. */
function hits(place: string, text: string): string[] {
  const lower = text.toLowerCase()
  return forms
    .filter((form) => text.includes(form) || lower.includes(form.toLowerCase()))
    .map((form) => `${place}: ${form}`)
}

/** A search of every row of every table, and of the bytes of every file: those of an embedded database and its log, too. */
async function search({ services, folder }: TestPlatform): Promise<string[]> {
  const found: string[] = []
  for (const table of await tableNames(services.db)) {
    for (const row of await services.db.read(`SELECT * FROM ${table}`, [])) {
      for (const [column, value] of Object.entries(row)) found.push(...hits(`${table}.${column}`, String(value)))
    }
  }
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const { parentPath, name } of files) {
    found.push(...hits(name, readFileSync(join(parentPath, name)).toString('latin1')))
  }
  return found
}

/** A purchase in a session, with authentication, a saved card, refunds, a dispute, metadata and events: all names the person. */
async function buyEverywhere(platform: TestPlatform) {
  const { call, request, local } = platform
  const { email, firstName, lastName, phone } = PERSON
  // Before any delivery: the answer to an event without a customer belongs to no customer.
  const paymentFlowId = await exemptingFlow(platform)
  const receiver = await startReceiver(() => ({ status: 500, body: `no order of ${email} is known` }))
  const { services } = platform
  const { writes } = newEndpoint(
    { url: receiver.url, eventTypes: '*', drafts: false },
    { ...emitterAt(local.accountId, services), services },
  )
  await services.db.write(writes)

  const page = await filledPage(platform)
  const customerId = page.session.customer.id
  await page.call(contract.session.setContact, { body: { email, firstName, lastName, phone } })
  await page.call(contract.session.setAddress, {
    body: { billingAddress: address('IE'), shippingAddress: address('FR') },
  })
  const tracked = { name: 'greeted', properties: { greeting: `Hello ${firstName} ${lastName}` } }
  await page.send('POST', '/events', { body: tracked })
  const asked = contract.session.pay.response.parse(
    (await payPage(platform, await buyersPage(platform, page.token), '4000002500003155')).body,
  )
  await authenticateWaiting(platform, { actionToken: threedsActionOf(asked).actionToken })
  const paid = await page.send('POST', `/payments/${asked.id}/continue`, {
    headers: { 'Idempotency-Key': 'continue-1' },
  })
  expect([paid.status, paid.body]).toEqual([200, expect.objectContaining({ status: 'succeeded' })])

  const { id: paymentInstrumentId } = await newInstrument(platform, { customerId })
  const metadata = { recipient: `${firstName} ${lastName}`, door: PERSON.line1 }
  const second = await requestPayment(
    platform,
    { paymentInstrumentId, metadata },
    { headers: { 'Idempotency-Key': `for-${email}` } },
  )
  const { id: secondId, status } = contract.payments.create.response.parse(second.body)
  expect(status).toBe('succeeded')
  const exempted = { paymentInstrumentId, paymentFlowId, amount: 20_00, currency: 'EUR', metadata }
  const third = contract.payments.create.response.parse((await requestPayment(platform, exempted)).body)
  expect(third.attempts).toMatchObject([{ status: 'succeeded', exemption: { asked: 'low_value' } }])
  const refund = { amount: 500, reason: `${firstName} ${lastName} called from ${phone}` }
  await request('POST', `/api/payments/v1/payments/${secondId}/refund`, {
    body: refund,
    headers: { 'Idempotency-Key': 'r' },
  })
  const { token } = await placeMember(platform)
  const asOwner = { key: '', headers: consoleHeaders(platform, token) }
  const limitTo = (amount: number | null) =>
    request('POST', contract.refundLimits.set.path, { ...asOwner, body: { currency: 'USD', amount } })
  await limitTo(refund.amount)
  const waits = await request('POST', `/api/payments/v1/payments/${secondId}/refund`, { body: refund })
  const { refundRequest } = contract.payments.refund.response.parse(waits.body)
  await request('POST', `/api/payments/v1/refund-requests/${refundRequest?.id}/decline`, asOwner)
  await limitTo(null)
  await call(contract.disputes.simulate, { params: { paymentId: asked.id }, body: { amount: 100 } })
  await receiver.until(3)
  const { code } = contract.session.handOver.response.parse((await page.send('POST', '/hand-over')).body)
  await platform.pageRequest('POST', contract.session.redeem.path, {
    body: { code },
    headers: { 'Idempotency-Key': 'redeem-1' },
  })
  return { customerId, paymentIds: [asked.id, secondId, third.id] }
}

/** A flow that asks for the exemption of low value: its payments count for their card until the buyer is authenticated. */
async function exemptingFlow(platform: TestPlatform): Promise<string> {
  const exemptionPolicy = { exemptions: ['low_value' as const], requestIn: 'authorization' as const }
  const { flow, processorIds } = await newFlow(platform, 0, { threeDsEnabled: true, exemptionPolicy })
  const config = JSON.stringify({ acquirer: { country: 'DE' } })
  const located = { sql: 'UPDATE processors SET config = ? WHERE id = ?', params: [config, processorIds[0] ?? ''] }
  await platform.services.db.write([located])
  return flow.id
}

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  const revisionOf = async (customerId: string) =>
    (await platform().call(contract.customers.get, { params: { customerId } })).revision

  const tries = async () => {
    const [row] = await platform().services.db.read('SELECT SUM(attempts) AS made FROM webhook_deliveries', [])
    return Number(row?.['made'])
  }

  async function erased(customerId: string) {
    const { clock, call } = platform()
    const begun = await call(contract.customers.erase, { params: { customerId }, body: {} })
    const erasureId = begun.id ?? ''
    const read = async () => (clock.advance(1_000), call(contract.erasures.get, { params: { erasureId } }))
    await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe('succeeded')
    return read()
  }

  test('an erased customer is in no row of any table and in no file; the books and the audit log are whole', async () => {
    const { call, services, request } = platform()
    const { customerId, paymentIds } = await buyEverywhere(platform())
    const setPhone = async (phone: string) =>
      call(contract.customers.update, {
        params: { customerId },
        body: { revision: await revisionOf(customerId), phone },
      })
    await setPhone('+353 1 5550000')
    expect(await services.db.emptyLog?.()).not.toBe(false)
    // Another one than before: what changes nothing is not written, and the log would be empty.
    await setPhone(PERSON.phone)
    const before = new Set((await search(platform())).map((hit) => hit.split(':')[0]))
    for (const place of [
      'customers.email',
      'orders.buyer',
      'orders.metadata',
      'funnel_sessions.state',
      'threeds_messages.message',
      'events.properties',
      'payment_follow_ups.reason',
      'refund_requests.reason',
      'search_words.word',
      'audit_entries.changes',
      'webhook_deliveries.last_response',
      ...(engine === 'sqlite' ? ['tillwright.db', 'tillwright.db-wal'] : []),
    ]) {
      expect([...before]).toContain(place)
    }
    const order = async () =>
      Promise.all(
        paymentIds.map(async (paymentId) => {
          const { amount, orderId, refundedAmount } = await call(contract.payments.get, {
            params: { paymentId },
          })
          const { lines, subtotal, status } = await call(contract.orders.get, { params: { orderId } })
          return { amount, refundedAmount, lines, subtotal, status }
        }),
      )
    const books = await order()

    const exported = await request('GET', `/api/payments/v1/customers/${customerId}/export`, {
      key: platform().local.adminApiKey,
    })
    expect(exported.status).toBe(200)
    const file = contract.customers.export.response.parse(exported.body)
    const text = JSON.stringify(file)
    for (const value of Object.values(PERSON)) expect(text).toContain(value)
    // The answer to the redemption holds the session's token.
    expect(file.data).toContainEqual({
      kind: 'idempotency_keys',
      fields: { status: 200, body: '[kept encrypted, and shown to nobody]' },
    })
    expect(text).not.toContain('sealed:')
    const { data: taken } = await call(contract.audit.list, { query: { operation: 'customers.export' } })
    expect(taken[0]).toMatchObject({ resourceId: customerId, status: 200 })
    const kinds = new Map(file.data.map(({ kind, fields }) => [kind, Object.keys(fields).toSorted()]))
    for (const { table, columns } of personalTables({ status: 409, body: '' })) {
      // This person has no subscription.
      if (!['subscriptions', 'usage_records'].includes(table)) {
        expect([table, kinds.get(table)]).toEqual([table, Object.keys(columns).toSorted()])
      }
    }

    const dryRun = await call(contract.customers.erase, { params: { customerId }, body: { dryRun: true } })
    expect(dryRun).toMatchObject({ id: null, status: 'dry_run', isWhole: true })
    expect(dryRun.receipt).toContainEqual(expect.objectContaining({ data: 'orders', found: 3, erased: 3 }))
    expect(await order()).toEqual(books)

    const erasure = await erased(customerId)
    // The receiver goes on to name the person.
    const triesBefore = await tries()
    platform().clock.advance(24 * 60 * 60 * 1_000)
    await expect.poll(tries).toBeGreaterThan(triesBefore + 3)
    expect(await search(platform())).toEqual([])
    // The card's row that holds no payment goes with the next sweep.
    const counted = () => services.db.read('SELECT * FROM low_value_payments', [])
    await expect.poll(async () => (platform().clock.advance(60_000), counted())).toEqual([])
    expect(erasure.receipt).toContainEqual(dryRun.receipt?.find(({ data }) => data === 'orders'))
    expect(hits('receipt', JSON.stringify(erasure))).toEqual([])
    expect(await order()).toEqual(books)
    const ledger = await services.db.read('SELECT SUM(amount) AS sum FROM ledger_entries', [])
    expect(Number(ledger[0]?.['sum'])).toBe(0)
    await sealAll({ ...services, announce: async () => [] })
    expect((await verifyAudit(services)).flatMap(({ problems }) => problems)).toEqual([])

    const again = await call(contract.customers.erase, { params: { customerId }, body: {} })
    expect([again.id, again.status]).toEqual([erasure.id, 'succeeded'])
    const events = await services.db.read("SELECT properties FROM events WHERE event_type = 's_customer_erased'", [])
    expect(events.map(({ properties }) => JSON.parse(String(properties)))).toEqual([
      { customerId, erasureId: erasure.id },
    ])
  })

  test('nothing new is stored of an erased customer, and a repeated request is not carried out again', async () => {
    const { customerId, id: paymentInstrumentId } = await newInstrument(platform(), {
      customerData: { email: 'grace@example.com' },
    })
    const headers = { 'Idempotency-Key': 'paid-once' }
    const paid = await requestPayment(platform(), { paymentInstrumentId }, { headers })
    expect(paid.status).toBe(201)
    await erased(customerId)
    const repeated = await requestPayment(platform(), { paymentInstrumentId }, { headers })
    expect([repeated.status, repeated.error.code]).toEqual([409, 'state_conflict'])
    const charged = await requestPayment(platform(), { paymentInstrumentId })
    expect(charged.status).toBeGreaterThanOrEqual(400)
    await expect(newInstrument(platform(), { customerId })).rejects.toThrow(/erased/)
  })

  test('a payment that waits for the merchant’s server while its customer is erased is not put on record', async () => {
    const { id: paymentInstrumentId, customerId } = await newInstrument(platform())
    const settings = { kinds: ['risk'], onFailure: 'continue', timeoutMs: HOOK_TIMEOUT_MAX_MS } as const
    await startMerchant(platform(), settings, async () => {
      await erased(customerId)
      return { status: 500 }
    })
    const metadata = { recipient: PERSON.firstName }
    const { status, error } = await requestPayment(platform(), { paymentInstrumentId, metadata })
    await removeHook(platform(), 'risk')
    expect([status, error.code, error.message]).toEqual([
      409,
      'state_conflict',
      expect.stringContaining('no longer active'),
    ])
    expect(await search(platform())).toEqual([])
  })

  test('a session of 3-D Secure is not authenticated once its customer is erased', async () => {
    const { call, request, local } = platform()
    for (const number of ['4242424242424242', '4000000000002503']) {
      const { id: paymentInstrumentId, customerId } = await newInstrument(platform(), { number })
      const opened = { paymentInstrumentId, storeId: local.storeId }
      const { id } = await call(contract.threeds.createSession, { body: opened })
      await erased(customerId)
      const body = {
        ...authenticationBody(id),
        cardholderInfo: { name: `${PERSON.firstName} ${PERSON.lastName}`, email: PERSON.email },
        returnUrl: `https://shop.example/?for=${PERSON.firstName}`,
      }
      const { status, error } = await request('POST', contract.threeds.authenticate.path, { body })
      expect([status, error.code]).toEqual([409, 'state_conflict'])
      expect(await search(platform())).toEqual([])
    }
  })

  test('an order of an erased customer takes no metadata and a refund no reason; both name the erasure, and money goes back', async () => {
    const { call, request } = platform()
    const { customerId, id: paymentInstrumentId } = await newInstrument(platform())
    const paid = await requestPayment(platform(), { paymentInstrumentId })
    const { id, orderId } = contract.payments.create.response.parse(paid.body)
    const order = await call(contract.orders.get, { params: { orderId } })
    const { id: erasureId } = await erased(customerId)
    const key = platform().local.adminApiKey
    const noted = await request('PATCH', `/api/payments/v1/orders/${orderId}`, {
      key,
      body: { metadata: { recipient: PERSON.firstName }, revision: order.revision },
    })
    const refund = (body: object) => request('POST', `/api/payments/v1/payments/${id}/refund`, { key, body })
    for (const { status, error } of [noted, await refund({ amount: 5, reason: PERSON.lastName })]) {
      expect([status, error.code]).toEqual([409, 'state_conflict'])
      expect(error.message).toContain(erasureId)
    }
    expect(await refund({ amount: 5 })).toMatchObject({ status: 200, body: { refundedAmount: 5 } })
    expect(await search(platform())).toEqual([])
  })

  test('a refund that waits for a second person takes no reason about a customer whose erasure begins meanwhile', async () => {
    const { request, services, local } = platform()
    const owner = await placeMember(platform())
    const asOwner = (path: string, body: object = {}) =>
      request('POST', `/api/payments/v1/${path}`, { key: '', headers: consoleHeaders(platform(), owner.token), body })
    const refund = { amount: 500, reason: PERSON.lastName }
    await asOwner('refund-limits/set', { currency: 'USD', amount: 1 })
    // The erasure begins when it was looked for, and before anything is written.
    const begin = (customerId: string) => {
      const sql = 'UPDATE customers SET erased_at = 1 WHERE account_id = ? AND id = ?'
      return services.db.write([{ sql, params: [local.accountId, customerId] }])
    }
    const paid = async () => {
      const { customerId, id: paymentInstrumentId } = await newInstrument(platform())
      const { body } = await requestPayment(platform(), { paymentInstrumentId })
      return { customerId, path: `payments/${contract.payments.create.response.parse(body).id}/refund` }
    }
    const [first, second] = [await paid(), await paid()]
    await begin(first.customerId)
    const asked = await asOwner(first.path, refund)
    const waiting = await request('POST', `/api/payments/v1/${second.path}`, { body: refund })
    const { refundRequest } = contract.payments.refund.response.parse(waiting.body)
    await begin(second.customerId)
    const approved = await asOwner(`refund-requests/${refundRequest?.id}/approve`)
    await asOwner('refund-limits/set', { currency: 'USD', amount: null })
    for (const { status, error } of [asked, approved]) expect([status, error.code]).toEqual([409, 'state_conflict'])
  })

  test('a customer is not erased while a payment is under way or a subscription runs, and the refusal names both', async () => {
    const { request, call } = platform()
    const { customerId, id } = await authorise(platform())
    const erase = (whom: string, key?: string) =>
      request('POST', `/api/payments/v1/customers/${whom}/erase`, { body: {}, ...(key !== undefined && { key }) })
    const key = platform().local.adminApiKey
    const refused = await erase(customerId, key)
    expect([refused.status, refused.error.code]).toEqual([409, 'state_conflict'])
    expect(refused.error.message).toContain(id)
    await call(contract.payments.void, { params: { paymentId: id } })
    expect((await erase(customerId, key)).status).toBe(201)
    const subscription = await subscribe(platform())
    const running = await erase(subscription.customerId, key)
    expect(running.error.message).toContain(subscription.id)
    const withoutScope = await platform().addKey({ scopes: ['customers:write', 'customers:read'] })
    expect((await erase(subscription.customerId, withoutScope)).status).toBe(403)
  })
})
