import { contract } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { findAccount } from './accounts.ts'
import { sharedPlatform } from '../../test/test-platform.ts'

const platform = sharedPlatform()
const { get, update } = contract.accounts

test('an account reads its plan, its limits and how much of them it uses', async () => {
  const { call, local, services } = platform()
  const account = await call(get, {})
  expect(account).toMatchObject({ id: local.accountId, environment: 'local', threedsProvider: 'vendor_a' })
  const [before] = await services.db.read('SELECT count(*) AS n FROM webhook_endpoints WHERE account_id = ?', [
    local.accountId,
  ])
  expect(account.limits.webhookEndpoints).toEqual({ max: 100, used: before?.['n'] })
  await call(contract.webhookEndpoints.create, { body: { url: 'http://localhost:9/hooks', eventTypes: '*' } })
  expect((await call(get, {})).limits.webhookEndpoints.used).toBe(account.limits.webhookEndpoints.used + 1)
  expect((await call(contract.accounts.testKey, {})).limits).toEqual(
    expect.objectContaining({ requestsPerMinute: account.limits.requestsPerMinute, burst: account.limits.burst }),
  )
})

test('a key is told when it ends, and which key it was rolled to', async () => {
  const { call } = platform()
  const { apiKey, key } = await call(contract.apiKeys.create, { body: { kind: 'secret' } })
  expect(await call(contract.accounts.testKey, {}, key)).toMatchObject({ expiresAt: null, replacedBy: null })
  const rolled = await call(contract.apiKeys.roll, { params: { keyId: apiKey.id }, body: { overlapHours: 1 } })
  const { expiresAt } = await call(contract.apiKeys.get, { params: { keyId: apiKey.id } })
  expect(expiresAt).not.toBeNull()
  const replacedBy = rolled.apiKey.id
  expect(await call(contract.accounts.testKey, {}, key)).toMatchObject({ expiresAt, replacedBy })
  expect(await call(contract.accounts.testKeyByPost, {}, key)).toMatchObject({ expiresAt, replacedBy })
})

test('a change of name and provider takes the revision that was read, and is an entry of the audit log', async () => {
  const { call, request, local, services } = platform()
  const before = await call(get, {})
  const { revision } = before
  const after = await call(update, { body: { name: 'Renamed', threedsProvider: 'vendor_b', revision } })
  expect(after).toMatchObject({ name: 'Renamed', threedsProvider: 'vendor_b', revision: revision + 1 })
  expect(await findAccount(services.db, local.accountId)).toMatchObject({ name: 'Renamed', plan: before.plan })
  const { data } = await call(contract.threedsProviders.list, {})
  expect(data).toEqual([
    { provider: 'vendor_a', configured: true, networks: null, selected: false },
    { provider: 'vendor_b', configured: true, networks: null, selected: true },
  ])

  const stale = await request('PATCH', update.path, { key: local.adminApiKey, body: { name: 'Stale', revision } })
  expect([stale.status, stale.error.code], stale.text).toEqual([409, 'revision_conflict'])
  const unchanged = await call(update, { body: { name: 'Renamed', revision: after.revision } })
  expect(unchanged.revision).toBe(after.revision)
  const entries = await services.db.read(
    "SELECT changes FROM audit_entries WHERE account_id = ? AND operation = 'accounts.update'",
    [local.accountId],
  )
  expect(entries.map(({ changes }) => JSON.parse(String(changes)))).toEqual([
    expect.objectContaining({
      before: expect.objectContaining({ name: before.name }),
      after: expect.objectContaining({ name: 'Renamed', threedsProvider: 'vendor_b' }),
    }),
  ])
})
