import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { createDatabase, dropDatabase } from '../../../.ci/postgres-database.ts'
import { runCommand } from './testing/run-command.ts'
import { tillwright } from './testing/tillwright.ts'

const postgresUrl = inject('postgresUrl')
const engines = postgresUrl === null ? (['sqlite'] as const) : (['sqlite', 'postgres'] as const)

/** The settings of a production platform with an empty database. */
async function emptyProduction(engine: 'sqlite' | 'postgres'): Promise<Record<string, string>> {
  const home = await mkdtemp(join(tmpdir(), 'tillwright-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const settings = {
    TILLWRIGHT_HOME: home,
    TILLWRIGHT_ENVIRONMENT: 'production',
    TILLWRIGHT_API_URL: 'https://api.shop.example',
    TILLWRIGHT_VAULT_URL: 'https://vault.shop.example',
    TILLWRIGHT_PLUGINS_URL: 'https://plugins.shop-pages.example',
    TILLWRIGHT_TRUSTED_PROXIES: '10.0.0.5',
    TILLWRIGHT_VAULT_KEY: randomBytes(32).toString('base64'),
    TILLWRIGHT_SECRETS_KEY: randomBytes(32).toString('base64'),
  }
  if (engine === 'sqlite') return settings
  const databaseUrl = await createDatabase(postgresUrl ?? '')
  onTestFinished(() => dropDatabase(postgresUrl ?? '', databaseUrl))
  return { ...settings, DATABASE_URL: databaseUrl }
}

/** Runs a command to its end, in its own process. */
async function ended(
  env: Record<string, string>,
  ...args: string[]
): Promise<{ code: unknown; out: string; err: string }> {
  const run = await tillwright(args, env, env['TILLWRIGHT_HOME'])
  return { code: await run.ended, ...run.printed() }
}

/** The JSON answer of a command that must succeed. */
async function answer(env: Record<string, string>, ...args: string[]) {
  const { code, out, err } = await runCommand([...args, '--json'], env)
  expect([code, withoutPlatform(err)]).toEqual([0, ''])
  return JSON.parse(out)
}

/** Standard error of a command without its first line, which names the platform that it calls. */
function withoutPlatform(err: string): string {
  return err.replace(/^local http:\/\/localhost:\d+ acc_\w+\n/, '')
}

describe.each(engines)('on %s', (engine) => {
  test('from an empty production database to creating, listing and revoking the first key', async () => {
    const env = await emptyProduction(engine)
    const account = await answer(env, 'accounts', 'create', '--name', 'My shop', '--plan', 'premium')
    expect(account).toMatchObject({ name: 'My shop', rateLimit: { perMinute: 500, burst: 750 } })
    const wanted = ['--name', 'Server', '--role', 'org:admin', '--expires', '90d']
    const created = await runCommand(['keys', 'create', ...wanted], env)
    expect([created.code, created.err]).toEqual([0, ''])
    const [key = ''] = /^live_sk_[0-9A-Za-z]{36}$/m.exec(created.out) ?? []
    expect(created.out.split(key)).toHaveLength(2)
    const listed = await answer(env, 'keys', 'list', '--account', account.id)
    expect(listed).toMatchObject([
      { name: 'Server', roles: ['org:admin'], state: 'good', shown: `live_sk_…${key.slice(-4)}` },
    ])
    const types = ['--event', 's_order_paid', '--event', 's_store_created']
    expect(await answer(env, 'webhooks', 'add', 'https://93.184.215.14/hooks', ...types)).toMatchObject({
      eventTypes: ['s_order_paid', 's_store_created'],
      storeId: null,
      secret: expect.stringMatching(/^whsec_/),
    })
    expect(await answer(env, 'keys', 'revoke', listed[0].id)).toMatchObject({ state: 'revoked' })
    const keys = await runCommand(['keys', 'list'], env)
    const endpoints = await runCommand(['webhooks', 'list'], env)
    expect(keys.out).toMatch(
      /^ID +NAME +KEY +MAY +EXPIRES +LAST USED +STATE\nkey_\w+ +Server +live_sk_….{4} +org:admin .* revoked\n$/,
    )
    expect(endpoints.out).toMatch(
      /\nwhe_\w+ +https:\/\/93\.184\.215\.14\/hooks +all +s_order_paid s_store_created +good /,
    )
    expect(keys.out + endpoints.out).not.toContain(key)
    expect(await runCommand(['webhooks', 'deliveries'], env)).toMatchObject({ out: 'There are no such deliveries.\n' })
    const secret = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc'
    const merchant =
      '--merchant-id M1 --mcc 5411 --merchant-name Canvas --merchant-country US --acquirer-bin visa=400000'
    const processor = await answer(
      { ...env, TILLWRIGHT_PROCESSOR_SECRET: secret },
      ...`processors add --driver stripe --name Stripe --currency USD --brand visa --brand amex ${merchant}`.split(' '),
    )
    expect(processor).toMatchObject({
      driver: 'stripe',
      currencies: ['USD'],
      brands: ['visa', 'amex'],
      hasWebhookSecret: false,
      archivedAt: null,
    })
    expect((await runCommand(['processors', 'get', processor.id], env)).out).toMatch(/^webhook secret +missing$/m)
    const signing = { ...env, TILLWRIGHT_PROCESSOR_SECRET: `whsec_${'x'.repeat(32)}` }
    const signed = await answer(signing, 'processors', 'set-webhook-secret', processor.id)
    expect(signed).toMatchObject({ hasWebhookSecret: true })
    expect(await answer(env, 'processors', 'archive', processor.id)).toMatchObject({ archivedAt: expect.any(String) })
    const processors = await runCommand(['processors', 'list', '--archived', 'true'], env)
    expect(processors.out).toMatch(
      /^ID +NAME .*\nprocessor_\w+ +Stripe +stripe +visa amex in USD +Canvas +set +archived +\S+\n$/,
    )
    expect(processors.out).not.toContain(secret)
  })
})

const SPAN = ['--from', '2030-01-31', '--to', '2030-02-01T12:00+01:00']

test('an error is one line with the option and the fix, and usage errors have their own exit code', async () => {
  const env = await emptyProduction('sqlite')
  const before = await ended(env, 'keys', 'list')
  expect([before.code, before.out]).toEqual([1, ''])
  expect(before.err).toMatch(/^error There is no database .*accounts create --name.*\n$/)
  await answer(env, 'accounts', 'create', '--name', 'My shop')
  const mistakes: readonly (readonly [string, string])[] = [
    ['accounts create', "required option '--name <name>' not specified"],
    ['accounts create --name x --burst 5', '--rate-per-minute and --burst go together'],
    ['keys create --role org:owner', "'--role <role>' argument 'org:owner' is invalid. It must be one of: org:admin"],
    ['keys create --store store_1', 'add --publishable'],
    ['webhooks add https://169.254.169.254/', 'url: The host has an address that is not public.'],
    ['webhooks add https://93.184.215.14/ --store store_1', "has no store 'store_1'; name one of its own"],
    ['processors add --name x', "required option '--driver <driver>' not specified"],
    ['processors add --name x --driver simulator', '--driver: the simulator moves no money'],
    ['processors add --name x --driver stripe', "Stripe's secret key is missing"],
    ['processors add --name x --driver stripe --mcc 5411', '--merchant-id: is missing'],
    ['processors add --name x --driver stripe --brand x', "'--brand <network>' argument 'x' is invalid"],
    ['payments ledger pay_1', "has no payment 'pay_1'"],
    ['payments show pay_1 --account acc_1', "--account: there is no account 'acc_1'"],
    ['processors archive processor_1', '"tillwright processors list" shows'],
    ['webhooks enable whe_1', '"tillwright webhooks list" shows'],
    ['webhooks deliveries --state lost', 'Allowed choices are pending, delivered, failed.'],
    ['webhooks deliveries --limit 101', '--limit: The limit must be a whole number from 1 to 100.'],
    ['webhooks deliveries --after 7', '--after: The cursor must be the nextCursor of a page'],
    ['webhooks replay evt_1', '"tillwright webhooks deliveries" shows'],
    ['webhooks replay evt_1 --endpoint whe_1', "--endpoint: there is no endpoint 'whe_1'"],
    ['webhooks replay evt_1 --failed', 'leave them out, or leave out the event'],
    ['webhooks replay', '--from: pass the start'],
    ['webhooks replay --from 2030-01-31', '--to: pass the end'],
    [['webhooks replay', ...SPAN].join(' '), '--endpoint: pass the endpoint'],
    ['webhooks replay --from 2030-02-30', 'It must be a time with its offset, like 2030-01-31T12:00:00Z'],
    ['webhooks replay --from 2030-01-31 --to 2030-01-31 --endpoint whe_1', '--to: must be later than --from'],
    [['webhooks replay', ...SPAN, '--endpoint whe_1'].join(' '), "--endpoint: there is no endpoint 'whe_1'"],
    [['webhooks replay', ...SPAN, '--endpoint whe_1 --after 7'].join(' '), '--after: must be what the interrupted'],
    ['payments explain pay_1', "has no payment 'pay_1'"],
    ['flows replay', "required option '--flow <id>' not specified"],
    ['flows replay --flow flow_1', "has no live payment flow 'flow_1'"],
    ['flows replay --flow flow_1 --payments 100001', '--payments: must be 1 to 100000'],
    ['flows replay --flow flow_1 --since yesterday', 'It must be a time with its offset'],
    [
      ['webhooks replay', ...SPAN, '--endpoint whe_1 --account acc_1'].join(' '),
      '--account: the endpoint determines the account',
    ],
  ]
  for (const [command, message] of mistakes) {
    const { code, out, err } = await runCommand(command.split(' '), env)
    const [firstLine = '', ...others] = err.trim().split('\n')
    const isUsage = firstLine.startsWith('error: ')
    expect([code, out]).toEqual([isUsage ? 2 : 1, ''])
    expect(firstLine).toContain(message)
    expect(others).toEqual(isUsage ? ['(see --help)'] : [])
  }
})

test('a failed webhook is found, resent and reported while the platform is running', async () => {
  const receiver = await startReceiver()
  const platform = await tillwright(['start'])
  await platform.ready()
  const { apiUrl, apiKey, storeId } = await platform.local()
  const env = { TILLWRIGHT_HOME: platform.folder }
  const wanted = ['--store', storeId, '--event', 's_product_created']
  const endpoint = await answer(env, 'webhooks', 'add', receiver.url, ...wanted)
  await createProduct(`${apiUrl}/api/public/v1/products/create`, { apiKey, storeId })
  const failed = ['webhooks', 'deliveries', '--endpoint', endpoint.id, '--state', 'failed']
  await expect
    .poll(async () => (await answer(env, ...failed)).data, { timeout: 60_000 })
    .toMatchObject([
      { eventType: 's_product_created', attempts: 1, lastStatus: 410, lastResponse: 'moved', tries: [{ status: 410 }] },
    ])
  const table = (await runCommand(failed, env)).out
  const [eventId = ''] = /evt_\w+/.exec(table) ?? []
  expect(table).toMatch(/\nevt_\w+ +s_product_created +whe_\w+ +failed +1 +410 +-\n$/)
  const list = await runCommand(['webhooks', 'list'], env)
  expect(list.out).toMatch(new RegExp(`${endpoint.id} .* ${storeId} +s_product_created +disabled `))
  const unwanted = await runCommand(['webhooks', 'replay', eventId, '--endpoint', endpoint.id], env)
  expect([unwanted.code, unwanted.err]).toEqual([1, expect.stringContaining('enable it')])

  expect(await answer(env, 'webhooks', 'enable', endpoint.id)).toMatchObject({ enabled: true })
  const again = await answer(env, 'webhooks', 'replay', eventId, '--endpoint', endpoint.id)
  expect(again).toMatchObject({ eventId, endpointIds: [endpoint.id] })
  await expect.poll(() => receiver.ids, { timeout: 60_000 }).toEqual([eventId, eventId])
  const span = ['webhooks', 'replay', '--from', '2020-01-01', '--to', '9999-01-01', '--endpoint', endpoint.id]
  const all = await runCommand(span, env)
  const [, count] = /^(\d+) resent\.\n$/.exec(all.out) ?? [] // including the products created before
  // The last one that was looked at, whether the endpoint takes it or not.
  const [progress, after = ''] =
    / resent; if this is interrupted, continue with --after (evt_\w+)\n$/.exec(all.err) ?? []
  expect([all.code, withoutPlatform(all.err)]).toEqual([0, count + String(progress)])
  await expect.poll(() => receiver.ids, { timeout: 60_000 }).toHaveLength(2 + Number(count))
  expect(receiver.ids.slice(2)).toContain(eventId)
  expect(await answer(env, ...span, '--after', after)).toEqual({ replayed: 0, after: null })
  expect(await answer(env, ...span, '--failed')).toEqual({ replayed: 0, after: null })
  platform.child.kill('SIGTERM')
  expect(await platform.ended).toBe(0)
})

test('every command works, over HTTP and on the database, while the platform is under load, and no request fails or is lost', async () => {
  const platform = await tillwright(['start'])
  await platform.ready()
  const { apiUrl, apiKey, storeId } = await platform.local()
  const env = { TILLWRIGHT_HOME: platform.folder }
  const load = startLoad(`${apiUrl}/api/public/v1/products/create`, { apiKey, storeId })

  const statusOf = async (key: string) =>
    (await fetch(`${apiUrl}/api/public/v1/auth/test`, { headers: { Authorization: `Bearer ${key}` } })).status
  for (const way of [[], ['--database']]) {
    const { id, key } = await answer(env, 'keys', 'create', ...way)
    expect(await statusOf(key)).toBe(200)
    await answer(env, 'keys', 'revoke', id, ...way)
    await expect.poll(() => statusOf(key), { timeout: 3_000, interval: 50 }).toBe(401)
  }
  await answer(env, 'webhooks', 'add', 'http://localhost:9/hooks', '--database')

  // Where other programs have the machine, the commands may be over sooner.
  await expect.poll(load.answered).toBeGreaterThan(100)
  const statuses = await load.stop()
  expect(statuses.filter((status) => status !== 201)).toEqual([])
  platform.child.kill('SIGTERM')
  expect(await platform.ended).toBe(0)
  const log = (await readFile(join(platform.folder, 'platform.log'), 'utf8')).trim().split('\n')
  expect(log.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
  const file = new DatabaseSync(join(platform.folder, 'tillwright.db'))
  onTestFinished(() => file.close())
  const count = file.prepare("SELECT count(*) AS n FROM products WHERE resource LIKE '%Under load%'").get()
  expect(count?.['n']).toBe(statuses.length)
})

/** A server that is down for the first webhook and accepts the following ones. */
async function startReceiver(): Promise<{ url: string; ids: string[] }> {
  const ids: string[] = []
  const server = createServer((request, response) => {
    const gone = ids.push(String(request.headers['webhook-id'])) === 1
    request.resume()
    response.writeHead(gone ? 410 : 204).end(gone ? 'moved' : undefined)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A TCP server always has a port.')
  return { url: `http://127.0.0.1:${address.port}/hooks`, ids }
}

interface OpenShop {
  apiKey: string
  storeId: string
}

/** Creates a product. @returns The status of the response. */
async function createProduct(url: string, { apiKey, storeId }: OpenShop): Promise<number> {
  const prices = [{ currencyOptions: { USD: { amount: 1_999 } } }]
  const body = JSON.stringify({ storeId, name: 'Under load', variants: [{ name: 'Only', prices }] })
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.text()
  return response.status
}

/** Clients that keep creating products until they are stopped. */
function startLoad(url: string, shop: OpenShop): { answered: () => number; stop: () => Promise<number[]> } {
  const statuses: number[] = []
  let stopped = false
  const clients = Array.from({ length: 4 }, async () => {
    while (!stopped) statuses.push(await createProduct(url, shop))
  })
  return {
    answered: () => statuses.length,
    stop: async () => {
      stopped = true
      await Promise.all(clients)
      return statuses
    },
  }
}
