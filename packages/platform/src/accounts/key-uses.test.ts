import { describe, expect, onTestFinished, test } from 'vitest'
import { startTestPlatform, testableEngines, type TestPlatform } from '../../test/test-platform.ts'

const TEST_KEY = '/api/public/v1/auth/test'

describe.each(testableEngines())('on %s', (engine) => {
  async function started(): Promise<TestPlatform> {
    const platform = await startTestPlatform({ engine })
    onTestFinished(() => platform.remove())
    return platform
  }

  test('when a key was last used is written down once a minute, not with each request', async () => {
    const { addKey, request, clock, services } = await started()
    const key = await addKey()
    const used = () => lastUsed(services, key)
    for (let second = 0; second < 30; second++) {
      clock.advance(1_000)
      await request('GET', TEST_KEY, { key })
    }
    const last = clock.now()
    expect(await used()).toBeNull()
    clock.advance(30_000)
    await expect.poll(used).toBe(last)
  })

  test('a stop writes down what was not yet', async () => {
    const platform = await started()
    const key = await platform.addKey()
    await platform.request('GET', TEST_KEY, { key })
    await platform.restart()
    expect(await lastUsed(platform.services, key)).toBe(platform.clock.now())
  })

  test('what could not be written down is written down a minute later', async () => {
    const { addKey, request, clock, services, logged } = await started()
    const key = await addKey()
    await request('GET', TEST_KEY, { key })
    const usedAt = clock.now()
    await services.db.write([{ sql: 'ALTER TABLE api_keys RENAME TO hidden', params: [] }])
    clock.advance(60_000)
    await expect.poll(() => logged.join('')).toContain('could not be written down')
    await services.db.write([{ sql: 'ALTER TABLE hidden RENAME TO api_keys', params: [] }])
    clock.advance(60_000)
    await expect.poll(() => lastUsed(services, key)).toBe(usedAt)
  })
})

test('a key that is refused is not used, and of two processes the later use counts', async () => {
  const platform = await startTestPlatform()
  onTestFinished(() => platform.remove())
  const { addKey, request, clock, services } = platform
  const [revoked, elsewhere] = [await addKey(), await addKey()]
  const later = clock.now() + 86_400_000
  await services.db.write([
    { sql: 'UPDATE api_keys SET revoked_at = ? WHERE last4 = ?', params: [clock.now(), revoked.slice(-4)] },
    { sql: 'UPDATE api_keys SET last_used_at = ? WHERE last4 = ?', params: [later, elsewhere.slice(-4)] },
  ])
  expect((await request('GET', TEST_KEY, { key: revoked })).status).toBe(401)
  expect((await request('GET', TEST_KEY, { key: elsewhere })).status).toBe(200)
  await platform.restart()
  expect(await lastUsed(platform.services, revoked)).toBeNull()
  expect(await lastUsed(platform.services, elsewhere)).toBe(later)
})

async function lastUsed({ db }: TestPlatform['services'], key: string) {
  const [row] = await db.read('SELECT last_used_at FROM api_keys WHERE last4 = ?', [key.slice(-4)])
  return row?.['last_used_at']
}
