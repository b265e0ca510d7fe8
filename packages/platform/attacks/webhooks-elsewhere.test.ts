import { contract } from '@tillwright/contract'
import { expect, onTestFinished, test } from 'vitest'
import { insertAccount } from '../src/accounts/accounts.ts'
import { newApiKey } from '../src/accounts/api-keys.ts'
import { commit } from '../src/http/operations/commit.ts'
import { newId, systemRandomness } from '../src/runtime/randomness.ts'
import { consoleHeaders, placeMember } from '../test/console-browser.ts'
import { newEndpoint } from '../test/endpoint-requests.ts'
import { secondAccount } from '../test/second-account.ts'
import { sharedPlatform, startTestPlatform } from '../test/test-platform.ts'

// The attacker may manage webhook endpoints, and turns one to a host that only the platform can reach, or to events that
// are not theirs; or takes another account's.

const platform = sharedPlatform()
const { create, update, replay, replayRange, rotateSecret } = contract.webhookEndpoints
const pathOf = ({ path }: { path: string }, id: string) => path.replace('{endpointId}', id)
const send = (method: string, path: string, body?: unknown) =>
  platform().request(method, path, { key: platform().local.adminApiKey, body })

test('an endpoint cannot be turned to an address inside by an update, where it could not have been made', async () => {
  const production = await startTestPlatform({ environment: 'production' })
  onTestFinished(() => production.remove())
  const { services, randomness } = { services: production.services, randomness: systemRandomness() }
  const accountId = newId('acc', 0, randomness)
  const admin = newApiKey({ accountId, kind: 'secret', roles: ['org:admin'] }, { ...services, randomness })
  await commit([insertAccount({ id: accountId, name: 'Shop', plan: 'standard' }, 0), admin.write], services)
  const sendThere = (method: string, path: string, body: unknown) =>
    production.request(method, path, { key: admin.text, body })
  const made = await sendThere('POST', create.path, { url: 'https://93.184.215.14/' })
  expect(made.status, made.text).toBe(201)
  const { id } = create.response.parse(made.body).endpoint
  for (const url of [
    'http://93.184.215.14/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest',
    'https://u:p@93.184.215.14/',
  ]) {
    for (const answer of [
      await sendThere('PATCH', pathOf(update, id), { url, revision: 1 }),
      await sendThere('POST', create.path, { url }),
    ]) {
      expect([answer.status, answer.error.param], answer.text).toEqual([400, 'url'])
    }
  }
})

test('a member of one store neither makes, reads nor changes an endpoint of all stores', async () => {
  const { local } = platform()
  const { id } = await newEndpoint(platform())
  const { token } = await placeMember(platform(), { role: 'developer', storeIds: [local.storeId] })
  const headers = consoleHeaders(platform(), token)
  const asMember = (method: string, path: string, body?: unknown) =>
    platform().request(method, path, { key: '', headers, body })
  const url = 'http://localhost:9/'
  expect((await asMember('POST', create.path, { url })).status).toBe(403)
  expect((await asMember('PATCH', pathOf(update, id), { url, revision: 1 })).status).toBe(404)
  expect((await asMember('POST', pathOf(rotateSecret, id), {})).status).toBe(404)
  const own = await asMember('POST', create.path, { url, storeId: local.storeId })
  expect(own.status, own.text).toBe(201)
  const { endpoint } = create.response.parse(own.body)
  const widened = await asMember('PATCH', pathOf(update, endpoint.id), { storeId: null, revision: 1 })
  expect([widened.status, widened.error.param]).toEqual([400, 'storeId'])
  expect((await asMember('PATCH', pathOf(update, endpoint.id), { drafts: true, revision: 1 })).status).toBe(200)
})

test('a member of one store reads no event of the whole account, nor what a deleted endpoint of all stores was sent', async () => {
  const { local, call, services } = platform()
  const { id: endpointId } = await newEndpoint(platform(), '*')
  const { id: otherStore } = await call(contract.stores.create, { body: { name: 'Other' } })
  await call(contract.webhookEndpoints.delete, { params: { endpointId } })
  const { listDeliveries } = contract.webhookEndpoints
  const sent = await call(listDeliveries, { query: { endpointId } })
  expect(sent.data.map(({ eventType }) => eventType)).toContain('s_store_created')
  const sql = 'SELECT id FROM events WHERE account_id = ? AND (store_id IS NULL OR store_id = ?) ORDER BY id'
  const events = await services.db.read(sql, [local.accountId, otherStore])
  expect(events.length).toBeGreaterThan(1)
  const { token } = await placeMember(platform(), { role: 'developer', storeIds: [local.storeId] })
  const read = (path: string) =>
    platform().request('GET', path, { key: '', headers: consoleHeaders(platform(), token) })
  expect((await read(`${listDeliveries.path}?endpointId=${endpointId}`)).status).toBe(404)
  for (const { id } of events) {
    for (const path of [
      contract.events.get.path.replace('{eventId}', String(id)),
      `${listDeliveries.path}?eventId=${id}`,
    ])
      expect((await read(path)).status, path).toBe(404)
  }
})

test('another account’s endpoint gets no event of ours, and ours none of theirs', async () => {
  const other = await secondAccount(platform())
  const theirs = await newEndpoint(other, '*')
  const ours = await newEndpoint(platform(), '*')
  const [event] = await platform().services.db.read('SELECT id FROM events WHERE account_id = ? LIMIT 1', [
    other.local.accountId,
  ])
  const eventId = String(event?.['id'])
  expect((await send('POST', pathOf(replay, ours.id), { eventId })).error.param).toBe('eventId')
  expect((await send('POST', pathOf(replay, theirs.id), { eventId })).error.param).toBe('endpointId')
  const range = { from: '2020-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z', which: 'all' }
  expect((await send('POST', pathOf(replayRange, theirs.id), range)).error.param).toBe('endpointId')
  const deliveries = await platform().call(contract.webhookEndpoints.listDeliveries, {
    query: { endpointId: theirs.id },
  })
  expect(deliveries.data).toEqual([])
})

test('a secret is in the one answer that made it, and in no list, audit entry or event', async () => {
  const { call, services } = platform()
  const { endpoint, secret } = await call(create, { body: { url: 'http://localhost:9/' } })
  const rotated = await call(rotateSecret, { params: { endpointId: endpoint.id }, body: {} })
  for (const text of [secret, rotated.secret].map((each) => each.slice('whsec_'.length))) {
    for (const table of ['webhook_endpoints', 'audit_entries', 'events', 'idempotency_keys'])
      expect(JSON.stringify(await services.db.read(`SELECT * FROM ${table}`, [])), table).not.toContain(text)
  }
  const at = { params: { endpointId: endpoint.id }, body: { overlapHours: 24 } }
  for (let live = 2; live < 4; live += 1) await call(rotateSecret, at)
  const many = await send('POST', pathOf(rotateSecret, endpoint.id), {})
  expect([many.status, many.error.code]).toEqual([409, 'state_conflict'])
  expect((await send('POST', pathOf(rotateSecret, endpoint.id), { overlapHours: 0 })).status).toBe(201)
})
