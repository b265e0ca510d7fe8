import { hash, randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../.ci/postgres-database.ts'
import { runCommand } from './run-command.ts'
import { type RunningLocal, startLocal } from './start-local.ts'

/** A folder that is removed when the test ends. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tillwright-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export async function post(local: RunningLocal, path: string, body: object) {
  const { apiUrl, adminApiKey } = local.file
  const headers = {
    'x-api-key': adminApiKey,
    authorization: `Bearer ${adminApiKey}`,
    'content-type': 'application/json',
  }
  const answer = await fetch(apiUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
  expect([path, answer.status, answer.ok ? '' : await answer.clone().text()]).toEqual([path, answer.status, ''])
  return answer.json()
}

export async function pay(local: RunningLocal): Promise<string> {
  const customerData = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }
  const { storeId } = local.file
  const card = await post(local, '/api/public/v1/payment-instruments/create-from-token', {
    serviceToken: 'tok_visa',
    storeId,
    customerData,
  })
  const paymentInstrumentId = card.paymentInstrument.id
  const payment = await post(local, '/api/payments/v1/payments', {
    storeId,
    paymentInstrumentId,
    amount: 500,
    currency: 'USD',
  })
  return payment.id
}

async function upload(local: RunningLocal): Promise<string> {
  const content = randomBytes(20_000)
  const sha256 = hash('sha256', content)
  const { apiUrl, adminApiKey } = local.file
  const headers = { authorization: `Bearer ${adminApiKey}`, 'content-type': 'application/octet-stream' }
  const answer = await fetch(`${apiUrl}/api/plugins/v1/assets/${sha256}`, { method: 'PUT', headers, body: content })
  expect(answer.status).toBe(200)
  return sha256
}

/** A platform with payments, a file of a plugin, and a backup of it that was taken while it ran. */
export async function backedUp(engine: 'sqlite' | 'postgres') {
  const local = await startLocal(engine)
  onTestFinished(() => local.stop())
  const payments = [await pay(local), await pay(local)]
  const sha256 = await upload(local)
  const to = await newFolder()
  const run = async (...args: string[]) => runCommand([...args, '--json'], local.settings)
  const backup = await run('backup', '--to', to)
  expect([backup.code, backup.err]).toEqual([0, ''])
  return { local, payments, sha256, to, run, report: JSON.parse(backup.out) }
}

/** The settings of an empty place with the keys of another. */
export async function emptyPlace(local: RunningLocal, engine: 'sqlite' | 'postgres') {
  const home = await newFolder()
  for (const key of ['vault.key', 'secrets.key', 'seed.json']) await copyFile(join(local.home, key), join(home, key))
  if (engine === 'sqlite') return { TILLWRIGHT_HOME: home }
  const server = inject('postgresUrl') ?? ''
  const url = await createDatabase(server)
  onTestFinished(() => dropDatabase(server, url))
  return { TILLWRIGHT_HOME: home, DATABASE_URL: url }
}

export const folderOf = (place: Record<string, string>) => place['TILLWRIGHT_HOME'] ?? ''
