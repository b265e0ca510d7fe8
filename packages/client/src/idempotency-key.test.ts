import { expect, test } from 'vitest'
import { KEY_AGE_MAX_MS, newIdempotencyKey, refuseOldKey } from './idempotency-key.ts'

const NOW_MS = Date.UTC(2026, 6, 1)

test('a key is a UUID of version 7 that tells when it was made, after a prefix if there is one', () => {
  const key = newIdempotencyKey('', NOW_MS)
  expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(Number.parseInt(key.replace('-', '').slice(0, 12), 16)).toBe(NOW_MS)
  expect(newIdempotencyKey('order-7', NOW_MS)).toMatch(/^order-7_[0-9a-f-]{36}$/)
})

test('no two keys are equal', () => {
  expect(new Set(Array.from({ length: 1_000 }, () => newIdempotencyKey('', NOW_MS))).size).toBe(1_000)
})

test.each(['', 'order-7'])('a key is refused before the platform forgets it, with the prefix "%s"', (prefix) => {
  const key = newIdempotencyKey(prefix, NOW_MS)
  expect(() => refuseOldKey(key, NOW_MS + KEY_AGE_MAX_MS)).not.toThrow()
  expect(() => refuseOldKey(key, NOW_MS + KEY_AGE_MAX_MS + 1)).toThrow(
    expect.objectContaining({ code: 'idempotency_key_expired', param: 'idempotencyKey' }),
  )
  expect(() => refuseOldKey(key, NOW_MS + 7 * 24 * 3_600_000)).toThrow('is 168 hours old')
})

test.each(['order-7', '7f6c1d2e-4b1a-4c53-9a58-2d0f6f1c9b3e'])('"%s" tells nothing of its age and is sent', (key) => {
  expect(() => refuseOldKey(key, NOW_MS)).not.toThrow()
})
