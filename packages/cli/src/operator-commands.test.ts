import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { createDatabase, dropDatabase } from '../../../.ci/postgres-database.ts'
import { tillwright } from './testing/tillwright.ts'

const server = inject('postgresUrl')
const engines = server === null ? (['sqlite'] as const) : (['sqlite', 'postgres'] as const)

/** A production's settings, with an empty database. */
async function emptyProduction(engine: 'sqlite' | 'postgres'): Promise<Record<string, string>> {
  const home = await mkdtemp(join(tmpdir(), 'tillwright-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const settings = {
    TILLWRIGHT_HOME: home,
    TILLWRIGHT_ENVIRONMENT: 'production',
    TILLWRIGHT_API_URL: 'https://api.shop.example',
    TILLWRIGHT_VAULT_URL: 'https://vault.shop.example',
    TILLWRIGHT_TRUSTED_PROXIES: '10.0.0.5',
    TILLWRIGHT_VAULT_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  if (engine === 'sqlite') return settings
  const databaseUrl = await createDatabase(server ?? '')
  onTestFinished(() => dropDatabase(server ?? '', databaseUrl))
  return { ...settings, DATABASE_URL: databaseUrl }
}

/** Runs a command to its end. */
async function ended(
  env: Record<string, string>,
  ...args: string[]
): Promise<{ code: unknown; out: string; err: string }> {
  const run = await tillwright(args, env, env['TILLWRIGHT_HOME'])
  return { code: await run.ended, ...run.printed() }
}

/** What a command that must succeed answers as JSON. */
async function answer(env: Record<string, string>, ...args: string[]) {
  const { code, out, err } = await ended(env, ...args, '--json')
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}

describe.each(engines)('on %s', (engine) => {
  test('from an empty production database to the first key, its list and its end', { timeout: 30_000 }, async () => {
    const env = await emptyProduction(engine)
    const account = await answer(env, 'accounts', 'create', '--name', 'My shop', '--plan', 'premium')
    expect(account).toMatchObject({ name: 'My shop', rateLimit: { perMinute: 500, burst: 750 } })
    const created = await ended(env, 'keys', 'create', '--name', 'Server', '--role', 'org:admin', '--expires', '90d')
    expect([created.code, created.err]).toEqual([0, ''])
    const [key = ''] = /^live_sk_[0-9A-Za-z]{36}$/m.exec(created.out) ?? []
    expect(created.out.split(key)).toHaveLength(2)
    const [listed, endpoint] = await Promise.all([
      answer(env, 'keys', 'list', '--account', account.id),
      answer(
        env,
        'webhooks',
        'add',
        'https://93.184.215.14/hooks',
        '--event',
        's_order_paid',
        '--event',
        's_store_created',
      ),
    ])
    expect(listed).toMatchObject([
      { name: 'Server', roles: ['org:admin'], state: 'good', shown: `live_sk_…${key.slice(-4)}` },
    ])
    expect(endpoint).toMatchObject({
      eventTypes: ['s_order_paid', 's_store_created'],
      secret: expect.stringMatching(/^whsec_/),
    })
    expect(await answer(env, 'keys', 'revoke', listed[0].id)).toMatchObject({ state: 'revoked' })
    const [keys, endpoints] = await Promise.all([ended(env, 'keys', 'list'), ended(env, 'webhooks', 'list')])
    expect(keys.out).toMatch(
      /^ID +NAME +KEY +MAY +EXPIRES +LAST USED +STATE\nkey_\w+ +Server +live_sk_….{4} +org:admin .* revoked\n$/,
    )
    expect(endpoints.out).toMatch(/\nwhe_\w+ +https:\/\/93\.184\.215\.14\/hooks +s_order_paid s_store_created +good /)
    expect(keys.out + endpoints.out).not.toContain(key)
  })
})

test('what is wrong is told in one line with the option and the fix, with code 1', { timeout: 30_000 }, async () => {
  const env = await emptyProduction('sqlite')
  const before = await ended(env, 'keys', 'list')
  expect([before.code, before.out]).toEqual([1, ''])
  expect(before.err).toMatch(/^error There is no database .*accounts create --name.*\n$/)
  await answer(env, 'accounts', 'create', '--name', 'My shop')
  const mistakes: readonly (readonly [string[], string])[] = [
    [['accounts', 'create'], "required option '--name <name>' not specified"],
    [['accounts', 'create', '--name', 'x', '--burst', '5'], '--rate-per-minute and --burst go together'],
    [
      ['keys', 'create', '--role', 'org:owner'],
      "'--role <role>' argument 'org:owner' is invalid. It must be one of: org:admin",
    ],
    [['keys', 'create', '--store', 'store_1'], 'add --publishable'],
    [['webhooks', 'add', 'https://169.254.169.254/'], 'url: The host has an address that is not public.'],
  ]
  const answers = await Promise.all(mistakes.map(([args]) => ended(env, ...args)))
  for (const [at, { code, out, err }] of answers.entries()) {
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(mistakes[at]?.[1])
    expect(err.trim().split('\n')).toHaveLength(1)
  }
})

test(
  'beside a platform under load every command works, and no request fails or is lost',
  { timeout: 60_000 },
  async () => {
    const platform = await tillwright(['start'])
    await platform.ready()
    const { apiUrl, apiKey, storeId } = await platform.local()
    const env = { TILLWRIGHT_HOME: platform.folder }
    const load = startLoad(`${apiUrl}/api/public/v1/products/create`, { apiKey, storeId })

    const statusOf = async (key: string) =>
      (await fetch(`${apiUrl}/api/public/v1/auth/test`, { headers: { Authorization: `Bearer ${key}` } })).status
    for (const name of ['one', 'two']) {
      const { id, key } = await answer(env, 'keys', 'create', '--name', name)
      expect(await statusOf(key)).toBe(200)
      await answer(env, 'keys', 'revoke', id)
      await expect.poll(() => statusOf(key), { timeout: 3_000, interval: 50 }).toBe(401)
    }
    await answer(env, 'webhooks', 'add', 'http://localhost:9/hooks')

    const statuses = await load.stop()
    expect(statuses.filter((status) => status !== 201)).toEqual([])
    expect(statuses.length).toBeGreaterThan(100)
    platform.child.kill('SIGTERM')
    expect(await platform.ended).toBe(0)
    const log = (await readFile(join(platform.folder, 'platform.log'), 'utf8')).trim().split('\n')
    expect(log.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
    const file = new DatabaseSync(join(platform.folder, 'tillwright.db'))
    onTestFinished(() => file.close())
    const count = file.prepare("SELECT count(*) AS n FROM products WHERE resource LIKE '%Under load%'").get()
    expect(count?.['n']).toBe(statuses.length)
  },
)

/** Clients that create products, each one after the other, until they are stopped. */
function startLoad(
  url: string,
  { apiKey, storeId }: { apiKey: string; storeId: string },
): { stop: () => Promise<number[]> } {
  const prices = [{ currencyOptions: { USD: { amount: 1_999 } } }]
  const body = JSON.stringify({ storeId, name: 'Under load', variants: [{ name: 'Only', prices }] })
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  const statuses: number[] = []
  let stopped = false
  const clients = Array.from({ length: 4 }, async () => {
    while (!stopped) {
      const response = await fetch(url, { method: 'POST', headers, body })
      await response.text()
      statuses.push(response.status)
    }
  })
  return {
    stop: async () => {
      stopped = true
      await Promise.all(clients)
      return statuses
    },
  }
}
