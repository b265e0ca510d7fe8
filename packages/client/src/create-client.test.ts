import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { freePort } from '../../../.ci/free-port.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from './client.ts'
import { newIdempotencyKey } from './idempotency-key.ts'
import { TillwrightError } from './tillwright-error.ts'

const apiKey = `test_sk_${'k'.repeat(36)}`
const product = { id: 'product_1', name: 'Tote' }

interface Seen {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}
type Answer = (response: ServerResponse) => void

/** A platform that returns these responses, one per request, and then repeats the last one. */
async function platform(...answers: [Answer, ...Answer[]]) {
  const seen: Seen[] = []
  const pauses: number[] = []
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray()
    seen.push({ method: request.method, url: request.url, headers: request.headers, body: chunks.join('') })
    const answer = answers[Math.min(seen.length, answers.length) - 1]
    answer?.(response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // a listening TCP server has an address with a port
  const client = createClient({
    apiKey,
    baseUrl: `http://127.0.0.1:${port}/`,
    random: () => 0,
    now: () => Date.UTC(2026, 0, 1),
    sleep: async (ms) => void pauses.push(ms),
  })
  return { client, seen, pauses, port }
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

function error(status: number, code: string, more: { headers?: Record<string, string>; error?: object } = {}): Answer {
  const shapeA = {
    type: 'api_error',
    code,
    message: `It is ${code}.`,
    docUrl: 'http://docs/x',
    requestId: 'req_1',
    ...more.error,
  }
  return json(status, { error: shapeA, message: shapeA.message, code: 'X', issues: [] }, more.headers)
}

const cut: Answer = (response) => response.destroy()
const silent: Answer = () => {}

async function failure(call: Promise<unknown>): Promise<TillwrightError> {
  const problem = await call.catch((caught: unknown) => caught)
  if (problem instanceof TillwrightError) return problem
  throw new Error('expected a TillwrightError', { cause: problem })
}

const newPayment = { storeId: 'store_1', paymentInstrumentId: 'pi_1', currency: 'USD', amount: 100 }

test('a read puts its id into the path and sends the key and no idempotency key', async () => {
  const { client, seen } = await platform(json(200, product))
  expect(await client.products.get({ productId: 'a/b?c' })).toEqual(product)
  expect(seen[0]).toMatchObject({ method: 'GET', url: '/api/public/v1/products/a%2Fb%3Fc', body: '' })
  expect(seen[0]?.headers).toMatchObject({ authorization: `Bearer ${apiKey}`, accept: 'application/json' })
  expect(seen[0]?.headers).not.toHaveProperty('idempotency-key')
})

test('a query contains only the given parameters', async () => {
  const { client, seen } = await platform(json(200, []))
  await client.paymentFlows.list()
  await client.paymentFlows.list({ limit: 5, after: 'flow&1' })
  expect(seen.map(({ url }) => url)).toEqual([
    '/api/public/v1/payment-flows',
    '/api/public/v1/payment-flows?limit=5&after=flow%261',
  ])
})

test('a write sends its body as JSON with a fresh idempotency key for each call', async () => {
  const { client, seen } = await platform(json(201, { id: 'pay_1' }))
  await client.payments.create(newPayment)
  await client.payments.create(newPayment)
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual(newPayment)
  expect(seen[0]?.headers['content-type']).toBe('application/json')
  const keys = seen.map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys).size).toBe(2)
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
})

test('all attempts of a call carry the same idempotency key, its own or the given one', async () => {
  const { client, seen } = await platform(cut, error(503, 'unavailable'), json(201, { id: 'pay_1' }))
  expect(await client.payments.create(newPayment)).toEqual({ id: 'pay_1' })
  expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  await client.payments.create(newPayment, { idempotencyKey: 'order-7' })
  expect(seen.at(-1)?.headers['idempotency-key']).toBe('order-7')
})

test('a key of seven days ago is refused before anything is sent', async () => {
  const { client, seen } = await platform(json(201, { id: 'pay_1' }))
  const idempotencyKey = newIdempotencyKey('order-7', Date.UTC(2025, 11, 25))
  const problem = await failure(client.payments.create(newPayment, { idempotencyKey }))
  expect(problem).toMatchObject({ code: 'idempotency_key_expired', param: 'idempotencyKey', status: null })
  expect(seen).toHaveLength(0)
})

test('an idempotency key that is not a valid header is refused before anything is sent', async () => {
  const { client, seen } = await platform(json(201, {}))
  const problem = await failure(client.payments.create(newPayment, { idempotencyKey: 'a\nb' }))
  expect(problem).toMatchObject({ code: 'idempotency_key_invalid', param: 'idempotencyKey' })
  expect(seen).toHaveLength(0)
})

test.each([
  ['a broken connection', cut],
  ['429', error(429, 'rate_limit_exceeded')],
  ['500', error(500, 'internal')],
  ['a 502 of an intermediary', (response: ServerResponse) => response.writeHead(502).end('<h1>Bad gateway</h1>')],
  ['an idempotency key still in progress', error(409, 'idempotency_key_in_use')],
] as const)('%s is retried, with growing pauses', async (_, answer) => {
  const { client, seen, pauses } = await platform(answer, answer, json(200, product))
  expect(await client.products.get({ productId: 'product_1' })).toEqual(product)
  expect(seen).toHaveLength(3)
  expect(pauses).toEqual([500, 1_000])
})

test('there are two retries, and then the last error is thrown', async () => {
  const { client, seen } = await platform(cut, cut, error(503, 'unavailable'))
  expect(await failure(client.products.get({ productId: 'product_1' }))).toMatchObject({
    code: 'unavailable',
    status: 503,
  })
  expect(seen).toHaveLength(3)
})

test.each([
  [400, 'parameter_invalid'],
  [401, 'api_key_invalid'],
  [402, 'card_declined'],
  [404, 'resource_missing'],
  [409, 'state_conflict'],
])('%i %s is final', async (status, code) => {
  const { client, seen } = await platform(error(status, code))
  expect(await failure(client.products.get({ productId: 'product_1' }))).toMatchObject({ status, code })
  expect(seen).toHaveLength(1)
})

test.each([
  ['429', error(429, 'rate_limit_exceeded')],
  ['a key that is revoked by now', error(401, 'api_key_revoked')],
  ['a role that is gone by now', error(403, 'role_required')],
  ['a request that is still in progress', error(409, 'idempotency_key_in_use')],
  ['a 404 of an intermediary', (response: ServerResponse) => response.writeHead(404).end('<h1>Not found</h1>')],
] as const)('a payment that may have been made is not said to be refused because of %s', async (_, answer) => {
  for (const [lost, known] of [
    [cut, { status: null, code: 'network_failed' }],
    [error(500, 'internal'), { status: 500, code: 'internal' }],
  ] as const) {
    const { client } = await platform(lost, answer)
    expect(await failure(client.payments.create(newPayment))).toMatchObject(known)
  }
  const { client } = await platform(answer)
  expect((await failure(client.payments.create(newPayment))).status).toBeGreaterThan(400)
  const reading = await platform(cut, answer)
  expect((await failure(reading.client.payments.get({ paymentId: 'pay_1' }))).status).toBeGreaterThan(400)
})

test('what the platform decides about a payment after an attempt without an answer is what counts', async () => {
  const { client } = await platform(cut, error(402, 'card_declined'))
  expect(await failure(client.payments.create(newPayment))).toMatchObject({ status: 402, code: 'card_declined' })
})

test('Retry-After is respected, in seconds or as a date, and the error is thrown if it is more than a minute', async () => {
  const asked = (retryAfter: string) => error(429, 'rate_limit_exceeded', { headers: { 'retry-after': retryAfter } })
  const { client, pauses } = await platform(
    asked('7'),
    asked('Thu, 01 Jan 2026 00:00:30 GMT'),
    json(200, product),
    asked('61'),
  )
  await client.products.get({ productId: 'product_1' })
  expect(pauses).toEqual([7_000, 30_000])
  expect(await failure(client.products.get({ productId: 'product_1' }))).toMatchObject({ code: 'rate_limit_exceeded' })
  expect(pauses).toHaveLength(2)
})

test('the error has all details sent by the platform', async () => {
  const details = { type: 'card_error', declineCode: 'do_not_honor', paymentId: 'pay_1', param: 'a[0].b' }
  const { client } = await platform(error(402, 'card_declined', { error: details }))
  expect(await failure(client.payments.create(newPayment))).toMatchObject({
    ...details,
    name: 'TillwrightError',
    code: 'card_declined',
    status: 402,
    message: 'It is card_declined.',
    requestId: 'req_1',
    docUrl: 'http://docs/x',
    issues: [],
  })
})

test('an attempt that takes too long is timed_out', async () => {
  const { client, seen } = await platform(silent)
  const problem = await failure(client.products.get({ productId: 'product_1' }, { timeoutMs: 40 }))
  expect(problem).toMatchObject({ code: 'timed_out', status: null })
  expect(seen).toHaveLength(3)
})

test('a response whose body stalls is timed_out too', async () => {
  const { client } = await platform((response) => response.writeHead(200).write('{"id":'))
  expect(await failure(client.products.get({ productId: 'p' }, { timeoutMs: 40 }))).toMatchObject({ code: 'timed_out' })
})

test.for([
  [`http://127.0.0.1:${await freePort()}`, 'the connection was refused (ECONNREFUSED)'],
  ['http://tills.invalid', /^DNS does not know its name \((ENOTFOUND|EAI_AGAIN)\)\.$/],
] as const)(
  'an unreachable platform at %s is network_failed, with its address and the reason',
  async ([baseUrl, why]) => {
    const client = createClient({ apiKey, baseUrl, maxRetries: 0 })
    const { code, status, message } = await failure(client.accounts.testKey())
    expect([code, status]).toEqual(['network_failed', null])
    const [, reason] = message.split(`${baseUrl} could not be reached, or did not answer to the end: `)
    expect(reason).toMatch(why)
  },
)

test('a platform without HTTPS at an address that says so is network_failed because of TLS', async () => {
  const { port } = await platform((response) => response.end())
  const client = createClient({ apiKey, baseUrl: `https://127.0.0.1:${port}`, maxRetries: 0 })
  const { code, message } = await failure(client.accounts.testKey())
  expect([code, message]).toEqual(['network_failed', expect.stringMatching(/: TLS failed \(ERR_SSL_\w+\)\.$/)])
})

test('the caller can abort a call, which then rejects with the reason and is not retried', async () => {
  const controller = new AbortController()
  const { client, seen } = await platform(() => controller.abort(new Error('changed my mind')))
  const call = client.products.get({ productId: 'product_1' }, { signal: controller.signal })
  await expect(call).rejects.toThrow('changed my mind')
  await expect(client.products.get({ productId: 'p' }, { signal: controller.signal })).rejects.toThrow(
    'changed my mind',
  )
  expect(seen).toHaveLength(1)
})

test('redirects are not followed, so that the key is sent nowhere else', async () => {
  const { client, seen } = await platform((response) => response.writeHead(307, { location: '/elsewhere' }).end())
  expect(await failure(client.products.get({ productId: 'p' }))).toMatchObject({
    code: 'response_invalid',
    status: 307,
  })
  expect(seen).toHaveLength(1)
})

test.each(['', '.', '..'])('the path parameter %j is refused, because it would change the path', async (productId) => {
  const { client, seen } = await platform(json(200, product))
  expect(await failure(client.products.get({ productId }))).toMatchObject({ param: 'productId' })
  expect(seen).toHaveLength(0)
})

test('a missing, a publishable and a malformed key are refused without repeating them', () => {
  const refused = ['', `test_pk_${'p'.repeat(36)}`, 'hunter2', `${apiKey}\n`, ` ${apiKey}`]
  for (const wrong of refused) {
    const create = () => createClient({ apiKey: wrong, baseUrl: 'http://localhost:4400' })
    expect(create).toThrow(expect.objectContaining({ code: 'options_invalid', param: 'apiKey' }))
    if (wrong !== '') expect(create).not.toThrow(wrong)
  }
})

test.each(['', 'localhost:4400', 'ftp://localhost', 'http://localhost/?a=1'])(
  'the address %j is refused',
  (baseUrl) => {
    expect(() => createClient({ apiKey, baseUrl })).toThrow(expect.objectContaining({ param: 'baseUrl' }))
  },
)

test('a live key is sent over HTTPS or to this machine', () => {
  const live = `live_sk_${'k'.repeat(36)}`
  const create = (baseUrl: string) => () => createClient({ apiKey: live, baseUrl })
  for (const baseUrl of [
    'http://api.shop.example',
    'http://10.0.0.1',
    'http://0.0.0.0:4400',
    'http://127.0.0.1.nip.io',
  ]) {
    expect(create(baseUrl)).toThrow(expect.objectContaining({ code: 'options_invalid', param: 'baseUrl' }))
  }
  for (const baseUrl of ['https://api.shop.example', 'http://localhost:1', 'http://127.0.0.1', 'http://[::1]:1']) {
    expect(create(baseUrl)).not.toThrow()
  }
})

test('the key appears neither in the client nor in any error', async () => {
  const { client } = await platform(cut, cut, cut, error(400, 'parameter_invalid'))
  const broken = await failure(client.products.get({ productId: 'product_1' }))
  const refused = await failure(client.products.get({ productId: 'product_1' }))
  for (const value of [client, client.products, broken, refused]) {
    expect(inspect(value, { depth: Infinity, showHidden: true })).not.toContain(apiKey)
    expect(JSON.stringify(value)).not.toContain(apiKey)
  }
})

test('the entries of a list come page after page, and the next page only when the one before is through', async () => {
  const { client, seen } = await platform(
    json(200, { data: [{ id: 'pay_3' }, { id: 'pay_2' }], hasMore: true, nextCursor: 'c2' }),
    json(200, { data: [], hasMore: true, nextCursor: 'c3' }),
    json(200, { data: [{ id: 'pay_1' }], hasMore: false, nextCursor: null }),
  )
  const ids: string[] = []
  for await (const { id } of client.payments.list.all({ q: 'ada@example.com', limit: 2 })) {
    ids.push(id)
    if (ids.length === 1) expect(seen).toHaveLength(1)
  }
  expect(ids).toEqual(['pay_3', 'pay_2', 'pay_1'])
  const asked = '/api/payments/v1/payments?limit=2'
  const q = '&q=ada%40example.com'
  expect(seen.map(({ url }) => url)).toEqual([`${asked}${q}`, `${asked}&after=c2${q}`, `${asked}&after=c3${q}`])
})
