import fc from 'fast-check'
import { expect, test } from 'vitest'
import { afterAttempt, RETRY_WAITS_MS } from './attempt-delivery.ts'

const nowMs = Date.UTC(2030, 0, 1)
const middle = { nowMs, random: 0.5 }
const HOUR_MS = 3_600_000

function status(code: number, retryAfter: string | null = null) {
  return { status: code, retryAfter, excerpt: '' }
}

test('ten tries: at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', () => {
  const waits = RETRY_WAITS_MS.map((waitMs) => waitMs / 1_000)
  expect(waits).toEqual([0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400])
  for (let attempts = 1; attempts < 10; attempts += 1) {
    const atMs = nowMs + (RETRY_WAITS_MS[attempts] ?? 0)
    expect(afterAttempt(attempts, status(500), middle)).toEqual({ outcome: 'retry', atMs })
  }
  expect(afterAttempt(10, status(500), middle)).toEqual({ outcome: 'failed' })
})

test('only 2xx acknowledges', () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 599 }), (code) => {
      const { outcome } = afterAttempt(1, status(code), middle)
      expect(outcome).toBe(code >= 200 && code < 300 ? 'delivered' : code === 410 ? 'gone' : 'retry')
    }),
  )
  expect(afterAttempt(1, { failure: 'ECONNREFUSED' }, middle).outcome).toBe('retry')
})

test('the jitter is at most a fifth, either way', () => {
  expect(afterAttempt(1, status(500), { nowMs, random: 0 })).toEqual({ outcome: 'retry', atMs: nowMs + 4_000 })
  expect(afterAttempt(1, status(500), { nowMs, random: 1 })).toEqual({ outcome: 'retry', atMs: nowMs + 6_000 })
})

test.each([
  ['90', 90_000],
  ['Tue, 01 Jan 2030 00:01:00 GMT', 60_000],
  ['1', 5_000],
  ['Mon, 31 Dec 2029 00:00:00 GMT', 5_000],
  ['soon', 5_000],
  ['-3', 5_000],
  ['999999999999999999999', 24 * HOUR_MS],
])('Retry-After: %s puts the second try %i ms off', (retryAfter, waitMs) => {
  expect(afterAttempt(1, status(503, retryAfter), middle)).toEqual({ outcome: 'retry', atMs: nowMs + waitMs })
})

test('Retry-After does not grant an eleventh try', () => {
  expect(afterAttempt(10, status(503, '5'), middle)).toEqual({ outcome: 'failed' })
})
