import { expect, test } from 'vitest'
import { sharedPlatform } from '../../test/test-platform.ts'

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
