import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newInstrument, pay } from '../../test/pay-with-card.ts'
import { ruleEngines, sharedPlatform } from '../../test/test-platform.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  test('who comes back while their erasure is under way is a new customer with the same e-mail address', async () => {
    const { call } = platform()
    const customerData = { email: 'ada@example.com', firstName: 'Ada' }
    const { customerId } = await newInstrument(platform(), { customerData })
    // The clock stands still, and with it the worker.
    const { status } = await call(contract.customers.erase, { params: { customerId }, body: {} })
    expect(status).toBe('pending')
    const again = await newInstrument(platform(), { customerData })
    expect(again.customerId).not.toBe(customerId)
    expect((await newInstrument(platform(), { customerData })).customerId).toBe(again.customerId)
    const { email } = await call(contract.customers.get, { params: { customerId: again.customerId } })
    expect(email).toBe(customerData.email)
  })

  test('the page of a voucher is forgotten with who was to pay it, and its method stays in the books', async () => {
    const { call, services, clock } = platform()
    const { customerId, id: paymentInstrumentId } = await newInstrument(platform())
    const { id: paymentId } = await pay(platform(), paymentInstrumentId)
    const voucher = { code: '4711', url: 'https://voucher.example/ada-byrne', expiresAt: '2030-01-01T00:00:00.000Z' }
    const method = JSON.stringify({ type: 'voucher', sepaDebit: null, voucher })
    await services.db.write([{ sql: 'UPDATE payments SET method = ? WHERE id = ?', params: [method, paymentId] }])
    const { id } = await call(contract.customers.erase, { params: { customerId }, body: {} })
    const read = () => (clock.advance(1_000), call(contract.erasures.get, { params: { erasureId: id ?? '' } }))
    await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe('succeeded')
    const { paymentMethod } = await call(contract.payments.get, { params: { paymentId } })
    expect(paymentMethod).toEqual({ type: 'voucher', sepaDebit: null, voucher: null })
  })

  test('erasures that fail hold up no other', async () => {
    const { call, services, clock } = platform()
    const { customerId } = await newInstrument(platform())
    const broken = Array.from({ length: 25 }, (_, at) => [`cus_broken${at}`])
    const sql = `INSERT INTO customer_erasures (account_id, id, customer_id, store_id, status, step, progress, created_at)
      SELECT 'acc_1', item.value ->> 0, item.value ->> 0, 'store_1', 'pending', 0, '{}', 0 FROM {items}`
    await services.db.write([{ sql, params: [JSON.stringify(broken)] }])
    const { id } = await call(contract.customers.erase, { params: { customerId }, body: {} })
    const read = () => (clock.advance(1_000), call(contract.erasures.get, { params: { erasureId: id ?? '' } }))
    await expect.poll(async () => (await read()).status, { timeout: 10_000 }).toBe('succeeded')
  })
})
