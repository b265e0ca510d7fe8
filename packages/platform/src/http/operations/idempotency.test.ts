import { contract } from '@tillwright/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { authenticationBody, newThreedsSession } from '../../../test/authenticate-card.ts'
import { openEvents } from '../../../test/events/open-events.ts'
import { newInstrument, requestPayment } from '../../../test/pay-with-card.ts'
import { sharedPlatform, testableEngines } from '../../../test/test-platform.ts'
import { finishClaim } from '../../accounts/index.ts'
import type { Write } from '../../request-context.ts'
import { ApiError } from '../../runtime/index.ts'
import { type Database, DatabaseUnavailable } from '../../storage/database.ts'
import { fingerprint } from '../bodies/fingerprint.ts'
import { idempotencyRunner, type IdempotentRequest, readIdempotencyKey } from './idempotency.ts'

const STORES = '/api/public/v1/stores/create'
const PAYMENTS = '/api/payments/v1/payments'
const AUTHENTICATE = '/api/public/v1/threeds/authenticate'
const DAY_MS = 24 * 60 * 60 * 1_000
const server = { kind: 'secret', keyId: 'key_1' } as const

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine, env: { TILLWRIGHT_ANSWER_SECONDS: '2' } })
  let keys = 0
  const newKey = () => `key-${(keys += 1)}`
  const createStore = (key: string | string[], body: unknown = { name: 'Shop' }) =>
    platform().request('POST', STORES, { body, headers: { 'Idempotency-Key': key } })
  const count = async (table: 'stores' | 'events' | 'payments' | 'simulator_charges') => {
    const [row] = await platform().services.db.read(`SELECT count(*) AS n FROM ${table}`, [])
    return Number(row?.['n'])
  }

  test('a repeated request is answered byte for byte as the first time, and does nothing', async () => {
    const key = newKey()
    const first = await createStore(key)
    const [stores, events] = [await count('stores'), await count('events')]
    const again = await createStore(key)
    expect(first.status).toBe(201)
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect([await count('stores'), await count('events')]).toEqual([stores, events])
  })

  test.for([
    ['400', { name: '' }],
    ['400 for what is no JSON', '{'],
    ['404', { name: 'Shop', selectedPaymentFlowId: 'none' }],
  ] as const)('a %s is kept and given again', async ([, body]) => {
    const key = newKey()
    const first = await createStore(key, body)
    const again = await createStore(key, body)
    expect(first.status).toBeGreaterThanOrEqual(400)
    expect([again.status, again.text]).toEqual([first.status, first.text])
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  test('a conflict is kept, also when what was in the way is gone', async () => {
    const { services } = platform()
    await createStore(newKey(), { id: 'in-the-way', name: 'Shop' })
    const key = newKey()
    const first = await createStore(key, { id: 'in-the-way', name: 'Shop' })
    expect(first.error.code).toBe('resource_exists')
    await services.db.write([{ sql: 'DELETE FROM stores WHERE id = ?', params: ['in-the-way'] }])
    expect((await createStore(key, { id: 'in-the-way', name: 'Shop' })).text).toBe(first.text)
  })

  test('a refused card is a 402 that is kept: the second request charges nothing', async () => {
    const instrument = await newInstrument(platform(), { number: '4000000000000002' })
    const sent = { headers: { 'Idempotency-Key': newKey() } }
    const first = await requestPayment(platform(), { paymentInstrumentId: instrument.id }, sent)
    const charges = await count('simulator_charges')
    const again = await requestPayment(platform(), { paymentInstrumentId: instrument.id }, sent)
    expect(first.status).toBe(402)
    expect([again.status, again.text]).toEqual([402, first.text])
    expect(await count('simulator_charges')).toBe(charges)
  })

  test('a key with another body, or at another address, is a 400', async () => {
    const key = newKey()
    await createStore(key)
    const otherBody = await createStore(key, { name: 'Another' })
    const sameMeaning = await createStore(key, '{ "name": "Shop" }')
    const elsewhere = await platform().request('POST', '/api/public/v1/products/create', {
      body: { name: 'Shop' },
      headers: { 'Idempotency-Key': key },
    })
    for (const answer of [otherBody, sameMeaning, elsewhere]) {
      expect(answer.status).toBe(400)
      expect(answer.error).toMatchObject({ type: 'idempotency_error', code: 'idempotency_key_reused' })
    }
  })

  test('quotes around a key are not part of it', async () => {
    const key = newKey()
    const first = await createStore(key)
    expect((await createStore(`"${key}"`)).text).toBe(first.text)
  })

  test('a key of 255 characters is good', async () => {
    expect((await createStore('k'.repeat(255))).status).toBe(201)
  })

  test.for([
    ['of 256 characters', 'k'.repeat(256)],
    ['that is empty', ''],
    ['of two quotes', '""'],
    ['with a space', 'a b'],
    ['that is no ASCII', 'schlüssel'],
    ['in two headers', ['a', 'b']],
    ['twice in two headers', ['a', 'a']],
  ] as const)('a key %s is a 400', async ([, key]) => {
    const answer = await createStore(typeof key === 'string' ? key : [...key])
    expect(answer.status).toBe(400)
    expect(answer.error).toMatchObject({ type: 'idempotency_error', code: 'idempotency_key_invalid' })
  })

  test('a key belongs to its account', async () => {
    const key = newKey()
    const { apiKey } = await platform().addAccount()
    const first = await createStore(key)
    const other = await platform().request('POST', STORES, {
      key: apiKey,
      body: { name: 'Shop' },
      headers: { 'Idempotency-Key': key },
    })
    expect(other.status).toBe(201)
    expect(other.text).not.toBe(first.text)
  })

  test('a key is the account’s, whichever of its API keys sends it', async () => {
    const key = newKey()
    const first = await createStore(key)
    const { request, local } = platform()
    const other = await request('POST', STORES, {
      key: local.adminApiKey,
      body: { name: 'Shop' },
      headers: { 'Idempotency-Key': key },
    })
    expect(other.text).toBe(first.text)
  })

  test('a page takes no key that the account’s server will send: what stands in a page is known to everybody', async () => {
    const key = newKey()
    const sent = { body: { code: 'none' }, headers: { 'Idempotency-Key': key } }
    expect((await platform().pageRequest('POST', contract.session.redeem.path, sent)).error.code).toBe('token_invalid')
    expect((await createStore(key)).status).toBe(201)
    const again = await platform().pageRequest('POST', contract.session.redeem.path, sent)
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  test('a read ignores the key, by GET and by POST', async () => {
    const { request, local } = platform()
    const headers = { 'Idempotency-Key': 'not a key' }
    const reads = await Promise.all([
      request('GET', '/api/public/v1/auth/test', { headers }),
      request('POST', '/api/public/v1/auth/test', { headers }),
      request('POST', '/api/public/v1/events/statistics', { headers, body: {}, key: local.adminApiKey }),
    ])
    expect(reads.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  test('without a key every request is a new one', async () => {
    const stores = await count('stores')
    const send = () => platform().request('POST', STORES, { body: { name: 'Shop' } })
    await Promise.all([send(), send()])
    expect(await count('stores')).toBe(stores + 2)
  })

  test('100 requests with one key at once make one payment, one charge and one answer', async () => {
    const instrument = await newInstrument(platform())
    const [payments, charges] = [await count('payments'), await count('simulator_charges')]
    const sent = { headers: { 'Idempotency-Key': newKey() } }
    const send = () => requestPayment(platform(), { paymentInstrumentId: instrument.id }, sent)
    const answers = await Promise.all(Array.from({ length: 100 }, send))
    expect([await count('payments'), await count('simulator_charges')]).toEqual([payments + 1, charges + 1])
    for (const { status, text } of answers) expect([status, text]).toEqual([201, answers[0]?.text])
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1)
  })

  test('while one request is at work, another body under its key is refused because the key is in use', async () => {
    const key = newKey()
    const [first, other] = await Promise.all([createStore(key), createStore(key, { name: 'Another' })])
    const [done, refused] = first.status === 201 ? [first, other] : [other, first]
    expect(done.status).toBe(201)
    expect(refused.error.code).toBe('idempotency_key_reused')
  })

  test('an answer outlives the process', async () => {
    const key = newKey()
    const first = await createStore(key)
    await platform().restart()
    const again = await createStore(key)
    expect([again.status, again.text]).toEqual([201, first.text])
  })

  /** Leaves the claim of a process that died while waiting for an external service. */
  async function leaveClaim(path: string, body: string): Promise<string> {
    const { services, local, clock } = platform()
    const key = newKey()
    const nowMs = clock.now()
    const leaseUntil = path === PAYMENTS ? nowMs + DAY_MS : nowMs + 60_000
    const mark = fingerprint('POST', path, Buffer.from(body))
    await services.db.write([
      {
        sql: `INSERT INTO idempotency_keys (account_id, idempotency_key, fingerprint, status, body, lease_until, expires_at)
        VALUES (?, ?, ?, NULL, NULL, ?, ?)`,
        params: [local.accountId, readIdempotencyKey(key, server), mark, leaseUntil, nowMs + DAY_MS],
      },
    ])
    return key
  }

  test('a claim that a dead process left behind is answered with 409 until its work is completed', async () => {
    const instrument = await newInstrument(platform())
    const { local, request, clock } = platform()
    const body = JSON.stringify({
      storeId: local.storeId,
      paymentInstrumentId: instrument.id,
      currency: 'USD',
      amount: 100,
    })
    const sent = { body, headers: { 'Idempotency-Key': await leaveClaim(PAYMENTS, body) } }
    const first = await request('POST', PAYMENTS, sent)
    clock.advance(DAY_MS - 1)
    const late = await request('POST', PAYMENTS, sent)
    for (const answer of [first, late]) {
      expect([answer.status, answer.error.code]).toEqual([409, 'idempotency_key_in_use'])
      expect(answer.headers['retry-after']).toBe('1')
    }
  })

  test('a claim on work that may be done again is taken over after a minute, by the same request alone', async () => {
    const session = await newThreedsSession(platform())
    const { request, clock } = platform()
    const body = JSON.stringify(authenticationBody(session.id))
    const headers = { 'Idempotency-Key': await leaveClaim(AUTHENTICATE, body) }
    clock.advance(59_999)
    expect((await request('POST', AUTHENTICATE, { body, headers })).error.code).toBe('idempotency_key_in_use')
    clock.advance(1)
    const other = await request('POST', AUTHENTICATE, { body: `${body} `, headers })
    expect(other.error.code).toBe('idempotency_key_reused')
    const answer = await request('POST', AUTHENTICATE, { body, headers })
    expect(answer.status).toBe(200)
    const again = await request('POST', AUTHENTICATE, { body, headers })
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([answer.text, 'true'])
  })

  test('a fault is not kept: the same key tries again, and only then has an answer', async () => {
    const session = await newThreedsSession(platform())
    const { request } = platform()
    const body = authenticationBody(session.id)
    const headers = { 'Idempotency-Key': newKey() }
    const failing = { ...headers, 'Tillwright-Fault': 'threeds=outage' }
    expect((await request('POST', AUTHENTICATE, { body, headers: failing })).status).toBe(502)
    const answer = await request('POST', AUTHENTICATE, { body, headers })
    expect([answer.status, answer.headers['idempotent-replayed']]).toEqual([200, undefined])
    const again = await request('POST', AUTHENTICATE, { body, headers: failing })
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, answer.text, 'true'])
  })

  test('after 24 hours a key is forgotten', async () => {
    const key = newKey()
    const { clock } = platform()
    const first = await createStore(key)
    clock.advance(DAY_MS - 1)
    expect((await createStore(key)).text).toBe(first.text)
    clock.advance(1)
    const later = await createStore(key, { name: 'Another' })
    expect(later.status).toBe(201)
    expect(later.headers['idempotent-replayed']).toBeUndefined()
  })
})

test('any visible ASCII is a key, bare or quoted, and what is kept of it does not show it', () => {
  const visible = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength: 255,
  })
  fc.assert(
    fc.property(visible, (key) => {
      fc.pre(!/^"(.*)"$/.test(key))
      expect(readIdempotencyKey(key, server)).toMatch(/^[A-Za-z0-9_-]{43}$/)
      expect(readIdempotencyKey(`"${key}"`, server)).toBe(readIdempotencyKey(key, server))
      const other = key.slice(1) + (key.endsWith('_') ? '-' : '_')
      expect(readIdempotencyKey(other, server)).not.toBe(readIdempotencyKey(key, server))
    }),
  )
})

test('method, path and body each make another fingerprint', () => {
  const of = (method: string, path: string, body: string) => fingerprint(method, path, Buffer.from(body))
  const all = [
    of('POST', '/a', 'b'),
    of('PUT', '/a', 'b'),
    of('POST', '/a2', 'b'),
    of('POST', '/a', 'b2'),
    of('POST', '/ab', ''),
  ]
  expect(new Set(all).size).toBe(all.length)
})

/** A request of a client that waits for eight seconds, but for its work. */
function asked(): Omit<IdempotentRequest, 'work'> {
  return {
    key: { accountId: 'acc_1', key: 'k', fingerprint: 'f' },
    leaseMs: 60_000,
    repeatable: false,
    untilMs: performance.now() + 8_000,
    failed: () => ({ status: 500, body: '' }),
  }
}

test('an outcome that the database did not take at first is written again, and answered as if nothing had been', async () => {
  const { services } = await openEvents()
  let failures = 3
  const write: Database['write'] = (transaction) => {
    const isEnding = transaction.some(({ sql }) => sql.startsWith('UPDATE idempotency_keys'))
    return isEnding && failures-- > 0
      ? Promise.reject(new DatabaseUnavailable('The connection was lost.'))
      : services.db.write(transaction)
  }
  const run = idempotencyRunner({ ...services, db: { ...services.db, write } })
  const request: IdempotentRequest = {
    ...asked(),
    work: async (begin) => {
      await begin([])
      await begin([{ sql: 'DELETE FROM stores WHERE account_id = ?', params: ['acc_1'] }])
      return { answer: { status: 201, body: '{}' }, writes: [] }
    },
  }
  expect(await run(request)).toMatchObject({ answer: { status: 201 }, replayed: false })
  expect(failures).toBeLessThan(0)
  expect(await run(request)).toMatchObject({ answer: { status: 201 }, replayed: true })
})

test('work that goes on behind its answer, and fails before the answer is stored, ends no process', async () => {
  const { services } = await openEvents()
  const failing = Promise.withResolvers<never>()
  const write: Database['write'] = async (transaction) => {
    if (transaction.some(({ sql }) => sql.startsWith('UPDATE idempotency_keys'))) {
      failing.reject(new RangeError('The work has a bug.'))
      await new Promise(setImmediate) // by then Node has looked for unhandled rejections
    }
    return services.db.write(transaction)
  }
  const run = idempotencyRunner({ ...services, db: { ...services.db, write } })
  const request: IdempotentRequest = {
    ...asked(),
    repeatable: true,
    work: async (begin) => (
      await begin([]),
      { answer: { status: 200, body: '{}' }, writes: [], later: failing.promise }
    ),
  }
  expect(await run(request)).toMatchObject({ answer: { status: 200 }, replayed: false })
  expect(await run(request)).toMatchObject({ answer: { status: 200 }, replayed: true })
})

test('what a request has begun when the database goes away is given back, not left to its lease', async () => {
  const { services } = await openEvents()
  const { cluster } = services
  let losses = 1
  // The connection breaks after the transaction was committed, and the database stays away for a moment.
  const write: Database['write'] = async (transaction) => {
    const outcome = await services.db.write(transaction)
    if (losses-- > 0) throw new DatabaseUnavailable('The connection was lost.')
    return outcome
  }
  const run = idempotencyRunner({ ...services, db: { ...services.db, write } })
  const request: IdempotentRequest = {
    ...asked(),
    repeatable: true,
    work: async (begin) => (await begin([]), { answer: { status: 200, body: '{}' }, writes: [] }),
  }
  await expect(run(request)).rejects.toThrow('The connection was lost.')
  const holders = () => services.db.read('SELECT holder FROM idempotency_keys WHERE idempotency_key = ?', ['k'])
  await expect.poll(holders).toEqual([])
  expect(cluster.snapshot().rejoined).toBe(0)
  expect(await run(request)).toMatchObject({ answer: { status: 200 }, replayed: false })
})

test('a request whose work another process has taken over is answered as that process ends it', async () => {
  const { services } = await openEvents()
  const run = idempotencyRunner(services)
  const refused = Promise.withResolvers<void>()
  const outcome: Write = {
    sql: 'DELETE FROM stores WHERE account_id = ?',
    params: ['acc_1'],
    expect: 1,
    onRefused: () => (refused.resolve(), new ApiError('state_conflict', 'Another process has recorded it.')),
  }
  const request: IdempotentRequest = {
    ...asked(),
    work: async (begin) => (await begin([]), { answer: { status: 200, body: '{"by":1}' }, writes: [outcome] }),
  }
  const answered = run(request)
  await refused.promise
  const answer = { status: 200, body: '{"by":2}' }
  await services.db.write([finishClaim({ accountId: 'acc_1', key: 'k' }, answer)])
  expect(await answered).toEqual({ answer, replayed: true })
})

test('a repeated request waits until the first is answered, and not for longer than its client', async () => {
  const { services } = await openEvents()
  const run = idempotencyRunner(services)
  const gate = Promise.withResolvers<void>()
  let works = 0
  const request = (untilMs: number): IdempotentRequest => ({
    ...asked(),
    untilMs,
    work: async (begin) => {
      works += 1
      await begin([])
      await gate.promise
      return { answer: { status: 201, body: '{"n":1}' }, writes: [] }
    },
  })
  const patient = performance.now() + 8_000
  const first = run(request(patient))
  const elsewhere = idempotencyRunner(services)
  await expect.poll(() => works).toBe(1)
  await expect(run(request(performance.now() + 50))).rejects.toThrow('still in progress')
  await expect(elsewhere(request(performance.now() + 50))).rejects.toThrow('still in progress')
  const repeated = [run(request(patient)), elsewhere(request(patient))]
  gate.resolve()
  const answer = { status: 201, body: '{"n":1}' }
  expect(await first).toEqual({ answer, replayed: false })
  expect(await Promise.all(repeated)).toEqual([1, 2].map(() => ({ answer, replayed: true })))
})
