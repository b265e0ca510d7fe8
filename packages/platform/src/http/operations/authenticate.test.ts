import { request } from 'node:http'
import { contract, type Operation, rolesWith } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { sharedPlatform } from '../../../test/test-platform.ts'
import { newKeyText } from '../../accounts/api-keys.ts'
import { systemRandomness } from '../../runtime/randomness.ts'

const platform = sharedPlatform()
const TEST_KEY = '/api/public/v1/auth/test'
const PRODUCT = '/api/public/v1/products/none'
const newKey = (kind: 'secret' | 'publishable' = 'secret', environment: 'local' | 'production' = 'local') =>
  newKeyText(kind, environment, systemRandomness())

test('a key tells whose it is and what it may do, by GET and by POST', async () => {
  const { request: send, local } = platform()
  const answers = await Promise.all([send('GET', TEST_KEY), send('POST', TEST_KEY)])
  for (const { status, body } of answers) {
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      accountId: local.accountId,
      environment: 'local',
      roles: [],
      scopes: [],
      plan: 'standard',
      limits: { requestsPerMinute: 100, burst: 150, bodyMaxBytes: 1_048_576, deploymentMaxFiles: 2_000 },
    })
  }
})

const noKeys: readonly [what: string, headers: () => Record<string, string>, code: string][] = [
  ['no key', () => ({}), 'api_key_missing'],
  ['an empty header', () => ({ Authorization: '' }), 'api_key_invalid'],
  ['a key that is none', () => ({ Authorization: 'Bearer abc' }), 'api_key_invalid'],
  ['a key without "Bearer"', () => ({ Authorization: platform().local.apiKey }), 'api_key_invalid'],
  ['a key in Basic authentication', () => ({ Authorization: `Basic ${platform().local.apiKey}` }), 'api_key_invalid'],
  ['a key with another behind it', () => ({ Authorization: `Bearer ${platform().local.apiKey} x` }), 'api_key_invalid'],
  [
    'a key with a wrong checksum',
    () => ({ Authorization: `Bearer ${platform().local.apiKey.slice(0, -1)}!` }),
    'api_key_invalid',
  ],
  ['an unknown key', () => ({ Authorization: `Bearer ${newKey()}` }), 'api_key_invalid'],
  [
    'a live key, though this is "local"',
    () => ({ Authorization: `Bearer ${newKey('secret', 'production')}` }),
    'api_key_wrong_environment',
  ],
  ['a publishable key', () => ({ Authorization: `Bearer ${platform().local.publishableKey}` }), 'api_key_invalid'],
  [
    'a secret key from a page',
    () => ({ Authorization: `Bearer ${platform().local.apiKey}`, Origin: 'https://shop.example' }),
    'api_key_invalid',
  ],
]

test.for(noKeys)('a request with %s is a 401 that says what it wants', async ([, headers, code]) => {
  const answer = await platform().request('GET', PRODUCT, { key: '', headers: headers() })
  expect(answer.status).toBe(401)
  expect(answer.error).toMatchObject({ type: 'authentication_error', code })
  expect(answer.headers['www-authenticate']).toBe('Bearer')
  expect(answer.body).toMatchObject({ code: 'UNAUTHORIZED' })
})

test('"Bearer" may be written as one likes', async () => {
  const { request: send, local } = platform()
  const answer = await send('GET', TEST_KEY, { key: '', headers: { Authorization: `bearer   ${local.apiKey} ` } })
  expect(answer.status).toBe(200)
})

test('a secret key on the card frame’s route is refused with the advice to revoke it', async () => {
  const { vaultRequest, local } = platform()
  const answer = await vaultRequest('POST', '/api/vault/v1/tokens', { key: local.apiKey, body: { jwe: 'x' } })
  expect(answer.status).toBe(401)
  expect(answer.error).toMatchObject({ code: 'api_key_invalid', message: expect.stringContaining('revoke') })
})

test.for(['?key=', '?a=1&api_key=', '?=', '?', '?a=%20'])(
  'a secret key in the address (%s) is refused with the advice to revoke it',
  async (query) => {
    const { request: send, local } = platform()
    const answer = await send('GET', `${TEST_KEY}${query}${local.apiKey}`)
    expect(answer.status).toBe(401)
    expect(answer.error).toMatchObject({ code: 'api_key_invalid', message: expect.stringContaining('revoke') })
  },
)

test('a secret key is found anywhere in the address, and when it is percent-encoded', async () => {
  const { request: send, local } = platform()
  const encoded = local.apiKey.replaceAll('_', '%5F')
  const answer = await send('GET', `${TEST_KEY}?key=${encoded}`)
  const inPath = await send('GET', `/api/public/v1/products/${local.apiKey}`)
  for (const { status, error } of [answer, inPath]) expect([status, error.code]).toEqual([401, 'api_key_invalid'])
})

test('on the card frame’s route an invalid key is refused with the kind of key required', async () => {
  const answer = await platform().vaultRequest('POST', '/api/vault/v1/tokens', { key: 'abc', body: { jwe: 'x' } })
  expect(answer.status).toBe(401)
  expect(answer.error).toMatchObject({ code: 'api_key_invalid', message: expect.stringContaining('test_pk_') })
})

test('a revoked key is refused within one second', async () => {
  const { addKey, request: send, services, clock } = platform()
  const key = await addKey()
  expect((await send('GET', TEST_KEY, { key })).status).toBe(200)
  await services.db.write([
    { sql: 'UPDATE api_keys SET revoked_at = ? WHERE last4 = ?', params: [clock.now(), key.slice(-4)] },
  ])
  clock.advance(1_000)
  const answer = await send('GET', TEST_KEY, { key })
  expect(answer.status).toBe(401)
  expect(answer.error.code).toBe('api_key_revoked')
})

test('a key is good until the moment at which it expires', async () => {
  const { addKey, request: send, clock } = platform()
  const key = await addKey({ expiresAtMs: clock.now() + 500 })
  clock.advance(499)
  expect((await send('GET', TEST_KEY, { key })).status).toBe(200)
  clock.advance(1)
  const answer = await send('GET', TEST_KEY, { key })
  expect(answer.status).toBe(401)
  expect(answer.error).toMatchObject({
    code: 'api_key_revoked',
    message: expect.stringMatching(/^This API key, key_\w+, expired at \d{4}-\S+Z; use another one\.$/),
  })
})

test('a key that was rolled says, once it has ended, which one replaced it; so does one that was revoked afterwards', async () => {
  const { call, local, request: send, clock } = platform()
  const makeAndRoll = async (overlapHours: number) => {
    const { apiKey: old, key } = await call(contract.apiKeys.create, { body: { kind: 'secret' } }, local.adminApiKey)
    const rolled = { params: { keyId: old.id }, body: { overlapHours } }
    const { apiKey: next } = await call(contract.apiKeys.roll, rolled, local.adminApiKey)
    return { old: old.id, key, next: next.id }
  }
  const [ended, revoked] = [await makeAndRoll(0), await makeAndRoll(1)]
  expect((await send('GET', TEST_KEY, { key: revoked.key })).status).toBe(200)
  await call(contract.apiKeys.revoke, { params: { keyId: revoked.old } }, local.adminApiKey)
  clock.advance(1_000)
  const messageOf = async ({ key }: { key: string }) => (await send('GET', TEST_KEY, { key })).error.message
  expect(await messageOf(ended)).toMatch(
    new RegExp(`^This API key, ${ended.old}, was rolled, and ended at \\S+; use its replacement, ${ended.next}\\.$`),
  )
  expect(await messageOf(revoked)).toMatch(
    new RegExp(`^This API key, ${revoked.old}, was revoked at \\S+; use its replacement, ${revoked.next}\\.$`),
  )
})

const operations: Operation[] = Object.values(contract).flatMap((group) => Object.values(group))
const administration = operations.filter(({ audience }) => audience === 'admin')

test('administration is what the reference reserves for org:admin', () => {
  const paths = administration.map(({ method, path }) => `${method} ${path}`)
  expect(paths).toEqual(
    expect.arrayContaining([
      'GET /api/public/v1/payment-flows',
      'GET /api/public/v1/events/{eventId}',
      'POST /api/public/v1/events/statistics',
    ]),
  )
})

test.for(administration)(
  '$method $path needs the role org:admin, and its refusal names the members who may',
  async (operation) => {
    const { method, path, scope } = operation
    const { request: send, local, addKey } = platform()
    const address = path.replaceAll(/\{\w+\}/g, 'none')
    const member = await addKey({ roles: ['org:member', 'org:read'], scopes: ['payment-flows:read', 'plugins:write'] })
    for (const key of [local.apiKey, member]) {
      const answer = await send(method, address, { key })
      expect(answer.status).toBe(403)
      expect(answer.error).toMatchObject({ type: 'permission_error', code: 'role_required' })
      expect(answer.error.message).toContain(`Of members, ${rolesWith(scope ?? 'members:write')} may do this.`)
    }
    const body = method === 'GET' ? {} : { body: {} }
    const answer = await send(method, address, { key: local.adminApiKey, ...body })
    expect([200, 400, 404]).toContain(answer.status)
  },
)

const permissions: readonly [
  roles: ('org:admin' | 'org:member' | 'org:read')[],
  scopes: string[],
  read: boolean,
  write: boolean,
][] = [
  [[], [], true, true],
  [['org:admin'], [], true, true],
  [['org:member'], [], true, true],
  [['org:read'], [], true, false],
  [[], ['products:read'], true, false],
  [[], ['products:write'], false, true],
  [[], ['orders:read'], false, false],
  [['org:read'], ['products:write'], true, true],
]

test.for(permissions)(
  'a key with the roles %j and the scopes %j may read products: %s, write them: %s',
  async ([roles, scopes, read, write]) => {
    const { addKey, request: send } = platform()
    const key = await addKey({ roles, scopes })
    const reading = await send('GET', PRODUCT, { key })
    const writing = await send('POST', '/api/public/v1/products/create', { key, body: {} })
    expect(reading.status).toBe(read ? 404 : 403)
    expect(writing.status).toBe(write ? 400 : 403)
    if (read) return
    expect(reading.error).toMatchObject({ code: 'scope_missing', message: expect.stringContaining('products:read') })
  },
)

test('a key is told that a person decides, and which members may', async () => {
  const body = { currency: 'USD', amount: 10_000 }
  const limits = await platform().request('POST', '/api/payments/v1/refund-limits/set', { body })
  expect([limits.status, limits.error.message]).toEqual([
    401,
    'No key may do this; of members, owner may, signed in to the console.',
  ])
  const own = await platform().request('GET', '/api/members/v1/me')
  expect(own.error.message).toBe('No key may do this; a member may, signed in to the console.')
})

test('a refused body is not read before the key is known to be good', async () => {
  const { apiUrl } = platform()
  const status = await new Promise((resolve, reject) => {
    const sent = request(`${apiUrl}/api/public/v1/products/create`, {
      method: 'POST',
      headers: { 'Content-Length': 100 },
    })
    sent.on('response', (response) => resolve(response.statusCode)).on('error', reject)
    sent.flushHeaders()
  })
  expect(status).toBe(401)
})

test('no key stands in any answer or log line', async () => {
  const { request: send, local, logged } = platform()
  const unknown = newKey()
  const answers = await Promise.all([
    send('GET', PRODUCT, { key: unknown }),
    send('GET', PRODUCT, { key: `${local.apiKey}x` }),
    send('GET', `${PRODUCT}?key=${local.apiKey}`),
    send('GET', `/nowhere?key=${local.apiKey}`),
    send('DELETE', `${PRODUCT}?key=${local.apiKey}`),
    send('POST', '/api/public/v1/products/create', { body: { name: local.apiKey } }),
    send('POST', '/api/public/v1/products/create', { body: `{"${local.apiKey}"` }),
  ])
  for (const { text, headers } of answers) {
    for (const key of [unknown, local.apiKey]) expect(text + JSON.stringify(headers)).not.toContain(key)
  }
  const lines = logged.join('\n')
  for (const key of [unknown, local.apiKey, local.adminApiKey, local.publishableKey]) expect(lines).not.toContain(key)
})
