import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plans, type RateLimit } from '@tillwright/contract'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { manualClock } from '../runtime/clock.ts'
import type { Database } from '../storage/database.ts'
import { openDatabase } from '../storage/open-database.ts'
import { rateLimiter } from './rate-limiter.ts'

test('a full bucket gives its burst and no more, and a token comes back each interval', async () => {
  const { clock, take } = await bucket(plans.standard)
  expect(await allowedOf(take, 200)).toBe(150)
  expect(await take()).toEqual({ allowed: false, left: 0, nextTokenS: 1, retryAfterS: 1 })
  clock.advance(599)
  expect((await take()).allowed).toBe(false)
  clock.advance(1)
  expect(await allowedOf(take, 2)).toBe(1)
  clock.advance(90_000)
  expect(await allowedOf(take, 200)).toBe(150)
})

test('a refused request spends nothing', async () => {
  const { clock, take } = await bucket(plans.standard)
  await allowedOf(take, 1_000)
  clock.advance(600)
  expect(await allowedOf(take, 10)).toBe(1)
})

test('requests at the same moment are counted each', async () => {
  const { take } = await bucket(plans.premium)
  const answers = await Promise.all(Array.from({ length: 1_000 }, take))
  expect(answers.filter(({ allowed }) => allowed)).toHaveLength(750)
})

test('each subject has a bucket of its own', async () => {
  const { clock, db } = await bucket(plans.standard)
  const { take } = rateLimiter({ db, clock })
  await allowedOf(() => take('account:a', plans.standard), 150)
  expect((await take('account:a', plans.standard)).allowed).toBe(false)
  expect(await take('account:b', plans.standard)).toMatchObject({ allowed: true, left: 149 })
})

test('two processes never give more than the bucket holds', async () => {
  const { clock, db, take } = await bucket(plans.standard)
  const other = rateLimiter({ db, clock })
  const answers = await Promise.all(
    Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? take() : other.take('account:a', plans.standard))),
  )
  expect(answers.filter(({ allowed }) => allowed)).toHaveLength(150)
})

test('far from the bound most requests cost no write', async () => {
  const { take, writes } = await bucket(plans.premium)
  await allowedOf(take, 100)
  expect(writes()).toBeLessThan(5)
})

test('for any sequence of requests and pauses the answers are those of a token bucket', async () => {
  const limit = { perMinute: 100, burst: 40 }
  const pauseMs = fc.oneof(fc.integer({ min: 0, max: 30_000 }), fc.constantFrom(0, 1, 300, 599, 600, 601, 24_000))
  const steps = fc.array(fc.tuple(pauseMs, fc.integer({ min: 1, max: 30 })), { minLength: 1, maxLength: 12 })
  const { clock, db } = await bucket(limit)
  const limiter = rateLimiter({ db, clock })
  let subject = 0
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      subject += 1
      const model = tokenBucket(limit)
      for (const [pause, requests] of sequence) {
        clock.advance(pause)
        for (let i = 0; i < requests; i++) {
          const { allowed, left, retryAfterS } = await limiter.take(`account:${subject}`, limit)
          expect({ allowed, left, retryAfterS }).toEqual(model(clock.now()))
        }
      }
    }),
    {
      numRuns: 50,
      examples: [
        [
          [
            [0, 23],
            [599, 15],
            [599, 3],
            [1, 1],
            [601, 1],
            [0, 1],
          ],
        ],
      ],
    },
  )
})

/** The rule itself, with nothing shared and nothing remembered, in whole milliseconds: a token is one interval of them. */
function tokenBucket({ perMinute, burst }: RateLimit) {
  const intervalMs = 60_000 / perMinute
  let savedMs = burst * intervalMs
  let atMs: number | null = null
  return (nowMs: number) => {
    savedMs = Math.min(burst * intervalMs, savedMs + (atMs === null ? 0 : nowMs - atMs))
    atMs = nowMs
    if (savedMs < intervalMs) {
      return { allowed: false, left: 0, retryAfterS: Math.ceil((intervalMs - savedMs) / 1_000) }
    }
    savedMs -= intervalMs
    return { allowed: true, left: Math.floor(savedMs / intervalMs), retryAfterS: 0 }
  }
}

async function bucket(limit: RateLimit) {
  const folder = await mkdtemp(join(tmpdir(), 'limits-'))
  const db = await openDatabase({ folder })
  onTestFinished(async () => {
    await db.close()
    await rm(folder, { recursive: true })
  })
  let written = 0
  const counting: Database = { ...db, write: (transaction) => ((written += 1), db.write(transaction)) }
  const clock = manualClock(Date.UTC(2030, 0, 1))
  const limiter = rateLimiter({ db: counting, clock })
  return { clock, db, take: () => limiter.take('account:a', limit), writes: () => written }
}

async function allowedOf(take: () => Promise<{ allowed: boolean }>, requests: number): Promise<number> {
  let allowed = 0
  for (let i = 0; i < requests; i++) if ((await take()).allowed) allowed += 1
  return allowed
}
