import { contract } from '@tillwright/contract'
import { expect, onTestFinished, test } from 'vitest'
import { findAccount, insertAccount } from '../src/accounts/accounts.ts'
import { newApiKey } from '../src/accounts/api-keys.ts'
import { commit } from '../src/http/operations/commit.ts'
import { newId, systemRandomness } from '../src/runtime/randomness.ts'
import { insertDirectoryRow } from '../src/threeds/directory/settings.ts'
import { consoleHeaders, placeMember } from '../test/console-browser.ts'
import { secondAccount } from '../test/second-account.ts'
import { sharedPlatform, startTestPlatform } from '../test/test-platform.ts'

// The attacker gives their own account a larger plan, changes another account, sends cardholders to a 3-D Secure
// provider that does not exist so that no one is authenticated, or learns where the directory servers are and how the
// platform shows itself there.

const platform = sharedPlatform()
const { get, update } = contract.accounts
const providers = contract.threedsProviders

test('no request raises plan or limits, and none names another account', async () => {
  const { local, request, services, call } = platform()
  const theirs = await secondAccount(platform())
  const before = await findAccount(services.db, local.accountId)
  const { revision } = await call(get, {})
  for (const [field, value] of [
    ['plan', 'premium'],
    ['limits', { requestsPerMinute: 1_000_000 }],
    ['ownRateLimit', true],
    ['rateLimit', { perMinute: 1_000_000, burst: 1_000_000 }],
    ['id', theirs.local.accountId],
    ['accountId', theirs.local.accountId],
    ['environment', 'local'],
  ] as const) {
    const answer = await request('PATCH', update.path, {
      key: local.adminApiKey,
      body: { name: 'More', [field]: value, revision },
    })
    expect([answer.status, answer.error.param], answer.text).toEqual([400, field])
  }
  for (const [method, path] of [
    ['GET', `/api/accounts/v1/accounts/${theirs.local.accountId}`],
    ['PATCH', `${update.path}/${theirs.local.accountId}`],
    ['POST', '/api/accounts/v1/accounts/create'],
  ] as const) {
    const body = method === 'GET' ? undefined : { name: 'Ours', plan: 'premium', revision: 1 }
    expect((await request(method, path, { key: local.adminApiKey, body })).status).toBe(404)
  }
  expect(await findAccount(services.db, local.accountId)).toEqual(before)
})

test('neither a key without org:admin nor a member who is not an owner changes the account', async () => {
  const { request, addKey } = platform()
  const body = { name: 'Mine', revision: 1 }
  const key = await addKey({ kind: 'secret', roles: ['org:member'] })
  expect((await request('PATCH', update.path, { key, body })).status).toBe(403)
  for (const role of ['developer', 'operations', 'support', 'read_only'] as const) {
    const { token } = await placeMember(platform(), { role })
    const answer = await request('PATCH', update.path, { key: '', headers: consoleHeaders(platform(), token), body })
    expect([answer.status, answer.error.message], answer.text).toEqual([403, expect.stringContaining('owner')])
  }
})

test('in production, a provider that is not configured is not selected, and nothing of one that is leaves the platform', async () => {
  const production = await startTestPlatform({ environment: 'production' })
  onTestFinished(() => production.remove())
  const { services } = production
  const settings = {
    serverReferenceNumber: 'REFERENCE-OF-OPERATOR',
    serverOperatorId: 'OPERATOR-ID',
    requestorId: 'REQUESTOR-ID',
    url: null,
    networkUrls: { visa: 'https://ds.inside.example/', mastercard: 'https://10.0.0.9/' },
    clientCertificate: '/etc/tillwright/server.pem',
    clientKey: '/etc/tillwright/server.key',
    authorities: null,
    resultCertificates: '/etc/tillwright/directories.pem',
  }
  const accountId = newId('acc', 0, systemRandomness())
  const admin = newApiKey(
    { accountId, kind: 'secret', roles: ['org:admin'] },
    { ...services, randomness: systemRandomness() },
  )
  await commit(
    [
      insertAccount({ id: accountId, name: 'Shop', plan: 'standard' }, 0),
      admin.write,
      insertDirectoryRow({ name: 'vendor_a', settings, createdAtMs: 0 }),
    ],
    services,
  )
  const send = (method: string, path: string, body?: unknown) =>
    production.request(method, path, { key: admin.text, body })

  const select = await send('PATCH', update.path, { threedsProvider: 'vendor_b', revision: 1 })
  expect([select.status, select.error.param], select.text).toEqual([400, 'threedsProvider'])
  expect((await findAccount(services.db, accountId))?.threedsProvider).toBe('vendor_a')

  const list = await send('GET', providers.list.path)
  expect(list.body).toEqual({
    data: [
      { provider: 'vendor_a', configured: true, networks: ['visa', 'mastercard'], selected: true },
      { provider: 'vendor_b', configured: false, networks: [], selected: false },
    ],
  })
  const one = await send('GET', providers.get.path.replace('{provider}', 'vendor_a'))
  expect(one.body).toEqual({ provider: 'vendor_a', configured: true, networks: ['visa', 'mastercard'], selected: true })

  const elsewhere = { ...settings, url: 'https://attacker.example/', provider: 'vendor_b', revision: 1 }
  for (const [method, path] of [
    ['POST', `${providers.list.path}/create`],
    ['PATCH', `${providers.list.path}/vendor_a`],
    ['DELETE', `${providers.list.path}/vendor_a`],
  ] as const) {
    const answer = await send(method, path, method === 'DELETE' ? undefined : elsewhere)
    expect([404, 405], answer.text).toContain(answer.status)
  }
  const [row, ...others] = await services.db.read('SELECT name, settings FROM threeds_providers', [])
  expect([row?.['name'], JSON.parse(String(row?.['settings'])), others]).toEqual(['vendor_a', settings, []])
})
