import { describe, expect, test } from 'vitest'
import { sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { int, rowReader, text } from '../storage/index.ts'
import { startFairWork, workOnce } from './fair-work.ts'

const PLACES = 8

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  /** Captures of accounts that do not exist, which no other worker of the platform finds due. */
  async function due(prefix: string, counts: Readonly<Record<string, number>>) {
    const rows = Object.entries(counts).flatMap(([account, count]) =>
      Array.from({ length: count }, (_, n) => [`${prefix}_${account}`, `${prefix}_${n}`, n] as const),
    )
    await platform().services.db.write(
      rows.map(([accountId, id, n]) => ({
        sql: `INSERT INTO payment_follow_ups (account_id, id, store_id, payment_id, order_id, kind, currency, amount, status,
          reason, lease_until, created_at) VALUES (?, ?, 'store', ?, 'order', 'refund', 'USD', 1, 'failed', ?, 0, ?)`,
        params: [accountId, id, id, prefix, n],
      })),
    )
  }

  function work(prefix: string, one: (accountId: string) => Promise<void>) {
    return {
      due: [
        {
          table: 'payment_follow_ups',
          among: `status = 'failed' AND reason = '${prefix}'`,
          isDue: 'lease_until < ?',
          params: (nowMs: number) => [nowMs],
          orderBy: 'created_at',
          columns: 'account_id, id, created_at',
          freed: 'lease_until = 0',
        },
      ],
      read: rowReader({ account_id: text, id: text, created_at: int }),
      work: (row: { account_id: string }) => one(row.account_id),
      places: PLACES,
    }
  }

  test('an account whose work hangs leaves places for the work of every other one', async () => {
    await due('hangs', { a: 50, b: 20, c: 20, d: 1 })
    const hanging = Promise.withResolvers<void>()
    const worked = new Map<string, number>()
    let held = 0
    let rounds = 0
    const stop = startFairWork(
      work('hangs', async (accountId) => {
        worked.set(accountId, (worked.get(accountId) ?? 0) + 1)
        if (accountId !== 'hangs_a') return
        held += 1
        await hanging.promise
      }),
      platform().services,
      {
        everyMs: 60 * 60_000,
        onDone: () => (rounds += 1),
        onOver: () => {},
        onError: (error) => {
          throw error
        },
      },
    )
    // Nothing waits for the next look, which is an hour away.
    await expect.poll(() => Object.fromEntries(worked)).toMatchObject({ hangs_b: 20, hangs_c: 20, hangs_d: 1 })
    await expect.poll(() => held).toBe(PLACES / 2)
    expect(rounds).toBeGreaterThan(0)
    hanging.resolve()
    await expect.poll(() => worked.get('hangs_a')).toBe(50)
    await stop()
  })

  test('each row is worked on once, however many processes look at the same time', async () => {
    await due('once', { a: 30, b: 3 })
    const worked: string[] = []
    const one = async (accountId: string) => void worked.push(accountId)
    const counts = await Promise.all([1, 2, 3].map(() => workOnce(work('once', one), platform().services)))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(33)
    expect(worked).toHaveLength(33)
  })
})
