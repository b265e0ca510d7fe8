import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openOperator, readConfig } from '@tillwright/platform'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { isOverHttp } from './operate.ts'
import { type Ran, runCommand } from './testing/run-command.ts'
import { type RunningLocal, startLocal } from './testing/start-local.ts'

let local: RunningLocal
beforeAll(async () => {
  local = await startLocal()
  return () => local.stop()
})

const MERCHANT = '--merchant-id M1 --mcc 5411 --merchant-name Canvas --merchant-country US --acquirer-bin visa=400000'
const AWAY = ['--api-url', 'http://127.0.0.1:9']
const SECRET = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc'
const run = (args: readonly string[]) => runCommand(args, { ...local.settings, TILLWRIGHT_PROCESSOR_SECRET: SECRET })

/** The same command over HTTP and on the database. */
async function both(...args: string[]): Promise<{ http: Ran; database: Ran }> {
  return { http: await run(args), database: await run([...args, '--database']) }
}

/** The JSON answers of a command that must succeed both ways. */
async function answers(...args: string[]) {
  const { http, database } = await both(...args, '--json')
  expect([http.code, database.code, database.err], http.err).toEqual([0, 0, ''])
  expect(http.err).toBe(`local ${local.file.apiUrl} ${local.file.accountId}\n`)
  return { http: JSON.parse(http.out), database: JSON.parse(database.out) }
}

/**
 * Replaces generated values, such as ids and times, with their types, so that two objects can be compared. Over HTTP a key
 * makes keys, on the database the operator.
 */
function comparable(answer: object): object {
  const made = /^(id|key|secret|shown|replacedBy|\w+At)$/
  return Object.fromEntries(
    Object.entries({ ...answer, createdBy: null }).map(([name, value]) => [
      name,
      made.test(name) && value !== null ? typeof value : value,
    ]),
  )
}

test.for<[what: string, make: string[], others: string[]]>([
  ['keys', ['keys', 'create', '--name', 'Server', '--scope', 'payments:write'], ['get', 'roll', 'revoke']],
  ['keys with org:admin', ['keys', 'create', '--role', 'org:admin', '--expires', '90d'], ['get', 'revoke']],
  [
    'endpoints',
    ['webhooks', 'add', 'http://localhost:9/hooks', '--event', 's_order_paid'],
    ['get', 'enable', 'rotate', 'remove'],
  ],
  [
    'processors',
    `processors add --driver stripe --name Stripe --currency USD --brand visa --api-url http://localhost:9 ${MERCHANT}`.split(
      ' ',
    ),
    ['get', 'archive'],
  ],
])('%s are made, shown and ended with the same output over HTTP and on the database', async ([, make, others]) => {
  const [group = ''] = make
  const made = await answers(...make)
  expect(comparable(made.http)).toEqual(comparable(made.database))
  for (const name of others) {
    const over = await run([group, name, made.http.id, '--json'])
    const on = await run([group, name, made.database.id, '--json', '--database'])
    expect([over.code, on.code], over.err + on.err).toEqual([0, 0])
    expect(comparable(JSON.parse(over.out)), name).toEqual(comparable(JSON.parse(on.out)))
  }
  const listed = await both(group, 'list')
  expect(listed.http.out).toBe(listed.database.out)
  expect(listed.http.out).not.toContain(SECRET)
  const lists = await answers(group, 'list')
  expect(lists.http).toEqual(lists.database)
})

test('what was rolled says by what, and until when the former secret of an endpoint signs', async () => {
  const { http: key } = await answers('keys', 'create', '--name', 'Server')
  const { id: successor } = JSON.parse((await run(['keys', 'roll', key.id, '--json'])).out)
  const said = `good, replaced by ${successor}`
  expect((await run(['keys', 'get', key.id])).out).toContain(said)
  expect((await run(['keys', 'list'])).out.split('\n').find((line) => line.startsWith(key.id))).toContain(said)
  const { http: endpoint } = await answers('webhooks', 'add', 'http://localhost:9/hooks')
  expect((await run(['webhooks', 'rotate', endpoint.id])).out).toMatch(
    /The former secret signs as well for 24 hours\.\n$/,
  )
  const atOnce = await both('webhooks', 'rotate', endpoint.id, '--overlap', '0')
  for (const { out } of Object.values(atOnce)) expect(out).toMatch(/The former secret signs no more\.\n$/)
})

test('a signing secret is set and events are resent with the same output', async () => {
  const { http: processor } = await answers('processors', 'add', '--driver', 'stripe', '--name', 'Another')
  const secret = await both('processors', 'set-webhook-secret', processor.id)
  expect([secret.http.code, secret.database.code]).toEqual([1, 1])
  expect(secret.http.err).toContain(secret.database.err)

  const { http: endpoint } = await answers('webhooks', 'add', 'http://localhost:9/hooks')
  const triggered = await run(['events', 'trigger', 's_order_paid', '--json'])
  const { id: eventId } = JSON.parse(triggered.out)
  const drafts = await run(['webhooks', 'update', endpoint.id, '--set', 'drafts=true'])
  expect([drafts.code, drafts.out]).toEqual([0, expect.stringMatching(/^drafts +true$/m)])
  const one = await answers('webhooks', 'replay', eventId, '--endpoint', endpoint.id)
  expect(one.http).toEqual(one.database)
  const span = ['webhooks', 'replay', '--from', '2020-01-01', '--to', '9999-01-01', '--endpoint', endpoint.id]
  const period = await both(...span)
  expect([period.http.code, period.http.out]).toEqual([0, period.database.out])
  expect(period.http.err.endsWith(period.database.err)).toBe(true)
  const pages = await answers('webhooks', 'deliveries', '--endpoint', endpoint.id, '--limit', '1')
  expect(pages.http.nextCursor).toBe(pages.database.nextCursor)
})

test.for<[command: string, message: string]>([
  ['keys revoke key_none', '"tillwright keys list" shows'],
  ['keys create --expires 2001-01-01', '--expires: '],
  ['keys create --publishable --store store_none --origin http://localhost:1', 'store_none'],
  ['keys create --publishable --store STORE --origin ftp://shop', '--origin: '],
  ['keys roll KEY --overlap 169', '--overlap: '],
  ['webhooks rotate ENDPOINT --overlap 169', '--overlap: '],
  ['webhooks add ftp://shop.example/', 'url'],
  ['webhooks enable whe_1', '"tillwright webhooks list" shows'],
  ['webhooks deliveries --limit 101', '--limit: '],
  ['webhooks deliveries --after 7', '--after: '],
  ['webhooks replay evt_1', '"tillwright webhooks deliveries" shows'],
  ['webhooks replay --from 2030-01-31 --to 2030-01-31 --endpoint ENDPOINT', '--to'],
  ['processors archive processor_1', '"tillwright processors list" shows'],
  ['processors add --name x --driver stripe --currency usd', '--currency: '],
  ['processors add --name x --driver stripe --api-url ftp://x', '--api-url: '],
  ['processors add --name x --driver simulator', 'secret; leave it out'],
  ['accounts get acc_none', 'acc_none'],
])('%s fails with the same exit code and names the same: %s', async ([command, message]) => {
  const { http: key } = command.includes('KEY') ? await answers('keys', 'create') : { http: { id: '' } }
  const add = ['webhooks', 'add', 'http://localhost:9/hooks']
  const { http: endpoint } = command.includes('ENDPOINT') ? await answers(...add) : { http: { id: '' } }
  const words = command
    .replace('STORE', local.file.storeId)
    .replace('KEY', key.id)
    .replace('ENDPOINT', endpoint.id)
    .split(' ')
  const { http, database } = await both(...words)
  expect([http.code, http.out], http.err).toEqual([database.code, ''])
  for (const { err } of [http, database]) expect(err.split('\n').at(-2)).toContain(message)
})

test('over HTTP a command is a request of its key: with its rights, and by its name in the audit log', async () => {
  const { http } = await answers('keys', 'create', '--name', 'Of whom?')
  const operator = await openOperator(readConfig({ ...local.settings }))
  onTestFinished(() => operator.close())
  const { key } = await operator.keys.createSecret({ roles: ['org:read'], scopes: [] })
  const refused = await runCommand(['keys', 'revoke', http.id], { ...local.settings, TILLWRIGHT_API_KEY: key })
  expect([refused.code, refused.out]).toEqual([4, ''])
  const entries = await fetch(`${local.file.apiUrl}/api/audit/v1/entries?resourceId=${http.id}`, {
    headers: { Authorization: `Bearer ${local.file.adminApiKey}` },
  })
  const { data } = Object(await entries.json())
  expect(data).toMatchObject([{ operation: 'apiKeys.create', actor: { kind: 'key' } }])
})

test('the link of an invitation leads to the platform that runs, whatever its port', async () => {
  const { link } = JSON.parse((await run(['members', 'invite', '--email', 'ada@example.com', '--json'])).out)
  expect(link).toMatch(new RegExp(`^${local.file.apiUrl}/console/accept#inv_`))
})

test.for<[list: string, filters: string[], kept: (entry: Record<string, unknown>) => boolean]>([
  ['keys', ['--kind', 'publishable'], ({ kind }) => kind === 'publishable'],
  ['keys', ['--created-before', '2020-01-01T00:00:00Z'], () => false],
  ['webhooks', ['--store-id', 'STORE'], ({ storeId }) => storeId === local.file.storeId],
  ['webhooks', ['--created-from', '2020-01-01T00:00:00+01:00'], () => true],
  ['processors', ['--driver', 'stripe'], ({ driver }) => driver === 'stripe'],
  ['processors', ['--archived', 'true'], ({ archivedAt }) => archivedAt !== null],
  ['processors', ['--archived', 'true', '--driver', 'simulator'], () => false],
])('%s list has the filters of its operation, with the same entries both ways: %j', async ([group, filters, kept]) => {
  const stripe = ['processors', 'add', '--driver', 'stripe', '--name', 'Filtered']
  await run(stripe)
  await run(['processors', 'archive', (await answers(...stripe)).http.id])
  const add = ['webhooks', 'add', 'http://localhost:9/hooks']
  await run(add)
  await run([...add, '--store', local.file.storeId])
  const list = filters.includes('--archived') ? [group, 'list', '--archived', 'true'] : [group, 'list']
  const { http: all } = await answers(...list)
  const words = filters.map((word) => word.replace('STORE', local.file.storeId))
  const { http, database } = await answers(group, 'list', ...words)
  expect(http).toEqual(database)
  expect(http).toEqual(all.filter(kept))
  const csv = await run([group, 'list', '--csv', ...words])
  expect(csv.out.split('\r\n').filter((line) => line !== '')).toHaveLength(http.length + 1)
})

test('a list in which nothing fits the filters says so, and not that there is nothing yet', async () => {
  const { http, database } = await both('keys', 'list', '--created-before', '2020-01-01T00:00:00Z')
  expect([http.out, database.out]).toEqual(['None.\n', 'None.\n'])
})

test('a filter that its operation refuses is refused before anything is asked', async () => {
  const { http, database } = await both('keys', 'list', '--kind', 'other')
  expect([http.code, database.code]).toEqual([2, 2])
  expect(http.err).toContain(`It must be one of "secret", "publishable".`)
  expect((await run(['webhooks', 'list', '--created-from', '2030-01-31'])).err).toContain('is a date without a time')
})

test('a list is printed as CSV by a running platform alone', async () => {
  const csv = await run(['keys', 'list', '--csv'])
  expect([csv.code, csv.out]).toEqual([0, expect.stringMatching(/^id,accountId,name,/)])
  expect((await run(['keys', 'list', '--csv', '--database'])).code).toBe(2)
})

test('a new secret of a processor is not taken from the command line', async () => {
  const { http } = await answers('processors', 'add', '--driver', 'stripe', '--name', 'Old')
  const refused = await run(['processors', 'update', http.id, '--set', `secret=${SECRET}`])
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--secret-from-stdin')])
  expect(refused.err).not.toContain(SECRET)
  const renamed = await run(['processors', 'update', http.id, '--set', 'name=New', '--json'])
  expect(JSON.parse(renamed.out)).toMatchObject({ id: http.id, name: 'New', driver: 'stripe' })
})

test('a processor that accepts its secret is told of in a line', async () => {
  const answer = JSON.stringify({ object: 'list', data: [], has_more: false, url: '/v1/payment_intents' })
  const stripe = createServer((_, response) => response.setHeader('Content-Type', 'application/json').end(answer))
  await once(stripe.listen(0, '127.0.0.1'), 'listening')
  // A server on TCP always has an address.
  const url = `http://127.0.0.1:${(stripe.address() as AddressInfo).port}`
  onTestFinished(() => void stripe.close())
  const added = await answers('processors', 'add', '--driver', 'stripe', '--name', 'Here', '--api-url', url)
  expect((await run(['processors', 'check', added.http.id])).out).toBe(`${added.http.id} accepts its secret.\n`)
})

test('a processor that gives no answer is told of, with what to do', async () => {
  const { http } = await answers('processors', 'add', '--driver', 'stripe', '--name', 'Away', ...AWAY)
  const { http: over, database: on } = await both('processors', 'check', http.id)
  expect([over.code, on.code]).toEqual([1, 1])
  expect(on.err).toContain(`${http.id} says nothing of its secret (StripeConnectionError)`)
  expect(over.err).toContain(on.err)
})

test('without a running platform, or with the settings of one, a command works on the database', async () => {
  const home = { TILLWRIGHT_HOME: local.home }
  expect(await isOverHttp({}, home)).toBe(true)
  expect(await isOverHttp({ target: 'production' }, {})).toBe(true)
  for (const setting of ['DATABASE_URL', 'TILLWRIGHT_VAULT_KEY']) {
    expect(await isOverHttp({}, { ...home, [setting]: 'x' })).toBe(false)
  }
  expect(await isOverHttp({}, { ...home, TILLWRIGHT_ENVIRONMENT: 'production' })).toBe(false)
  expect(await isOverHttp({ database: true }, home)).toBe(false)
  await expect(isOverHttp({ database: true, target: 'local' }, home)).rejects.toThrow('--database')

  const folder = await mkdtemp(join(tmpdir(), 'tillwright-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  expect(await isOverHttp({}, { TILLWRIGHT_HOME: folder })).toBe(false)
  const { pid } = spawnSync(process.execPath, ['--version'])
  await writeFile(join(folder, 'local.json'), JSON.stringify({ ...local.file, pid }), { mode: 0o600 })
  expect(await isOverHttp({}, { TILLWRIGHT_HOME: folder })).toBe(false)
})

test('a command names the account of its key or none, and what is the operator’s goes to the database', async () => {
  const { id } = JSON.parse((await run(['accounts', 'create', '--name', 'Another', '--json'])).out)
  const foreign = await run(['keys', 'list', '--account', id])
  expect([foreign.code, foreign.err.split('\n').at(-2)]).toEqual([1, expect.stringContaining('--database')])
  expect((await run(['keys', 'list', '--account', id, '--database'])).out).toContain('no keys yet')

  const renamed = await answers('accounts', 'update', local.file.accountId, '--name', 'Renamed')
  expect(renamed.http).toEqual(renamed.database)
  expect(renamed.http.name).toBe('Renamed')
  const shown = await both('accounts', 'get', local.file.accountId)
  expect(shown.http.out).toBe(shown.database.out)
  const plan = ['accounts', 'update', local.file.accountId, '--plan', 'premium']
  expect(await run(plan)).toMatchObject({ code: 0, err: '' })
  expect((await run([...plan, '--target', 'local'])).code).toBe(2)
})
