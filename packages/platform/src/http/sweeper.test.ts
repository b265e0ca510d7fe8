import { contract } from '@tillwright/contract'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config.ts'
import { openEvents, testableEngines } from '../../test/events/open-events.ts'
import { sharedPlatform, startTestPlatform } from '../../test/test-platform.ts'
import { closedBlobs } from '../storage/blobs/index.ts'
import type { Database } from '../storage/database.ts'
import { startSweeper } from './sweeper.ts'

const platform = sharedPlatform()

test('what has expired is deleted within a minute of the clock, and nothing else', async () => {
  const { services, clock } = platform()
  const day = clock.now() + 86_400_000
  const keep = (key: string, expiresAt: number) => ({
    sql: `INSERT INTO idempotency_keys (account_id, idempotency_key, fingerprint, status, body, lease_until, expires_at) VALUES ('acc_1', ?, 'f', 200, '{}', 0, ?)`,
    params: [key, expiresAt],
  })
  const bucket = (subject: string, fullAtMs: number) => ({
    sql: 'INSERT INTO rate_buckets VALUES (?, ?)',
    params: [subject, fullAtMs * 1_000],
  })
  const session = (id: string, lastActivityAt: number) => ({
    sql: `INSERT INTO funnel_sessions (account_id, id, store_id, resource, token_hash, token_expires_at, last_activity_at)
      VALUES ('acc_1', ?, 'store_1', '{}', ?, 0, ?)`,
    params: [id, `hash of ${id}`, lastActivityAt],
  })
  const formKey = (id: string, createdAt: number) => ({
    sql: `INSERT INTO vault_keys SELECT ?, public_jwk, sealed_private_jwk, CAST(? AS BIGINT) FROM vault_keys
      WHERE created_at = ?`,
    params: [id, createdAt, clock.now()],
  })
  const aMonthBeforeTheSweep = clock.now() + 60_000 - 30 * 86_400_000
  await services.db.write([
    keep('old', clock.now() + 1),
    keep('new', day),
    bucket('full', clock.now()),
    bucket('used', day),
    session('idle', aMonthBeforeTheSweep),
    session('busy', aMonthBeforeTheSweep + 1),
    formKey('former', clock.now() - 2 * 86_400_000),
    formKey('followed a day ago', clock.now() + 60_000 - 86_400_000),
  ])
  clock.advance(60_000)
  await expect
    .poll(() => services.db.read('SELECT idempotency_key FROM idempotency_keys', []))
    .toEqual([{ idempotency_key: 'new' }])
  expect(await services.db.read('SELECT subject FROM rate_buckets', [])).toEqual([{ subject: 'used' }])
  expect(await services.db.read('SELECT id FROM funnel_sessions', [])).toEqual([{ id: 'busy' }])
  const formKeys = await services.db.read('SELECT id FROM vault_keys ORDER BY created_at', [])
  expect(formKeys.map(({ id }) => id)).toEqual(['followed a day ago', expect.any(String)])
})

test('however much has expired since, none of it is there a minute later', async () => {
  const { services, clock } = platform()
  const ids = (prefix: string, count: number) =>
    JSON.stringify(Array.from({ length: count }, (_, at) => [`${prefix} ${at}`]))
  await services.db.write([
    {
      sql: `INSERT INTO idempotency_keys (account_id, idempotency_key, fingerprint, status, body, lease_until, expires_at)
        SELECT 'acc_1', item.value ->> 0, 'f', 200, '{}', 0, 0 FROM {items}`,
      params: [ids('key', 2_500)],
    },
    {
      sql: `INSERT INTO funnel_sessions (account_id, id, store_id, resource, token_hash, token_expires_at, last_activity_at)
        SELECT 'acc_1', item.value ->> 0, 'store_1', '{}', item.value ->> 0, 0, 0 FROM {items}`,
      params: [ids('session', 250)],
    },
  ])
  const left = async () => {
    const counted = `SELECT (SELECT count(*) FROM idempotency_keys WHERE expires_at = 0) AS answers,
      (SELECT count(*) FROM funnel_sessions WHERE last_activity_at = 0) AS sessions`
    return (await services.db.read(counted, []))[0]
  }
  clock.advance(60_000)
  await expect.poll(left, { timeout: 10_000 }).toEqual({ answers: 0, sessions: 0 })
})

test.each(testableEngines())(
  'what has piled up on %s is deleted a part at a time, so that no statement takes the time of those who pay',
  async (engine) => {
    const { services, clock } = await openEvents(engine)
    const { db } = services
    const items = JSON.stringify(Array.from({ length: 2_500 }, (_, at) => [`id ${at}`]))
    const into = (columns: string, values: string) => ({
      sql: `INSERT INTO ${columns} SELECT ${values} FROM {items}`,
      params: [items],
    })
    await db.write([
      into('velocity_entries (account_id, subject, entry, at)', "'acc_1', 's', item.value ->> 0, 0"),
      into('velocity_subjects (account_id, subject, blocked_until, touched_at)', "'acc_1', item.value ->> 0, 0, 0"),
      into('frame_passes (account_id, session, expires_at)', "'acc_1', item.value ->> 0, 0"),
      into('security_codes (account_id, id, key_id, sealed, expires_at)', "'acc_1', item.value ->> 0, 'k', 's', 0"),
      into('rate_buckets (subject, full_at_us)', 'item.value ->> 0, 0'),
    ])
    const tables = ['velocity_entries', 'velocity_subjects', 'frame_passes', 'security_codes', 'rate_buckets']
    const counted = tables.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`).join(', ')
    const left = async () => Object.values((await db.read(`SELECT ${counted}`, []))[0] ?? {}).map(Number)
    const seen: number[][] = [await left()]
    const write: Database['write'] = async (transaction) => {
      const outcome = await db.write(transaction)
      seen.push(await left())
      return outcome
    }
    const { retention } = readConfig({})
    const stop = startSweeper({ ...services, db: { ...db, write }, retention }, closedBlobs)
    onTestFinished(stop)
    clock.advance(60_000)
    await expect
      .poll(() => seen.slice(0, 4), { timeout: 10_000 })
      .toEqual([2_500, 1_500, 500, 0].map((count) => tables.map(() => count)))
  },
)

test('sessions, messages of 3-D Secure and the audit log are kept for as long as the settings say, whatever became of the log of another account', async () => {
  const env = {
    TILLWRIGHT_KEEP_SESSIONS_DAYS: '2',
    TILLWRIGHT_KEEP_THREEDS_MESSAGES_DAYS: '3',
    TILLWRIGHT_KEEP_AUDIT_DAYS: '365',
  }
  const kept = await startTestPlatform({ env })
  onTestFinished(() => kept.remove())
  const { services, clock, call, local } = kept
  const days = (count: number) => count * 86_400_000
  const nowMs = clock.now()
  const email = 'ada@example.com'
  const customer = await call(contract.customers.create, { body: { storeId: local.storeId, email } })
  await services.db.write([
    {
      sql: `INSERT INTO funnel_sessions (account_id, id, store_id, resource, token_hash, token_expires_at, last_activity_at)
        VALUES ('acc_1', 'ses_1', 'store_1', '{}', 'hash', 0, ?)`,
      params: [nowMs],
    },
    {
      sql: `INSERT INTO threeds_messages (account_id, transaction_id, position, at, sender, receiver, type, message)
        VALUES ('acc_1', 'trans_1', 1, ?, 'a', 'b', 'AReq', '{}')`,
      params: [nowMs],
    },
    // Of a log that was altered nothing is deleted.
    { sql: `INSERT INTO audit_chains VALUES ('acc_0', 0, '', 200, 'altered', 'altered', 0)`, params: [] },
    {
      sql: `INSERT INTO audit_seals (account_id, sequence, entries, previous, hash, mac, created_at)
        SELECT 'acc_0', CAST(item.value ->> 0 AS BIGINT), '[]', '', '', '', 0 FROM {items}`,
      params: [JSON.stringify(Array.from({ length: 200 }, (_, at) => [at + 1]))],
    },
  ])
  const count = async (table: string, where: string) =>
    (await services.db.read(`SELECT account_id FROM ${table} WHERE ${where}`, [])).length
  const sessions = () => count('funnel_sessions', "account_id = 'acc_1'")
  const messages = () => count('threeds_messages', "account_id = 'acc_1'")
  const entries = () => count('audit_entries', `resource_id = '${customer.id}'`)
  const seals = () => count('audit_seals', `account_id = '${local.accountId}'`)
  clock.advance(1_000)
  await expect.poll(seals).toBeGreaterThan(0)
  clock.advance(days(2))
  await expect.poll(() => (clock.advance(60_000), sessions())).toBe(0)
  expect(await messages()).toBe(1)
  clock.advance(days(1))
  await expect.poll(() => (clock.advance(60_000), messages())).toBe(0)
  clock.advance(days(360))
  expect(await entries()).toBe(1)
  clock.advance(days(6))
  await expect.poll(() => (clock.advance(60_000), entries())).toBe(0)
})

test('a time for which nothing may be kept is refused with its bounds', () => {
  const tooShort = { TILLWRIGHT_KEEP_AUDIT_DAYS: '30', TILLWRIGHT_KEEP_SESSIONS_DAYS: '0' }
  expect(() => readConfig(tooShort)).toThrow(/TILLWRIGHT_KEEP_SESSIONS_DAYS: .*1[^]*TILLWRIGHT_KEEP_AUDIT_DAYS: .*365/)
})
