import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../../.ci/postgres-database.ts'
import type { Answer } from '../../../test/send-request.ts'
import {
  startTestPlatform,
  testableEngines,
  type TestPlatform,
  type TestPlatformOptions,
} from '../../../test/test-platform.ts'

const TEST_KEY = '/api/public/v1/auth/test'

async function limited(options: TestPlatformOptions = {}): Promise<TestPlatform> {
  const platform = await startTestPlatform({ rateLimits: true, ...options })
  onTestFinished(() => platform.remove())
  return platform
}

function atOnce(count: number, send: (index: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => send(index)))
}

function passed(answers: readonly Answer[]): Answer[] {
  return answers.filter(({ status }) => status === 200)
}

describe.each(testableEngines())('on %s', (engine) => {
  test('150 requests at once pass and the 151st is a 429 that says when to come again', async () => {
    const { request, clock } = await limited({ engine })
    const send = () => request('GET', TEST_KEY)
    const answers = await atOnce(151, send)
    expect(passed(answers)).toHaveLength(150)
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.error).toMatchObject({ type: 'rate_limit_error', code: 'rate_limit_exceeded' })
    expect(refused?.body).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    expect(refused?.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-policy': '"standard";q=100;w=60',
      ratelimit: '"standard";r=0;t=1',
    })
    clock.advance(599)
    expect((await send()).status).toBe(429)
    clock.advance(1)
    expect((await atOnce(3, send)).map(({ status }) => status).toSorted()).toEqual([200, 429, 429])
    clock.advance(90_000)
    expect(passed(await atOnce(160, send))).toHaveLength(150)
  })

  test('every answer tells what is left', async () => {
    const { request } = await limited({ engine })
    for (const left of [149, 148, 147]) {
      expect((await request('GET', TEST_KEY)).headers['ratelimit']).toBe(`"standard";r=${left};t=1`)
    }
    expect((await request('POST', '/api/public/v1/stores/create', { body: {} })).headers['ratelimit']).toBe(
      '"standard";r=146;t=1',
    )
  })
})

test('a premium account has 750 at once and one more each 120 ms', async () => {
  const platform = await limited()
  const { apiKey } = await platform.addAccount('premium')
  const send = () => platform.request('GET', TEST_KEY, { key: apiKey })
  const answers = await atOnce(751, send)
  expect(passed(answers)).toHaveLength(750)
  expect(answers[0]?.headers['ratelimit-policy']).toBe('"premium";q=500;w=60')
  platform.clock.advance(120)
  expect(passed(await atOnce(2, send))).toHaveLength(1)
})

test('accounts do not spend each other’s tokens, keys of one account do', async () => {
  const platform = await limited()
  const { apiKey } = await platform.addAccount()
  await atOnce(150, () => platform.request('GET', TEST_KEY))
  expect((await platform.request('GET', TEST_KEY, { key: platform.local.adminApiKey })).status).toBe(429)
  expect((await platform.request('GET', TEST_KEY, { key: apiKey })).status).toBe(200)
})

test('guessing keys spends the bucket of the own address and no account’s', async () => {
  const { request } = await limited()
  const guesses = await atOnce(151, () => request('GET', TEST_KEY, { key: 'guess' }))
  expect(guesses.filter(({ status }) => status === 401)).toHaveLength(150)
  const [refused] = guesses.filter(({ status }) => status === 429)
  expect(refused?.error.code).toBe('rate_limit_exceeded')
  expect(refused?.headers).toMatchObject({
    'retry-after': '1',
    'ratelimit-policy': '"anonymous";q=100;w=60',
    ratelimit: '"anonymous";r=0;t=1',
  })
  const own = await request('GET', TEST_KEY)
  expect([own.status, own.headers['ratelimit']]).toEqual([200, '"standard";r=149;t=1'])
})

test('a key that may not do what it asks spends its account’s tokens', async () => {
  const { request, local } = await limited()
  const answer = await request('GET', '/api/public/v1/payment-flows')
  expect([answer.status, answer.headers['ratelimit']]).toEqual([403, '"standard";r=149;t=1'])
  expect((await request('GET', TEST_KEY, { key: local.adminApiKey })).headers['ratelimit']).toBe('"standard";r=148;t=1')
})

test('a card frame spends a bucket of its own', async () => {
  const { request, vaultRequest } = await limited()
  const send = () => vaultRequest('POST', '/api/vault/v1/tokens', { body: {} })
  const answers = await atOnce(31, send)
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(30)
  expect(answers.find(({ status }) => status === 429)?.headers).toMatchObject({
    'retry-after': '3',
    'ratelimit-policy': '"frame";q=20;w=60',
  })
  expect((await request('GET', TEST_KEY)).headers['ratelimit']).toBe('"standard";r=149;t=1')
})

test('a refused request does nothing', async () => {
  const { request, services } = await limited()
  await atOnce(150, () => request('GET', TEST_KEY))
  const headers = { 'Idempotency-Key': 'refused' }
  expect((await request('POST', '/api/public/v1/stores/create', { body: { name: 'Shop' }, headers })).status).toBe(429)
  expect(await services.db.read("SELECT * FROM stores WHERE name = 'Shop'", [])).toEqual([])
  expect(await services.db.read('SELECT * FROM idempotency_keys', [])).toEqual([])
})

test('without limits nothing is refused, and the headers are still sent', async () => {
  const { request } = await limited({ rateLimits: false })
  const answers = await atOnce(200, () => request('GET', TEST_KEY))
  expect(passed(answers)).toHaveLength(200)
  expect(answers[0]?.headers).toMatchObject({
    'ratelimit-policy': '"standard";q=100;w=60',
    ratelimit: '"standard";r=150;t=0',
  })
})

test.skipIf(inject('postgresUrl') === null)('two platforms on one PostgreSQL share one bucket', async () => {
  const server = inject('postgresUrl') ?? ''
  const databaseUrl = await createDatabase(server)
  onTestFinished(() => dropDatabase(server, databaseUrl))
  const one = await limited({ databaseUrl })
  const two = await limited({ databaseUrl, clock: one.clock })
  const key = one.local.apiKey
  const answers = await atOnce(300, (index) => (index % 2 === 0 ? one : two).request('GET', TEST_KEY, { key }))
  expect(passed(answers)).toHaveLength(150)
  one.clock.advance(600)
  expect(
    passed(await atOnce(10, (index) => (index % 2 === 0 ? one : two).request('GET', TEST_KEY, { key }))),
  ).toHaveLength(1)
})
