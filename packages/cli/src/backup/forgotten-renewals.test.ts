import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@tillwright/platform'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabaseBeside, placeOf } from '../../../platform/src/storage/index.ts'
import { runCommand } from '../testing/run-command.ts'
import { type RunningLocal, startAt, startLocal } from '../testing/start-local.ts'

const HOUR_MS = 3_600_000

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tillwright-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function call({ file }: RunningLocal, path: string, body?: object) {
  const headers = { authorization: `Bearer ${file.adminApiKey}`, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const answer = await fetch(file.apiUrl + path, { headers, ...sent })
  expect([path, answer.status, answer.ok ? '' : await answer.clone().text()]).toEqual([path, answer.status, ''])
  return answer.json()
}

async function subscribe(local: RunningLocal): Promise<void> {
  const { storeId } = local.file
  const prices = [{ currencyOptions: { USD: { amount: 1_500 } }, recurring: true, interval: 'month' }]
  const product = { storeId, name: 'Coffee club', variants: [{ name: 'Monthly', prices }] }
  const { productId } = await call(local, '/api/public/v1/products/create', product)
  const { variants } = await call(local, `/api/public/v1/products/${productId}`)
  const customerData = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }
  const token = { serviceToken: 'tok_visa', storeId, customerData }
  const { paymentInstrument } = await call(local, '/api/public/v1/payment-instruments/create-from-token', token)
  const order = { lines: [{ variantId: variants[0].id }], currency: 'USD', paymentInstrumentId: paymentInstrument.id }
  await call(local, '/api/payments/v1/payments', { storeId, ...order })
}

test('a renewal that was due when the database was lost is not charged again for a day after a restore', async () => {
  const local = await startLocal()
  onTestFinished(() => local.stop())
  await subscribe(local)
  const database = await openDatabaseBeside(placeOf(readConfig(local.settings)))
  // Due, and by its lease at work for an hour.
  const due = {
    sql: 'UPDATE subscriptions SET due_at = ?, lease_until = ?',
    params: [Date.now(), Date.now() + HOUR_MS],
  }
  await database.write([due]).finally(() => database.close())
  const to = await newFolder()
  expect(await runCommand(['backup', '--to', to], local.settings)).toMatchObject({ code: 0 })
  const home = await newFolder()
  for (const key of ['vault.key', 'secrets.key', 'seed.json']) await copyFile(join(local.home, key), join(home, key))
  const restored = await runCommand(['restore', '--from', to], { TILLWRIGHT_HOME: home })
  expect(restored.out).toMatch(/due renewals +1, none of them charged before .*may have been charged since/s)

  const back = await startAt(home, null)
  onTestFinished(() => back.stop())
  const payments = async () => (await call(back, '/api/payments/v1/payments')).data.length
  const workedAt = async () => {
    const { at, queues } = await call(back, '/api/platform/v1/state')
    const { workedAt: last } = queues.find(({ queue }: { queue: string }) => queue === 'renewals')
    return [at, last].map((time) => Date.parse(time ?? 0))
  }
  const begunMs = Date.now()
  const until = (hours: number) =>
    call(back, '/api/accounts/v1/test-clock/advance', { to: new Date(begunMs + hours * HOUR_MS).toISOString() })
  await until(23)
  const [now = 0] = await workedAt()
  await expect.poll(async () => (await workedAt())[1], { timeout: 20_000 }).toBeGreaterThan(now)
  expect(await payments()).toBe(1)
  await until(25)
  await expect.poll(payments, { timeout: 20_000 }).toBe(2)
})
