import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { contract, type Operation } from '@tillwright/contract'
import { groups } from '../groups.ts'
import { kebab } from '../option-values.ts'
import { runCommand } from '../testing/run-command.ts'
import { type RunningLocal, startLocal } from '../testing/start-local.ts'

let local: RunningLocal
let config: string
beforeAll(async () => {
  local = await startLocal()
  config = await mkdtemp(join(tmpdir(), 'tillwright-'))
  return async () => {
    await local.stop()
    await rm(config, { recursive: true, force: true })
  }
})

const run = (...args: string[]) => runCommand(args, { TILLWRIGHT_HOME: local.home, XDG_CONFIG_HOME: config })
const json = async (...args: string[]) => {
  const { code, out, err } = await run(...args, '--json')
  expect([code, err]).toEqual([0, expect.any(String)])
  return JSON.parse(out)
}

test('what a merchant has is made, found, read and paid back by commands of the same words as the API', async () => {
  const { data: stores } = await json('stores', 'list')
  const storeId = stores[0].id
  const card = [
    '--set',
    'serviceToken=tok_visa',
    '--set',
    `storeId=${storeId}`,
    '--set',
    'customerData.email=ada@example.com',
  ]
  const { paymentInstrument } = await json('payment-instruments', 'create-from-token', ...card)
  const charge = ['--set', `storeId=${storeId}`, '--set', `paymentInstrumentId=${paymentInstrument.id}`]
  const payment = await json('payments', 'create', ...charge, '--set', 'amount=1999', '--set', 'currency=USD')
  expect(payment.status).toBe('succeeded')

  const found = await run('payments', 'list', '--q', 'ada@example.com', '--status', 'succeeded')
  expect(found.out).toMatch(/^ID +STATUS +AMOUNT +CURRENCY +CREATEDAT\n/)
  expect(found.out).toMatch(new RegExp(`^${payment.id} +succeeded +19\\.99 +USD`, 'm'))
  expect((await json('customers', 'list', '--q', 'ada')).data).toHaveLength(1)
  expect((await run('orders', 'get', payment.orderId)).out).toMatch(/^status +paid$/m)

  const refunded = await json('payments', 'refund', payment.id, '--set', 'amount=500')
  expect([refunded.status, refunded.refundedAmount]).toEqual(['partially_refunded', 500])
  expect((await run('refunds', 'list')).out).toMatch(
    new RegExp(`^re_\\w+ +succeeded +5\\.00 +USD +${payment.id} `, 'm'),
  )
  expect((await run('payment-instruments', 'list')).out).toMatch(
    new RegExp(`^${paymentInstrument.id} +visa 4242 `, 'm'),
  )
})

test('what a merchant has is changed and archived, on the revision that is named or on the one that is there', async () => {
  const { data: products } = await json('products', 'list', '--q', 'tote')
  const [{ id, revision }] = products
  const renamed = await json('products', 'update', id, '--set', 'name=Linen tote')
  expect([renamed.name, renamed.revision]).toEqual(['Linen tote', revision + 1])
  const stale = await run('products', 'update', id, '--set', 'name=Tote', '--set', `revision=${revision}`)
  expect([stale.code, stale.err]).toEqual([5, expect.stringContaining('revision')])
  const added = ['--set', 'name=Red', '--set', 'prices=[{"currencyOptions":{"USD":{"amount":2500}}}]']
  expect((await json('variants', 'create', id, ...added)).revision).toBe(revision + 2)
  expect((await json('products', 'archive', id)).archived).toBe(true)
  expect((await json('products', 'list', '--q', 'tote')).data).toEqual([])
  expect((await json('products', 'unarchive', id)).archived).toBe(false)
})

test('a list is printed as CSV, and a refused filter is an error of the command', async () => {
  const { code, out } = await run('products', 'list', '--csv')
  expect(code).toBe(0)
  expect(out).toMatch(/^id,storeId,name,/)
  expect(out.split('\r\n').length).toBeGreaterThan(2)
  const refused = await run('payments', 'list', '--csv', '--status', 'paid')
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('status')])
})

test.for(['products', 'keys'])('a list of %s has one format: CSV or JSON', async (group) => {
  const { code, out, err } = await run(group, 'list', '--csv', '--json')
  expect([code, out, err]).toEqual([2, '', expect.stringContaining("'--csv' cannot be used with option '--json'")])
})

test('a page says how the next one is reached', async () => {
  const { out } = await run('products', 'list', '--limit', '1')
  const [, cursor = ''] = /--after (\S+)/.exec(out) ?? []
  expect((await run('products', 'list', '--limit', '1', '--after', cursor)).out).not.toContain(out.split('\n')[1])
})

test('a refusal of a file has the exit code and the words of any other, and names each field once', async () => {
  const csv = await run('payments', 'list', '--limit', '1000', '--status', 'gone', '--csv')
  const list = await run('payments', 'list', '--limit', '1000', '--status', 'gone')
  const lines = ({ err }: { err: string }) => err.split('\n').slice(1, -2)
  expect([csv.code, lines(csv)]).toEqual([list.code, lines(list)])
  expect(lines(list)).toEqual([
    expect.stringMatching(/^error (limit|status) must be /),
    expect.stringMatching(/^ {2}(limit|status): must be /),
  ])
  const { code } = await runCommand(['customers', 'list', '--csv'], {
    TILLWRIGHT_HOME: local.home,
    XDG_CONFIG_HOME: config,
    TILLWRIGHT_API_KEY: (await json('keys', 'create', '--scope', 'stores:read')).key,
  })
  expect(code).toBe(4)
})

test('an answer that is a list, or has one, is shown with its entries', async () => {
  const { data: stores } = await json('stores', 'list')
  const [flow] = await json('payment-flows', 'list')
  expect((await run('payment-flows', 'list')).out).toMatch(new RegExp(`^${flow.id} `, 'm'))
  expect((await run('processors', 'list-drivers')).out).toMatch(/^stripe +Stripe$/m)
  const url = 'http://localhost:9/tax'
  await json('hooks', 'set', stores[0].id, 'tax', '--set', `url=${url}`, '--set', 'onFailure=refuse')
  expect((await run('hooks', 'list', stores[0].id)).out).toMatch(/^hook_\w+ +tax +http:\/\/localhost:9\/tax /m)
})

test('an answer whose parts are objects is shown with all of their values', async () => {
  const { data: stores } = await json('stores', 'list')
  const token = ['--set', 'serviceToken=tok_visa', '--set', `storeId=${stores[0].id}`]
  const { out } = await run('payment-instruments', 'create-from-token', ...token)
  expect(out).toMatch(/^paymentInstrument\.id +pi_\w+$/m)
  expect(out).toMatch(/^paymentInstrument\.card\.last4 +4242$/m)
})

test('the help of a command lists the fields that its --set takes, and says which are required', async () => {
  const { out } = await run('payments', 'create', '--help')
  expect(out).toMatch(/^ {2}storeId \* +The store that receives the payment\.$/m)
  expect(out).toMatch(/^ {2}captureMethod +`automatic` captures/m)
  expect(out).toMatch(/^ {2}lines\[0\]\.variantId \* +A variant of the store that is on sale\.$/m)
})

test('a command that is repeated under its idempotency key charges once', async () => {
  const { data: stores } = await json('stores', 'list')
  const token = ['--set', 'serviceToken=tok_visa', '--set', `storeId=${stores[0].id}`]
  const { paymentInstrument } = await json('payment-instruments', 'create-from-token', ...token)
  const charge = ['--set', `storeId=${stores[0].id}`, '--set', `paymentInstrumentId=${paymentInstrument.id}`]
  const order = ['--set', 'amount=700', '--set', 'currency=USD', '--set', 'metadata.order=0012']
  const pay = () => json('payments', 'create', ...charge, ...order, '--idempotency-key', 'order-0012')
  const payment = await pay()
  expect((await pay()).id).toBe(payment.id)
  expect((await json('orders', 'get', payment.orderId)).metadata).toEqual({ order: '0012' })
  expect((await run('payments', 'get', payment.id)).out).toMatch(/^cap_\w+ +succeeded +7\.00 +USD /m)
})

test('a charge that is declined is an error that names the payment, to look at with `payments explain`', async () => {
  const { data: stores } = await json('stores', 'list')
  const token = ['--set', 'serviceToken=tok_declined_insufficient_funds', '--set', `storeId=${stores[0].id}`]
  const { paymentInstrument } = await json('payment-instruments', 'create-from-token', ...token)
  const charge = ['--set', `storeId=${stores[0].id}`, '--set', `paymentInstrumentId=${paymentInstrument.id}`]
  const { code, out, err } = await run(
    'payments',
    'create',
    ...charge,
    '--set',
    'amount=700',
    '--set',
    'currency=USD',
    '--json',
  )
  const { error } = JSON.parse(out)
  expect([code, error.declineCode]).toEqual([1, 'insufficient_funds'])
  expect(err).toContain(`\n  payment ${error.paymentId}\n`)
  expect((await json('payments', 'get', error.paymentId)).status).toBe('declined')
})

/** Groups of operations whose commands have another name, or that are no resource of a list. */
const exceptions: Readonly<Record<string, string>> = {
  apiKeys: 'keys',
  webhookEndpoints: 'webhooks',
  eventLog: 'events',
  plugins: 'deployments',
  pluginManagement: 'deployments',
}

test('what a key can list has commands', () => {
  const names = groups.map(({ name }) => name)
  const listed = Object.entries<Record<string, Operation>>(contract).filter(([, { list }]) =>
    ['key', 'admin'].includes(list?.audience ?? ''),
  )
  expect(listed.length).toBeGreaterThan(20)
  for (const [group] of listed) expect(names).toContain(exceptions[group] ?? kebab(group))
})

test('what is made of a word of its own elsewhere is made by create, too', async () => {
  const endpoint = await json('webhooks', 'create', 'http://localhost:9/events')
  expect(endpoint).toMatchObject({ url: 'http://localhost:9/events', secret: expect.stringMatching(/^whsec_/) })
  const named = ['--name', 'East', '--driver', 'simulator']
  expect(await json('processors', 'create', ...named)).toMatchObject({ name: 'East', driver: 'simulator' })
})

test('members, the audit log and refund limits are read on the command line, too', async () => {
  await json('members', 'invite', '--email', 'ada@example.com')
  expect((await run('members', 'list')).out).toMatch(/^mem_\w+ +invited +ada@example\.com +owner /m)
  const [{ id }] = (await json('members', 'list')).data
  expect((await json('members', 'update', id, '--set', 'role=support')).role).toBe('support')
  expect((await run('audit', 'list', '--resource-id', id)).out).toMatch(
    new RegExp(`^aud_\\w+ +200 +members\\.update +Administration +${id} `, 'm'),
  )
  expect((await run('refund-limits', 'get')).out).toBe('None.\n')
})

test('the state of the platform is read on the command line, too', async () => {
  const { processes, alerts } = await json('platform', 'get')
  expect([processes.length, alerts]).toEqual([1, []])
  expect((await run('platform', 'get')).out).toMatch(/^engine +sqlite$/m)
})
