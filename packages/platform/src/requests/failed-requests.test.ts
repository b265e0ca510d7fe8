import { contract } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { consoleHeaders, placeMember } from '../../test/console-browser.ts'
import { secondAccount } from '../../test/second-account.ts'
import { type TestPlatform, sharedPlatform, testableEngines } from '../../test/test-platform.ts'

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  it('a refused request is found by the id in its error, with what was wrong and where that is explained', async () => {
    const { request, call, local } = platform()
    const path = contract.payments.refund.path.replace('{paymentId}', 'pay_none')
    const refused = await request('POST', `${path}?email=ada@example.com`, {
      body: { amount: 500, reason: 'Ada Lovelace asked' },
      headers: { 'Idempotency-Key': 'refund of ada@example.com' },
    })
    const bad = await request('GET', `/api/catalog/v1/products?storeId=${local.storeId}&limit=none`)
    const found = await call(contract.requests.get, { params: { failedRequestId: refused.error.requestId } })
    expect(found).toEqual({
      id: refused.headers['x-request-id'],
      accountId: local.accountId,
      createdAt: new Date(platform().clock.now()).toISOString(),
      operation: 'payments.refund',
      method: 'POST',
      path: contract.payments.refund.path,
      pathParams: { paymentId: 'pay_none' },
      status: 400,
      code: 'idempotency_key_invalid',
      message: refused.error.message,
      param: null,
      docUrl: refused.error.docUrl,
      actor: { kind: 'key', id: expect.stringMatching(/^key_/), name: expect.any(String) },
      storeId: null,
      idempotencyKeyHash: expect.stringMatching(/^[\w-]{43}$/),
      durationMs: expect.any(Number),
      leftOut: 0,
    })
    const ofStore = await call(contract.requests.list, { query: { storeId: local.storeId, code: 'parameter_invalid' } })
    expect(ofStore.data).toMatchObject([{ id: bad.error.requestId, param: 'limit', storeId: local.storeId }])
    const kept = await platform().services.db.read('SELECT * FROM failed_requests', [])
    expect(JSON.stringify(kept)).not.toMatch(/ada@|Lovelace|500/)
  })

  it('an e-mail address in a path is kept nowhere, and requests are found by their idempotency key', async () => {
    const { request, call } = platform()
    const headers = { 'Idempotency-Key': 'order-1042' }
    const { error } = await request('POST', '/api/payments/v1/payments/ada@example.com/capture', { body: {}, headers })
    expect(error.message).toContain('ada@example.com')
    const { data } = await call(contract.requests.list, { query: { idempotencyKey: 'order-1042' } })
    expect(data).toMatchObject([
      { id: error.requestId, pathParams: {}, message: "There is no payment '[e-mail]' in this account." },
    ])
    expect(await call(contract.requests.list, { query: { status: '5xx' } })).toMatchObject({ data: [] })
  })

  it('what a request has changed is found in the audit log by the same id', async () => {
    const { request, call, local } = platform()
    const made = await request(contract.stores.create.method, contract.stores.create.path, {
      key: local.adminApiKey,
      body: { name: 'Second shop' },
    })
    expect(made.status, made.text).toBe(201)
    const requestId = String(made.headers['x-request-id'])
    const { data } = await call(contract.audit.list, { query: { requestId } })
    expect(data).toMatchObject([{ requestId, operation: 'stores.create', status: 201 }])
    const missing = await request('GET', `/api/accounts/v1/failed-requests/${requestId}`)
    expect([missing.status, missing.error.code]).toEqual([404, 'resource_missing'])
    expect(await call(contract.audit.list, { query: { requestId: 'none' } })).toMatchObject({ data: [] })
  })

  it('another account finds none of it, and neither do members whose role or store it is not', async () => {
    const { error } = await platform().request('GET', '/api/payments/v1/payments/none')
    const other = await secondAccount(platform())
    const theirs = await other.request('GET', `/api/accounts/v1/failed-requests/${error.requestId}`)
    expect([theirs.status, theirs.error.code]).toEqual([404, 'resource_missing'])
    const statusFor = async (as: Parameters<typeof placeMember>[1]) => {
      const { token } = await placeMember(platform(), as)
      const sent = { key: '', headers: consoleHeaders(platform(), token) }
      return (await platform().request('GET', `/api/accounts/v1/failed-requests/${error.requestId}`, sent)).status
    }
    expect(await Promise.all([statusFor({ role: 'developer' }), statusFor({ role: 'operations' })])).toEqual([200, 200])
    expect(await Promise.all([statusFor({ role: 'support' }), statusFor({ role: 'read_only' })])).toEqual([403, 403])
    expect(await statusFor({ role: 'developer', storeIds: [platform().local.storeId] })).toBe(404)
  })

  it('a flood is counted beyond what is kept of a minute, apart for servers and pages, and a week later it is gone', async () => {
    const { request, pageRequest, call, clock, services } = platform()
    clock.advance(60_000)
    const createdFrom = new Date(clock.now()).toISOString()
    for (let batch = 0; batch < 8; batch++) {
      await Promise.all(Array.from({ length: 40 }, () => request('GET', '/api/payments/v1/payments/none')))
    }
    await flood(pageRequest, 120)
    clock.advance(60_000)
    await expect.poll(() => countOf(platform())).toEqual({ kept: 400, left_out: 40 })
    const { data } = await call(contract.requests.list, {
      query: { createdFrom, limit: 100, operation: 'session.begin' },
    })
    expect(data.reduce((sum, { leftOut }) => sum + leftOut, 0)).toBe(20)
    clock.advance(8 * 86_400_000)
    // A sweep that was under way waits for its next minute.
    const left = () => {
      clock.advance(60_000)
      return services.db.read('SELECT id FROM failed_requests', [])
    }
    await expect.poll(left, { timeout: 5_000 }).toEqual([])
  })

  it('what was noted last is on record after a clean stop', async () => {
    const { error } = await platform().request('GET', '/api/payments/v1/payments/none')
    await platform().restart()
    const kept = await platform().services.db.read('SELECT id FROM failed_requests', [])
    expect(kept).toContainEqual({ id: error.requestId })
  })
})

async function flood(send: TestPlatform['request'], count: number): Promise<void> {
  const body = { funnelId: 'funnel_none' }
  for (let sent = 0; sent < count; sent += 40) {
    await Promise.all(Array.from({ length: 40 }, () => send('POST', '/api/session/v1/sessions', { body })))
  }
}

async function countOf({ services, clock }: TestPlatform) {
  const since = clock.now() - 60_000
  const [row] = await services.db.read(
    'SELECT count(*) AS kept, CAST(sum(left_out) AS BIGINT) AS left_out FROM failed_requests WHERE created_at >= ?',
    [since],
  )
  return row
}
