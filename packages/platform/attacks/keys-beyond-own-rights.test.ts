import { contract, type Operation } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { consoleHeaders, placeMember } from '../test/console-browser.ts'
import { placeKey } from '../test/key-requests.ts'
import { secondAccount } from '../test/second-account.ts'
import { sharedPlatform } from '../test/test-platform.ts'

// The attacker may make keys, and makes one that may do more than they. Or holds a stolen key that is being revoked. Or
// knows the id of another account's key.

const platform = sharedPlatform()
const CREATE = contract.apiKeys.create.path
const pathOf = (operation: Operation, keyId: string) => operation.path.replace('{keyId}', keyId)

async function developer(storeIds: readonly string[] | null = null) {
  const { token } = await placeMember(platform(), { role: 'developer', storeIds })
  const headers = consoleHeaders(platform(), token)
  return (method: string, path: string, body?: unknown) => platform().request(method, path, { key: '', headers, body })
}

test('a developer makes no key that may do more than a developer, and takes over none by rolling it', async () => {
  const send = await developer()
  const keys = [
    { kind: 'secret' },
    { kind: 'secret', roles: ['org:admin'] },
    { kind: 'secret', roles: ['org:member'] },
    { kind: 'secret', scopes: ['products:write', 'refunds:write'] },
    { kind: 'secret', roles: ['org:read'], scopes: ['payments:write'] },
  ] as const
  for (const body of keys) {
    const made = await send('POST', CREATE, body)
    expect([made.status, made.error.code], made.text).toEqual([403, 'scope_missing'])
    expect(made.error.message).toContain('owner')
    const { keyId } = await placeKey(platform(), body)
    for (const [operation, sent] of [
      [contract.apiKeys.roll, {}],
      [contract.apiKeys.revoke, undefined],
    ] as const) {
      const answer = await send('POST', pathOf(operation, keyId), sent)
      expect([answer.status, answer.error.code], answer.text).toEqual([403, 'scope_missing'])
    }
  }
  expect((await send('POST', CREATE, { kind: 'secret', scopes: ['products:write', 'payments:read'] })).status).toBe(201)
  // There is no scope of a key that opens administration.
  const smuggled = await send('POST', CREATE, { kind: 'secret', scopes: ['keys:write'] })
  expect([smuggled.status, smuggled.error.param]).toEqual([400, 'scopes[0]'])
})

test('a plain key, and one of scopes, makes none at all', async () => {
  for (const key of [platform().local.apiKey, await platform().addKey({ scopes: ['keys:write', 'stores:write'] })]) {
    const answer = await platform().request('POST', CREATE, { key, body: { kind: 'secret', scopes: ['stores:write'] } })
    expect([answer.status, answer.error.code]).toEqual([403, 'role_required'])
  }
})

test('a member of one store makes publishable keys of that store alone', async () => {
  const { local, call } = platform()
  const { id: otherStore } = await call(contract.stores.create, { body: { name: 'Other' } })
  const send = await developer([local.storeId])
  const page = (storeId: string) => ({ kind: 'publishable', storeId, allowedOrigins: ['https://shop.example'] })
  expect((await send('POST', CREATE, page(local.storeId))).status).toBe(201)
  expect((await send('POST', CREATE, page(otherStore))).status).toBe(404)
  expect((await send('POST', CREATE, { kind: 'secret', scopes: ['products:read'] })).status).toBe(403)
  const sneaked = { kind: 'secret', scopes: ['products:read'], storeId: local.storeId }
  expect((await send('POST', CREATE, sneaked)).status).toBe(400)
  const { keyId } = await placeKey(platform(), { kind: 'publishable', storeId: otherStore })
  expect((await send('GET', pathOf(contract.apiKeys.get, keyId))).status).toBe(403)
})

test('a stolen key that is revoked in the same instant has made itself no other, and no owner', async () => {
  const { services, local, request } = platform()
  const stolen = await placeKey(platform(), { roles: ['org:admin'] })
  // Known as good to the process, for a second.
  expect((await request('GET', contract.apiKeys.list.path, { key: stolen.text })).status).toBe(200)
  const body = { kind: 'secret', name: 'Back door', roles: ['org:admin'] }
  const made = Array.from({ length: 20 }, () => request('POST', CREATE, { key: stolen.text, body }))
  const revoked = await platform().call(contract.apiKeys.revoke, { params: { keyId: stolen.keyId } })
  const answers = await Promise.all(made)
  const afterwards = await request('POST', CREATE, { key: stolen.text, body })
  expect([afterwards.status, afterwards.error.code]).toEqual([401, 'api_key_revoked'])
  const rolled = await request('POST', pathOf(contract.apiKeys.roll, stolen.keyId), { key: stolen.text, body: {} })
  expect(rolled.status).toBeGreaterThanOrEqual(400)
  const owner = { email: 'back.door@example.com', role: 'owner' }
  const invited = await request('POST', contract.members.invite.path, { key: stolen.text, body: owner })
  expect([invited.status, invited.error.code]).toEqual([401, 'api_key_revoked'])
  const sql = `SELECT COUNT(*) AS number FROM api_keys WHERE account_id = ? AND name = 'Back door'`
  const [row] = await services.db.read(sql, [local.accountId])
  expect(row?.['number']).toBe(answers.filter(({ status }) => status === 201).length)
  expect(revoked.state).toBe('revoked')
})

test('of many rolls of one key at once, one makes a key', async () => {
  const { keyId } = await placeKey(platform(), { scopes: ['payments:write'] })
  const roll = () =>
    platform().request('POST', pathOf(contract.apiKeys.roll, keyId), { key: platform().local.adminApiKey, body: {} })
  const answers = await Promise.all(Array.from({ length: 8 }, roll))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  for (const { status, error } of answers.filter((each) => each.status !== 201))
    expect([status, error.code]).toEqual([409, 'state_conflict'])
})

test('another account’s key is not there, for reading, rolling and revoking', async () => {
  const other = await secondAccount(platform())
  const { keyId, text } = await placeKey(other)
  for (const [operation, body] of [
    [contract.apiKeys.get, undefined],
    [contract.apiKeys.roll, {}],
    [contract.apiKeys.revoke, undefined],
  ] as const) {
    const answer = await platform().request(operation.method, pathOf(operation, keyId), {
      key: platform().local.adminApiKey,
      body,
    })
    expect([answer.status, answer.error.param]).toEqual([404, 'keyId'])
  }
  expect((await platform().request('GET', contract.accounts.testKey.path, { key: text })).status).toBe(200)
})

test('a key is in the one answer that made it, and in no list, audit entry, event or log', async () => {
  const { call, services } = platform()
  const idempotent = { key: platform().local.adminApiKey, headers: { 'Idempotency-Key': 'a-new-key' } }
  const body = { kind: 'secret', name: 'Shop', scopes: ['payments:write'] }
  const made = await platform().request('POST', CREATE, { ...idempotent, body })
  const created = contract.apiKeys.create.response.parse(made.body)
  const { key: next } = await call(contract.apiKeys.roll, { params: { keyId: created.apiKey.id }, body: {} })
  for (const text of [created.key, next]) {
    const secret = text.slice('test_sk_'.length)
    const listed = await call(contract.apiKeys.list, { query: { limit: 100 } })
    const audited = await call(contract.audit.list, { query: { limit: 100 } })
    expect(JSON.stringify([listed, audited])).not.toContain(secret)
    for (const table of ['api_keys', 'audit_entries', 'events', 'idempotency_keys'])
      expect(JSON.stringify(await services.db.read(`SELECT * FROM ${table}`, [])), table).not.toContain(secret)
  }
})

test('the last key with org:admin stays, until there is an owner', async () => {
  const own = await secondAccount(platform())
  const revoke = (keyId: string) =>
    platform().request('POST', pathOf(contract.apiKeys.revoke, keyId), { key: own.local.adminApiKey })
  const { data } = await own.call(contract.apiKeys.list, { query: { limit: 100 } })
  const admins = data.filter(({ roles }) => roles.includes('org:admin'))
  expect(admins).toHaveLength(1)
  const [admin] = admins
  const refused = await revoke(admin?.id ?? '')
  expect([refused.status, refused.error.code], refused.text).toEqual([409, 'state_conflict'])
  await placeMember(own)
  expect((await revoke(admin?.id ?? '')).status).toBe(200)
})
