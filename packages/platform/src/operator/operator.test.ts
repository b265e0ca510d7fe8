import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contract } from '@tillwright/contract'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../.ci/postgres-database.ts'
import { startTestPlatform, testableEngines, type TestPlatform } from '../../test/test-platform.ts'
import { deployPlugin } from '../../test/plugins/deploy-plugin.ts'
import { visit } from '../../test/plugins/visit.ts'
import { readConfig } from '../config.ts'
import { manualClock } from '../runtime/clock.ts'
import { OperatorError } from '../runtime/errors.ts'
import { openOperator, type Operator, setUpOperator } from './operator.ts'

const TEST_KEY = '/api/public/v1/auth/test'
const VAULT_KEY = hash('sha256', 'vault key', 'base64')
const SECRETS_KEY = hash('sha256', 'secrets key', 'base64')

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'operator-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function opened(env: Record<string, string>, open = openOperator): Promise<Operator> {
  const operator = await open(readConfig(env))
  onTestFinished(() => operator.close())
  return operator
}

describe.each(testableEngines())('on %s', (engine) => {
  // Two platforms on one database, where the engine allows that, and an operator on the same database.
  const platforms: TestPlatform[] = []
  let operator: Operator
  let local: TestPlatform['local']
  let dropIt = async () => {}
  beforeAll(async () => {
    const clock = manualClock(Date.UTC(2030, 0, 1))
    const server = inject('postgresUrl') ?? ''
    const databaseUrl = engine === 'postgres' ? await createDatabase(server) : undefined
    if (databaseUrl !== undefined) dropIt = () => dropDatabase(server, databaseUrl)
    const options = { clock, ...(databaseUrl !== undefined && { databaseUrl }) }
    const first = await startTestPlatform(options)
    platforms.push(first, ...(databaseUrl === undefined ? [] : [await startTestPlatform(options)]))
    local = first.local
    const shared =
      databaseUrl === undefined
        ? {}
        : { DATABASE_URL: databaseUrl, TILLWRIGHT_VAULT_KEY: VAULT_KEY, TILLWRIGHT_SECRETS_KEY: SECRETS_KEY }
    operator = await openOperator(readConfig({ TILLWRIGHT_HOME: first.folder, ...shared }))
  })
  afterAll(async () => {
    await operator.close()
    await Promise.all(platforms.map((platform) => platform.remove()))
    await dropIt()
  })

  test('a key works as soon as it is made, and is refused by every process within a second of its revocation', async () => {
    const account = local.accountId
    const { id, key } = await operator.keys.createSecret({ account, name: 'New', roles: ['org:read'], scopes: [] })
    const tries = () => Promise.all(platforms.map((platform) => platform.request('GET', TEST_KEY, { key })))
    for (const { status, body } of await tries()) {
      expect([status, body]).toMatchObject([200, { keyId: id, roles: ['org:read'] }])
    }
    await operator.keys.revoke(id)
    platforms[0]?.clock.advance(1_000)
    for (const { status, error } of await tries()) expect([status, error.code]).toEqual([401, 'api_key_revoked'])
  })

  test('the audit log of an account that there is not is no whole one', async () => {
    await expect(operator.audit.verify({ account: 'acc_mistyped' })).rejects.toThrow(
      "--account: there is no account 'acc_mistyped'",
    )
    expect((await operator.audit.verify({ account: local.accountId })).flatMap(({ problems }) => problems)).toEqual([])
  })

  test('another plan binds the account within a second', async () => {
    const { request, clock } = platforms[0] ?? expect.unreachable()
    const planOf = async () => (await request('GET', TEST_KEY)).body
    expect(await planOf()).toMatchObject({ plan: 'standard', limits: { requestsPerMinute: 100, burst: 150 } })
    await operator.accounts.update(local.accountId, { plan: 'premium' })
    clock.advance(1_000)
    expect(await planOf()).toMatchObject({ plan: 'premium', limits: { requestsPerMinute: 500, burst: 750 } })
    await operator.accounts.update(local.accountId, { rateLimit: { perMinute: 7, burst: 9 } })
    clock.advance(1_000)
    expect(await planOf()).toMatchObject({ plan: 'premium', limits: { requestsPerMinute: 7, burst: 9 } })
    const restored = await operator.accounts.update(local.accountId, { rateLimit: null, name: ' Renamed ' })
    expect(restored).toMatchObject({ name: 'Renamed', rateLimit: { perMinute: 500 }, ownRateLimit: false })
  })

  test('an account’s payments are authenticated by vendor_a, until the operator names the other provider', async () => {
    const { id } = await operator.accounts.create({ name: 'Another', plan: 'standard' })
    expect((await operator.accounts.list()).find((account) => account.id === id)?.threedsProvider).toBe('vendor_a')
    const changed = await operator.accounts.update(id, { threedsProvider: 'vendor_b' })
    expect(changed).toMatchObject({ name: 'Another', threedsProvider: 'vendor_b' })
  })

  test('an operator finds the account behind a host, takes all pages of its plugins down, and shows them again', async () => {
    const [platform] = platforms
    if (platform === undefined) throw new Error('There is no platform.')
    const { id: deploymentId, url } = await deployPlugin(platform)
    const { setAlias } = contract.pluginManagement
    const { alias } = await platform.call(setAlias, { body: { storeId: local.storeId, name: 'bad', deploymentId } })
    const domain = { customDomain: `${engine}.bad.example`, deploymentId }
    await platform.call(contract.plugins.promoteToCustomDomain, { body: domain })
    const hosts = [new URL(url).hostname, new URL(alias.url).hostname, domain.customDomain]
    const statuses = async () => Promise.all(hosts.map(async (host) => (await visit(platform, { host })).status))
    expect(await statuses()).toEqual([200, 200, 200])
    for (const host of hosts) expect((await operator.accounts.ofHost(`${host}:443`)).id).toBe(local.accountId)
    const missing = operator.accounts.ofHost('shop.example')
    await expect(missing).rejects.toThrow("No plugin is on the host 'shop.example'")

    const off = await operator.accounts.update(local.accountId, { pages: 'off' })
    expect(off.pagesOffSince).not.toBeNull()
    expect(await statuses()).toEqual([410, 410, 410])
    expect((await visit(platform, { host: hosts[0] ?? '' })).text).toContain('has taken it down')
    expect((await visit(platform, { host: hosts[2] ?? '', path: '/index.html' })).status).toBe(410)
    const { pagesOffSince } = await platform.call(contract.accounts.get, {})
    expect(pagesOffSince).toBe(off.pagesOffSince)
    expect((await operator.accounts.update(local.accountId, { pages: 'off' })).pagesOffSince).toBe(off.pagesOffSince)

    await operator.accounts.update(local.accountId, { pages: 'on' })
    expect(await statuses()).toEqual([200, 200, 200])
  })

  test('a list tells all of a key but its text', async () => {
    const origins = ['https://shop.example:8443/', 'http://localhost:3000', 'http://localhost:3000/']
    const account = local.accountId
    const made = await operator.keys.createPublishable({ account, store: local.storeId, origins })
    const listed = (await operator.keys.list(account)).find(({ id }) => id === made.id)
    expect(listed).toEqual({
      id: expect.stringMatching(/^key_/),
      accountId: account,
      name: null,
      kind: 'publishable',
      shown: `test_pk_…${made.key.slice(-4)}`,
      roles: [],
      scopes: [],
      storeId: local.storeId,
      allowedOrigins: ['https://shop.example:8443', 'http://localhost:3000'],
      createdAt: expect.any(String),
      createdBy: null,
      expiresAt: null,
      revokedAt: null,
      replacedBy: null,
      lastUsedAt: null,
      state: 'good',
    })
    expect(JSON.stringify(listed)).not.toContain(made.key)
  })

  test('an endpoint is added, given a second secret and removed', async () => {
    const account = local.accountId
    const wanted = { account, url: 'http://localhost:9/', eventTypes: ['s_order_paid'], drafts: true } as const
    const { secret, ...added } = await operator.webhooks.add(wanted)
    expect(added).toMatchObject({ accountId: account, eventTypes: ['s_order_paid'], drafts: true, enabled: true })
    expect(await operator.webhooks.list(account)).toContainEqual(added)
    const rotated = await operator.webhooks.rotate(added.id)
    expect(rotated.secret).toMatch(/^whsec_/)
    expect(rotated.secret).not.toBe(secret)
    await operator.webhooks.remove(added.id)
    await expect(operator.webhooks.rotate(added.id)).rejects.toThrow(`no endpoint '${added.id}'`)
  })
})

test('where there is no database nothing is made, until the first account is', async () => {
  const home = join(await newFolder(), 'state')
  const env = { TILLWRIGHT_HOME: home }
  await expect(opened(env)).rejects.toThrow('accounts create')
  expect(existsSync(home)).toBe(false)
  const operator = await opened(env, setUpOperator)
  await expect(operator.keys.list(undefined)).rejects.toThrow('no account yet')
  const first = await operator.accounts.create({ name: 'First', plan: 'premium' })
  expect(await operator.keys.createSecret({ roles: [], scopes: [] })).toMatchObject({ accountId: first.id })
  await operator.accounts.create({ name: 'Second', plan: 'standard', rateLimit: { perMinute: 1, burst: 2 } })
  await expect(operator.keys.list(undefined)).rejects.toThrow('--account: there are several')
  const accounts = await (await opened(env)).accounts.list()
  // Of two that came in one millisecond either may be the first.
  const byName = accounts.toSorted((one, another) => one.name.localeCompare(another.name))
  expect(byName).toMatchObject([{ name: 'First' }, { rateLimit: { burst: 2 } }])
})

test('a refusal names the option that caused it', async () => {
  const operator = await opened({ TILLWRIGHT_HOME: await newFolder() }, setUpOperator)
  const { accounts, keys, webhooks } = operator
  await accounts.create({ name: 'Only', plan: 'standard' })
  const none = { roles: [], scopes: [] }
  const refusals: readonly (readonly [() => Promise<unknown>, string])[] = [
    [() => accounts.create({ name: ' ', plan: 'standard' }), '--name: '],
    [() => accounts.create({ name: 'x'.repeat(256), plan: 'standard' }), '--name: '],
    [
      () => accounts.create({ name: 'x', plan: 'standard', rateLimit: { perMinute: 0, burst: 1 } }),
      '--rate-per-minute: ',
    ],
    [() => accounts.create({ name: 'x', plan: 'standard', rateLimit: { perMinute: 1, burst: 1e7 } }), '--burst: '],
    [() => accounts.update('acc_1', { plan: 'premium' }), "no account 'acc_1'"],
    [() => keys.createSecret({ ...none, account: 'acc_1' }), "--account: there is no account 'acc_1'"],
    [() => keys.createSecret({ ...none, expiresAtMs: Date.now() - 1 }), '--expires: '],
    [() => keys.createPublishable({ store: 'store_1', origins: ['https://a.example'] }), '--store: '],
    [() => keys.revoke('key_1'), "no key 'key_1'"],
    [() => webhooks.add({ url: 'ftp://a.example', eventTypes: '*', drafts: false }), 'url: '],
    [() => webhooks.remove('whe_1'), "no endpoint 'whe_1'"],
  ]
  for (const [refusal, message] of refusals) {
    const error = await refusal().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(OperatorError)
    expect(String(error)).toContain(message)
  }
  expect(await accounts.list()).toHaveLength(1)
})

test('the first command binds the vault to its key', async () => {
  const home = await newFolder()
  const keyOf = (text: string) => Buffer.alloc(32, text).toString('base64')
  await opened({ TILLWRIGHT_HOME: home, TILLWRIGHT_VAULT_KEY: keyOf('one') }, setUpOperator)
  const other = opened({ TILLWRIGHT_HOME: home, TILLWRIGHT_VAULT_KEY: keyOf('another') })
  await expect(other).rejects.toThrow('TILLWRIGHT_VAULT_KEY')
})

test('a vault key that is not the platform’s is refused', async () => {
  const platform = await startTestPlatform()
  onTestFinished(() => platform.remove())
  const env = { TILLWRIGHT_HOME: platform.folder, TILLWRIGHT_VAULT_KEY: VAULT_KEY, TILLWRIGHT_SECRETS_KEY: SECRETS_KEY }
  await expect(opened(env)).rejects.toThrow('TILLWRIGHT_VAULT_KEY')
})
