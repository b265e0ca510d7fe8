import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contract } from '@tillwright/contract'
import { expect, onTestFinished, test } from 'vitest'
import { SHOP_URL, startTestPlatform, type TestPlatform } from '../../test/test-platform.ts'
import type { LocalFile } from './start-local.ts'

async function started(): Promise<TestPlatform> {
  const platform = await startTestPlatform()
  onTestFinished(() => platform.remove())
  return platform
}

const modeOf = async (file: string) => (await stat(file)).mode & 0o777

async function localFile({ folder }: TestPlatform): Promise<LocalFile> {
  return JSON.parse(await readFile(join(folder, 'local.json'), 'utf8'))
}

test('local.json has exactly the documented keys, and what they name is there', async () => {
  const platform = await started()
  await platform.announce('http://localhost:4410')
  const local = await localFile(platform)
  expect(Object.keys(local).toSorted()).toEqual([
    'accountId',
    'adminApiKey',
    'apiKey',
    'apiUrl',
    'funnelId',
    'paymentFlowId',
    'pid',
    'productId',
    'publishableKey',
    'shopUrl',
    'stepId',
    'storeId',
    'vaultUrl',
    'webhookSecret',
  ])
  expect(local).toMatchObject({
    apiUrl: platform.apiUrl,
    vaultUrl: platform.vaultUrl,
    shopUrl: 'http://localhost:4410',
    pid: process.pid,
  })
  expect(local.webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const product = await platform.call(contract.products.get, { params: { productId: local.productId } })
  expect(product).toMatchObject({ storeId: local.storeId, active: true })
  expect(product.variants.length).toBeGreaterThan(1)
  const [flow] = await platform.call(contract.paymentFlows.list, { query: {} })
  expect(flow?.id).toBe(local.paymentFlowId)
  expect(flow?.processorConfigs).toHaveLength(2)
  const funnel = await platform.call(contract.funnels.get, { params: { funnelId: local.funnelId } })
  expect(funnel).toMatchObject({ storeId: local.storeId, active: true })
  expect(funnel.steps.map(({ id, isEntry }) => [id === local.stepId, isEntry])).toEqual([
    [true, true],
    [false, false],
    [false, false],
  ])
})

test('an account of a version without funnels, or whose funnel a crash has kept from being stored, gets one', async () => {
  const platform = await started()
  const { funnelId } = platform.local
  await platform.services.db.write([{ sql: 'DELETE FROM funnels WHERE id = ?', params: [funnelId] }])
  await platform.stop()
  const file = join(platform.folder, 'seed.json')
  const { funnelId: _, stepId: __, ...older } = JSON.parse(await readFile(file, 'utf8'))
  const made: string[] = []
  for (const seed of [older, { ...older, funnelId, stepId: 'step_gone' }]) {
    await writeFile(file, JSON.stringify(seed))
    await platform.restart()
    await platform.restart()
    const { local, call } = platform
    const funnel = await call(contract.funnels.get, { params: { funnelId: local.funnelId } })
    expect(funnel.steps.map(({ id }) => id)).toContain(local.stepId)
    expect(local.apiKey).toBe(older.apiKey)
    made.push(local.funnelId)
    await platform.stop()
  }
  expect(new Set([funnelId, ...made]).size).toBe(3)
})

test('the step of local.json is the one that the funnel begins with by now', async () => {
  const platform = await started()
  const { funnelId } = platform.local
  const steps = [{ id: 'new-entry', type: 'landing', name: 'Landing', path: '/' }]
  await platform.call(contract.funnels.update, { params: { funnelId }, body: { steps } })
  await platform.restart()
  expect(platform.local).toMatchObject({ funnelId, stepId: 'new-entry' })
})

test('of its keys one has no roles, one is an admin’s, and one is for the shop’s page', async () => {
  const { request, local, services } = await started()
  const rolesOf = async (key: string) => (await request('GET', '/api/public/v1/auth/test', { key })).body
  expect(await rolesOf(local.apiKey)).toMatchObject({ roles: [], accountId: local.accountId })
  expect(await rolesOf(local.adminApiKey)).toMatchObject({ roles: ['org:admin'], accountId: local.accountId })
  const [row] = await services.db.read("SELECT store_id, allowed_origins FROM api_keys WHERE kind = 'publishable'", [])
  expect(row).toEqual({ store_id: local.storeId, allowed_origins: JSON.stringify([SHOP_URL]) })
  for (const key of [local.apiKey, local.adminApiKey]) expect(key).toMatch(/^test_sk_/)
  expect(local.publishableKey).toMatch(/^test_pk_/)
})

test('only their owner can read the files with secrets', async () => {
  const platform = await started()
  await platform.announce(null)
  for (const name of ['local.json', 'seed.json', 'vault.key']) {
    expect(await modeOf(join(platform.folder, name)), name).toBe(0o600)
  }
})

test('local.json is there from the announcement to a clean stop', async () => {
  const platform = await started()
  await expect(localFile(platform)).rejects.toThrow('ENOENT')
  await platform.announce(null)
  expect(await localFile(platform)).toMatchObject({ shopUrl: null })
  await platform.stop()
  await expect(localFile(platform)).rejects.toThrow('ENOENT')
})

test('a stop leaves the local.json of another process alone', async () => {
  const platform = await started()
  await platform.announce(null)
  const other = { ...(await localFile(platform)), pid: 1 }
  await writeFile(join(platform.folder, 'local.json'), JSON.stringify(other))
  await platform.stop()
  expect(await localFile(platform)).toEqual(other)
})

test('a second start keeps the data and the keys', async () => {
  const platform = await started()
  const before = platform.local
  const store = await platform.call(contract.stores.create, { body: { name: 'Kept', credentials: 'kept too' } })
  await platform.restart()
  expect(platform.local).toEqual({ ...before, apiUrl: expect.any(String), vaultUrl: expect.any(String) })
  const [row] = await platform.services.db.read('SELECT name, credentials FROM stores WHERE id = ?', [store.id])
  expect(row?.['name']).toBe('Kept')
  const { secrets } = platform.services
  expect(Buffer.from(secrets.open('store credentials', String(row?.['credentials']), store.id)).toString()).toBe(
    'kept too',
  )
})

test('keys that were rolled or revoked are made anew by the next start, and the good one stays', async () => {
  const platform = await started()
  const { call, local: before } = platform
  const { data } = await call(contract.apiKeys.list, { query: {} }, before.adminApiKey)
  const idOf = (name: string) => data.find((key) => key.name === name)?.id ?? ''
  await call(contract.apiKeys.revoke, { params: { keyId: idOf('Shop page') } }, before.adminApiKey)
  await call(
    contract.apiKeys.roll,
    { params: { keyId: idOf('Administration') }, body: { overlapHours: 0 } },
    before.adminApiKey,
  )
  await platform.restart()
  const { local: after } = platform
  expect(after.apiKey).toBe(before.apiKey)
  expect(after.publishableKey).not.toBe(before.publishableKey)
  const keys = await call(contract.apiKeys.list, { query: {} }, after.adminApiKey)
  const good = keys.data.filter(({ state }) => state === 'good').map(({ name }) => name)
  expect(good.toSorted()).toEqual(['Administration', 'Administration', 'Shop page', 'Shop server'])
  await platform.restart()
  expect(platform.local.adminApiKey).toBe(after.adminApiKey)
})

test('secrets without an account, as a crash can leave them, are replaced', async () => {
  const platform = await started()
  await platform.stop()
  const file = join(platform.folder, 'seed.json')
  const seed = JSON.parse(await readFile(file, 'utf8'))
  for (const content of [JSON.stringify({ ...seed, accountId: 'acc_gone' }), '{"accountId":', '']) {
    await writeFile(file, content)
    await platform.restart()
    const { status, body } = await platform.request('GET', '/api/public/v1/auth/test')
    expect([status, body]).toMatchObject([200, { accountId: platform.local.accountId }])
    expect(platform.local.accountId).not.toBe(seed.accountId)
  }
})

test('the demo products emit no events: the shop’s webhooks begin with its own doings', async () => {
  const { services } = await started()
  expect(await services.db.read('SELECT * FROM webhook_deliveries', [])).toEqual([])
})

test('an endpoint whose secret was lost in a start that was cut off is replaced', async () => {
  const platform = await started()
  const { webhookSecret } = platform.local
  await platform.stop()
  const file = join(platform.folder, 'seed.json')
  const seed = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify({ ...seed, webhookEndpointId: '', webhookSecret: '' }))
  await platform.restart()
  expect(await platform.services.db.read('SELECT id FROM webhook_endpoints', [])).toHaveLength(1)
  expect(platform.local.webhookSecret).toMatch(/^whsec_/)
  expect(platform.local.webhookSecret).not.toBe(webhookSecret)
})
