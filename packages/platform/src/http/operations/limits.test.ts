import { plans } from '@tillwright/contract'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../../.ci/postgres-database.ts'
import { frameSession } from '../../../test/frame-session.ts'
import { openForm } from '../../../test/open-form.ts'
import type { Answer } from '../../../test/send-request.ts'
import {
  SHOP_URL,
  startTestPlatform,
  type TestPlatform,
  type TestPlatformOptions,
} from '../../../test/test-platform.ts'
import { openVault } from '../../../test/vault/open-vault.ts'
import { rateLimiter } from '../../accounts/rate-limiter.ts'
import { frameLimits, quotaHeaders } from './limits.ts'

test('a form sends ten cards at once, and one more each six minutes', async () => {
  const platform = await limited()
  const send = await openForm(platform)
  const answers = await times(11, () => send())
  expect(statuses(answers)).toEqual([...Array.from({ length: 10 }, () => 201), 429])
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.error).toMatchObject({ type: 'rate_limit_error', code: 'rate_limit_exceeded' })
  expect(refused?.headers).toMatchObject({ 'retry-after': '360', 'ratelimit-policy': '"frame";q=20;w=60' })
  platform.clock.advance(359_999)
  expect((await send()).status).toBe(429)
  platform.clock.advance(1)
  expect(statuses(await times(2, () => send()))).toEqual([201, 429])
  const another = await openForm(platform)
  expect((await another()).status).toBe(201)
})

test('a number with a wrong digit, or of no known network, counts as three', async () => {
  const platform = await limited()
  const wrong = await openForm(platform)
  expect((await wrong({ number: '4242424242424241' })).status).toBe(400)
  expect(statuses(await times(8, () => wrong()))).toEqual([...Array.from({ length: 7 }, () => 201), 429])
  const unknown = await openForm(platform)
  expect((await unknown({ number: '9000000000000000001' })).body).toMatchObject({ card: { brand: 'unknown' } })
  expect(statuses(await times(8, () => unknown()))).toEqual([...Array.from({ length: 7 }, () => 201), 429])
})

test('wrong numbers count as three for their address too, however many forms it loads', async () => {
  const platform = await limited()
  const wrong = async () => (await openForm(platform))({ number: '4242424242424241' })
  expect(statuses(await times(11, wrong))).toEqual([...Array.from({ length: 10 }, () => 400), 429])
  const [row] = await platform.services.db.read(
    "SELECT count(*) AS buckets FROM rate_buckets WHERE subject LIKE 'frame-%'",
    [],
  )
  expect(row).toEqual({ buckets: 13 }) // the address twice, the account and ten forms
})

test('a message that no form has made costs its sender’s address alone', async () => {
  const platform = await limited()
  const made = await atOnce(31, () => platform.vaultRequest('POST', TOKENS, { body: { jwe: 'a.b.c.d.e' } }))
  expect(statuses(made).toSorted()).toEqual([...Array.from({ length: 30 }, () => 400), 429])
  const rows = await platform.services.db.read("SELECT subject FROM rate_buckets WHERE subject >= 'frame-s'", [])
  expect(rows).toEqual([])
})

test('an address loads 120 forms at once, and is then told when to come again', async () => {
  const platform = await limited()
  const loaded = await atOnce(121, () => platform.vaultRequest('GET', '/v1/card'))
  const refused = loaded.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(1)
  expect(refused[0]?.headers).toMatchObject({ 'retry-after': '1' })
  expect(refused[0]?.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'")
})

test('what one address sends leaves every other address its own', async () => {
  const { services, clock } = await openVault()
  const limits = frameLimits(rateLimiter({ db: services.db, clock }))
  const taken = async (count: number, address: string) =>
    (await atOnce(count, () => limits.takeRequest(address))).filter(({ quota }) => quota.allowed).length
  for (let n = 1; n <= 10; n++) expect(await taken(50, `203.0.113.${n}`)).toBe(30)
})

test('an account that is sent many cards, or odd ones, is under pressure until its bucket fills up', async () => {
  const { services, clock } = await openVault()
  const limits = frameLimits(rateLimiter({ db: services.db, clock }))
  const account = { accountId: 'acc_1', rateLimit: { perMinute: 40, burst: 45 } }
  let forms = 0
  const source = () => ({ session: `form ${++forms}`, address: `203.0.113.${forms}`, account })
  const first = await times(45, () => limits.count(source()))
  expect(first.some(({ pressed }) => pressed)).toBe(false)
  expect(await limits.count(source())).toMatchObject({ pressed: true, many: false })
  expect(await limits.count({ ...source(), account: { ...account, accountId: 'acc_2' } })).toMatchObject({
    pressed: false,
  })
  clock.advance(12 * 1_500)
  for (let odd = 0; odd < 2; odd++) {
    const from = source()
    expect((await limits.count(from)).pressed).toBe(false)
    await limits.countOdd(from)
  }
  expect((await limits.count(source())).pressed).toBe(true)
})

test('the addresses that one customer of a provider draws from share a bucket', async () => {
  const { services, clock } = await openVault()
  const limits = frameLimits(rateLimiter({ db: services.db, clock }))
  let host = 0
  const loads = await atOnce(150, () => limits.takePage(`2001:db8::${(++host).toString(16)}`))
  expect(loads.filter(({ allowed }) => allowed)).toHaveLength(120)
  expect((await limits.takePage('2001:db8:0:ff::1')).allowed).toBe(false) // the same /56
  expect((await limits.takePage('2001:db8:0:100::1')).allowed).toBe(true)
})

test.skipIf(inject('postgresUrl') === null)('a form has its ten cards over all processes together', async () => {
  const server = inject('postgresUrl') ?? ''
  const databaseUrl = await createDatabase(server)
  onTestFinished(() => dropDatabase(server, databaseUrl))
  const one = await limited({ databaseUrl })
  const two = await limited({ databaseUrl, clock: one.clock })
  const form = { session: await sessionOf(one), key: one.local.publishableKey }
  const [sendOne, sendTwo] = [await openForm(one, form), await openForm(two, form)]
  const answers = await Promise.all(Array.from({ length: 16 }, (_, n) => (n % 2 === 0 ? sendOne : sendTwo)()))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
})

const TOKENS = '/api/vault/v1/tokens'

async function limited(options: TestPlatformOptions = {}): Promise<TestPlatform> {
  const platform = await startTestPlatform({ rateLimits: true, ...options })
  onTestFinished(() => platform.remove())
  return platform
}

function sessionOf({ services, local }: TestPlatform): Promise<string> {
  return frameSession(services, { key: local.publishableKey, origin: SHOP_URL })
}

function atOnce<Result>(count: number, send: () => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, send))
}

/** One after another, so that the last is the one that is refused. */
async function times<Result>(count: number, send: () => Promise<Result>): Promise<Result[]> {
  const answers: Result[] = []
  for (let n = 0; n < count; n++) answers.push(await send())
  return answers
}

function statuses(answers: readonly Answer[]): number[] {
  return answers.map(({ status }) => status)
}

test('the headers name the plan, its limit, what is left and when the next token comes', () => {
  const quota = { allowed: true, left: 42, nextTokenS: 1, retryAfterS: 0 }
  expect(quotaHeaders({ policy: 'premium', limit: plans.premium, quota })).toEqual({
    'RateLimit-Policy': '"premium";q=500;w=60',
    RateLimit: '"premium";r=42;t=1',
  })
})
