import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
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
})

test('a list is printed as CSV, and a refused filter is an error of the command', async () => {
  const { code, out } = await run('products', 'list', '--csv')
  expect(code).toBe(0)
  expect(out).toMatch(/^id,storeId,name,/)
  expect(out.split('\r\n').length).toBeGreaterThan(2)
  const refused = await run('payments', 'list', '--csv', '--status', 'paid')
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('status')])
})

test('a page says how the next one is reached', async () => {
  const { out } = await run('products', 'list', '--limit', '1')
  const [, cursor = ''] = /--after (\S+)/.exec(out) ?? []
  expect((await run('products', 'list', '--limit', '1', '--after', cursor)).out).not.toContain(out.split('\n')[1])
})
