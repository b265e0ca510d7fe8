import { contract, type CustomerRecord } from '@tillwright/contract'
import { describe, expect, it, test } from 'vitest'
import { newInstrument, pay, requestPayment } from '../../test/pay-with-card.ts'
import { sharedPlatform, testableEngines } from '../../test/test-platform.ts'

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  let made = 0
  const create = (body: object = {}) =>
    platform().call(contract.customers.create, {
      body: { storeId: platform().local.storeId, email: `c${++made}-${engine}@example.com`, ...body },
    })
  const at = ({ id }: { id: string }, rest = '') => `/api/payments/v1/customers/${id}${rest}`
  const patch = (path: string, body: object, key?: string) =>
    platform().request('PATCH', path, { body, ...(key !== undefined && { key }) })
  const eventsOf = async (type: string, id: string) => {
    const sql = 'SELECT properties FROM events WHERE event_type = ? AND properties LIKE ? ORDER BY id'
    const rows = await platform().services.db.read(sql, [type, `%${id}%`])
    return rows.map((row) => JSON.parse(String(row['properties'])))
  }
  const found = async (q: string) =>
    (await platform().call(contract.customers.list, { query: { q } })).data.map(({ id }) => id)

  it('a customer is created, and a second one with the same address is refused', async () => {
    const customer = await create({ phone: '+353 1 555 0100', metadata: { tier: 'gold' } })
    expect(customer).toMatchObject({ archived: false, revision: 1, metadata: { tier: 'gold' }, billingAddress: null })
    const { id: customerId, email, storeId } = customer
    expect(await platform().call(contract.customers.get, { params: { customerId } })).toEqual(customer)
    expect(await eventsOf('s_customer_created', customerId)).toEqual([{ customerId }])
    const body = { storeId, email: email.toUpperCase() }
    const second = await platform().request('POST', contract.customers.create.path, { body })
    expect([second.status, second.error.code, second.error.param]).toEqual([409, 'resource_exists', 'email'])
    expect((await newInstrument(platform(), { customerData: { email } })).customerId).toBe(customerId)
  })

  it('a customer is changed field by field, is found by the new words alone, and tells what it was', async () => {
    const customer = await create({
      firstName: 'Grace',
      billingAddress: { city: 'Cork', country: 'IE' },
      metadata: { a: '1', b: '2' },
    })
    const change = {
      email: `new-${engine}@example.com`,
      firstName: null,
      billingAddress: { city: null, line1: '12 Weaver Street' },
      metadata: { a: null, c: '3' },
    }
    const answer = await patch(at(customer), { ...change, revision: 1 })
    const changed = contract.customers.update.response.parse(answer.body)
    expect(changed).toEqual({
      ...customer,
      email: change.email,
      firstName: '',
      billingAddress: { line1: '12 Weaver Street', country: 'IE' },
      metadata: { b: '2', c: '3' },
      revision: 2,
      updatedAt: changed.updatedAt,
    })
    const read = await platform().call(contract.customers.get, { params: { customerId: customer.id } })
    expect(read).toEqual(changed)
    expect([await found(change.email), await found(customer.email)]).toEqual([[customer.id], []])
    expect(await eventsOf('s_customer_updated', customer.id)).toEqual([
      {
        customerId: customer.id,
        archived: false,
        revision: 2,
        changed: ['email', 'firstName', 'billingAddress', 'metadata'],
      },
    ])
    const [entry] = await platform().services.db.read(
      'SELECT changes FROM audit_entries WHERE resource_id = ? AND operation = ?',
      [customer.id, 'customers.update'],
    )
    expect(JSON.parse(String(entry?.['changes']))).toMatchObject({
      before: { firstName: 'Grace' },
      after: { firstName: '' },
    })
    const same = await patch(at(customer), { firstName: '', revision: 2 })
    expect(same.body).toEqual(changed)
    expect(await eventsOf('s_customer_updated', customer.id)).toHaveLength(1)
  })

  it('of two changes at once one is a conflict that shows both', async () => {
    const customer = await create()
    const answers = await Promise.all(['A', 'B'].map((firstName) => patch(at(customer), { firstName, revision: 1 })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const kept = answers.find(({ status }) => status === 200)?.body as CustomerRecord
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.error).toMatchObject({
      code: 'revision_conflict',
      expectedRevision: 1,
      currentRevision: 2,
      current: kept,
    })
  })

  it('an archived customer is not listed, charged or used, and frees the address', async () => {
    const { call, request, local } = platform()
    const customer = await create()
    const { id: customerId, email } = customer
    const instrument = await newInstrument(platform(), { customerId })
    const archived = await call(contract.customers.archive, { params: { customerId }, body: { revision: 1 } })
    expect(archived).toEqual({ ...customer, archived: true, revision: 2, updatedAt: archived.updatedAt })
    expect(await found(email)).toEqual([])
    const { data } = await call(contract.customers.list, { query: { archived: true, q: email } })
    expect(data).toEqual([archived])
    const charged = await requestPayment(platform(), { paymentInstrumentId: instrument.id })
    expect([charged.status, charged.error.code]).toEqual([409, 'state_conflict'])
    expect(charged.error.message).toContain('archived')
    const body = { serviceToken: 'tok_visa', storeId: local.storeId, customerId }
    const another = await request('POST', contract.paymentInstruments.createFromToken.path, { body })
    expect([another.status, another.error.param]).toEqual([409, 'customerId'])
    const second = await create({ email })
    const back = await request('POST', at(customer, '/unarchive'), { body: { revision: 2 } })
    expect([back.status, back.error.code]).toEqual([409, 'resource_exists'])
    await call(contract.customers.archive, { params: { customerId: second.id }, body: { revision: 1 } })
    await call(contract.customers.unarchive, { params: { customerId }, body: { revision: 2 } })
    expect((await pay(platform(), instrument.id)).status).toBe('succeeded')
  })

  it('a customer has one default card, however many are made it at once', async () => {
    const { call, request } = platform()
    const first = await newInstrument(platform())
    const { customerId } = first
    const others = [await newInstrument(platform(), { customerId }), await newInstrument(platform(), { customerId })]
    const path = (id: string) => `/api/payments/v1/payment-instruments/${id}`
    const answers = await Promise.all(others.map(({ id }) => patch(path(id), { isDefault: true, revision: 1 })))
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    const cards = async () => (await call(contract.paymentInstruments.list, { query: { customerId } })).data
    expect((await cards()).filter(({ isDefault }) => isDefault)).toHaveLength(1)
    expect((await cards()).find(({ id }) => id === first.id)).toMatchObject({ isDefault: false, revision: 2 })

    const [chosen] = (await cards()).filter(({ isDefault }) => isDefault)
    const { id = '', revision = 0 } = chosen ?? {}
    const off = await patch(path(id), { isActive: false, revision })
    expect(off.body).toMatchObject({ isActive: false, isDefault: false, revision: revision + 1 })
    expect((await requestPayment(platform(), { paymentInstrumentId: id })).status).toBe(409)
    const stillDefault = await patch(path(id), { isDefault: true, revision: revision + 1 })
    expect([stillDefault.status, stillDefault.error.param]).toEqual([409, 'isDefault'])
    const on = await patch(path(id), { isActive: true, isDefault: true, revision: revision + 1 })
    expect(on.body).toMatchObject({ isActive: true, isDefault: true })
    expect((await pay(platform(), id)).status).toBe('succeeded')
    expect(
      (await eventsOf('s_payment_instrument_updated', id)).find((event) => event.revision === revision + 2),
    ).toEqual({
      paymentInstrumentId: id,
      isActive: true,
      isDefault: true,
      revision: revision + 2,
      changed: ['isActive', 'isDefault'],
    })
    expect((await request('DELETE', path(id))).status).toBe(200)
  })

  it('an order’s metadata is changed key by key, and the order is found by what it is now', async () => {
    const { call, request } = platform()
    const { id: paymentInstrumentId } = await newInstrument(platform())
    const { body } = await requestPayment(platform(), {
      paymentInstrumentId,
      metadata: { cart: `old-${engine}`, keep: 'x' },
    })
    const { orderId } = contract.payments.create.response.parse(body)
    const path = `/api/payments/v1/orders/${orderId}`
    const order = await call(contract.orders.get, { params: { orderId } })
    const change = { metadata: { cart: `new-${engine}`, keep: null } }
    const changed = await request('PATCH', path, { body: change, headers: { 'If-Match': `"${order.revision}"` } })
    expect(changed.body).toEqual({
      ...order,
      metadata: { cart: `new-${engine}` },
      revision: order.revision + 1,
      updatedAt: Object(changed.body).updatedAt,
    })
    const orders = async (metadata: string) =>
      (await call(contract.orders.list, { query: { metadata } })).data.map(({ id }) => id)
    expect([await orders(`cart=new-${engine}`), await orders(`cart=old-${engine}`), await orders('keep=x')]).toEqual([
      [orderId],
      [],
      [],
    ])
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, '']))
    const full = await request('PATCH', path, { body: { metadata: many, revision: order.revision + 1 } })
    expect([full.status, full.error.code, full.error.param]).toEqual([400, 'parameter_invalid', 'metadata'])
    const status = await request('PATCH', path, { body: { status: 'paid', revision: 1 } })
    expect([status.status, status.error.param]).toEqual([400, 'status'])
    expect(await eventsOf('s_order_updated', orderId)).toEqual([
      { orderId, revision: order.revision + 1, changed: ['metadata'] },
    ])
  })

  test('a change names the revision that it is based on', async () => {
    const customer = await create()
    const answer = await patch(at(customer), { firstName: 'A' })
    expect([answer.status, answer.error.code, answer.error.param]).toEqual([400, 'parameter_missing', 'revision'])
  })
})
