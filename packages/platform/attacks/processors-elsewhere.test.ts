import { contract } from '@tillwright/contract'
import { expect, onTestFinished, test } from 'vitest'
import { insertAccount } from '../src/accounts/accounts.ts'
import { newApiKey } from '../src/accounts/api-keys.ts'
import { commit } from '../src/http/operations/commit.ts'
import { simulatorDriver } from '../src/processors/simulator.ts'
import { newId, systemRandomness } from '../src/runtime/randomness.ts'
import { consoleHeaders, placeMember } from '../test/console-browser.ts'
import { newProcessor, wantedProcessor } from '../test/new-processor.ts'
import { secondAccount } from '../test/second-account.ts'
import { sharedPlatform, startTestPlatform } from '../test/test-platform.ts'

// The attacker may manage processors, turns one to a server inside or of their own, takes money from nowhere, reads the
// secret that is kept, or changes another account's.

const platform = sharedPlatform()
const { create, update, get, list, listDrivers } = contract.processors
const pathOf = ({ path }: { path: string }, id: string) => path.replace('{processorId}', id)
const pretender = { ...simulatorDriver, name: 'pretender', title: 'the pretender' }
const LIVE_KEY = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc'

test('in production no processor is simulated, for tests, or at an address that a request says', async () => {
  const production = await startTestPlatform({ environment: 'production', processors: [pretender] })
  onTestFinished(() => production.remove())
  const { services, randomness } = { services: production.services, randomness: systemRandomness() }
  const accountId = newId('acc', 0, randomness)
  const admin = newApiKey({ accountId, kind: 'secret', roles: ['org:admin'] }, { ...services, randomness })
  await commit([insertAccount({ id: accountId, name: 'Shop', plan: 'standard' }, 0), admin.write], services)
  const send = (method: string, path: string, body?: unknown) =>
    production.request(method, path, { key: admin.text, body })
  const stripe = { name: 'Stripe', driver: 'stripe', secret: LIVE_KEY }
  const made = await send('POST', create.path, stripe)
  expect(made.status, made.text).toBe(201)
  const { id } = create.response.parse(made.body)
  for (const apiUrl of ['http://169.254.169.254/', 'https://127.0.0.1/', 'https://attacker.example/']) {
    for (const answer of [
      await send('POST', create.path, { ...stripe, settings: { apiUrl } }),
      await send('PATCH', pathOf(update, id), { settings: { apiUrl }, revision: 1 }),
      await send('PATCH', pathOf(update, id), { settings: { apiUrl }, secret: LIVE_KEY, revision: 1 }),
    ]) {
      expect([answer.status, answer.error.param], answer.text).toEqual([400, 'settings.apiUrl'])
    }
  }
  for (const [body, param] of [
    [{ name: 'Free', driver: 'pretender' }, 'driver'],
    [{ ...stripe, secret: wantedProcessor.secret }, 'secret'],
  ] as const) {
    const answer = await send('POST', create.path, body)
    expect([answer.status, answer.error.param], answer.text).toEqual([400, param])
    expect(answer.text).not.toContain('4eC39HqLyjWDarjtT1zdp7dc')
  }
  const drivers = listDrivers.response.parse((await send('GET', listDrivers.path)).body).data
  expect(drivers.map(({ driver }) => driver)).not.toContain('pretender')
  expect(JSON.stringify(drivers)).not.toContain('apiUrl')
})

test('a secret that is kept does not go to an address that was set without it', async () => {
  const { id } = await platform().call(create, { body: wantedProcessor })
  const body = { settings: { apiUrl: 'https://attacker.example/' }, revision: 1 }
  const answer = await platform().request('PATCH', pathOf(update, id), { key: platform().local.adminApiKey, body })
  expect([answer.status, answer.error.param], answer.text).toEqual([400, 'secret'])
})

test('a secret is in no answer, audit entry, event, stored answer or row', async () => {
  const { call, request, services, local } = platform()
  const secrets = { secret: 'sk_test_keptToItself00000001', webhookSecret: 'whsec_keptToItself000000002' }
  const later = { secret: 'rk_test_keptToItself00000003', webhookSecret: 'whsec_keptToItself000000004' }
  const { id } = await call(create, { body: { ...wantedProcessor, ...secrets } })
  await call(update, { params: { processorId: id }, body: { ...later, revision: 1 } })
  const stale = await request('PATCH', pathOf(update, id), {
    key: local.adminApiKey,
    body: { ...secrets, revision: 1 },
  })
  expect(stale.status).toBe(409)
  const wrong = { secret: 'keptToItself', revision: 2 }
  const refused = await request('PATCH', pathOf(update, id), { key: local.adminApiKey, body: wrong })
  expect(refused.status).toBe(400)
  const read = [await call(get, { params: { processorId: id } }), await call(list, { query: { limit: 100 } })]
  const texts = [JSON.stringify(read), stale.text, refused.text]
  for (const table of ['processors', 'audit_entries', 'events', 'idempotency_keys'])
    texts.push(JSON.stringify(await services.db.read(`SELECT * FROM ${table}`, [])))
  for (const text of texts) expect(text).not.toContain('keptToItself')
  const [entry] = await services.db.read(
    "SELECT changes FROM audit_entries WHERE resource_id = ? AND operation = 'processors.update'",
    [id],
  )
  expect(JSON.parse(String(entry?.['changes']))).toMatchObject({ after: { replaced: ['secret', 'webhookSecret'] } })
})

test('another account’s processor is neither read, changed, archived nor listed', async () => {
  const theirs = await newProcessor(await secondAccount(platform()))
  const { local, request, call } = platform()
  const key = local.adminApiKey
  for (const answer of [
    await request('GET', pathOf(get, theirs), { key }),
    await request('PATCH', pathOf(update, theirs), { key, body: { name: 'Ours', revision: 1 } }),
    await request('POST', contract.processors.delete.path, { key, body: { processorIds: [theirs] } }),
  ]) {
    expect([answer.status, answer.error.code], answer.text).toEqual([404, 'resource_missing'])
  }
  const { data } = await call(list, { query: { limit: 100 } })
  expect(data.map(({ id }) => id)).not.toContain(theirs)
})

test('neither who only reads nor a member of one store manages processors', async () => {
  const { local, request, addKey } = platform()
  const scoped = await addKey({ kind: 'secret', roles: ['org:member'] })
  const body = { ...wantedProcessor }
  expect((await request('POST', create.path, { key: scoped, body })).status).toBe(403)
  for (const member of [
    { role: 'read_only', storeIds: null },
    { role: 'developer', storeIds: [local.storeId] },
  ] as const) {
    const { token } = await placeMember(platform(), member)
    const headers = consoleHeaders(platform(), token)
    const answer = await request('POST', create.path, { key: '', headers, body })
    expect(answer.status, answer.text).toBe(403)
  }
})
