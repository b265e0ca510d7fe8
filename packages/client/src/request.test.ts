import fc from 'fast-check'
import { expect, test } from 'vitest'
import { retryDelayMs } from './request.ts'
import { TillwrightError } from './tillwright-error.ts'

const unavailable = new TillwrightError('unavailable', 'Busy.', { status: 503 })
const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('a pause is between half of the step and the whole, and never longer than 8 s', () => {
  fc.assert(
    fc.property(fc.nat(50), fraction, (retries, random) => {
      const stepMs = Math.min(500 * 2 ** retries, 8_000)
      const delayMs = retryDelayMs({ error: unavailable, retryAfter: null }, retries, { random, nowMs: 0 })
      expect(delayMs).toBeGreaterThan(stepMs / 2 - 1)
      expect(delayMs).toBeLessThanOrEqual(stepMs)
    }),
  )
})

test('a pause is never shorter than Retry-After', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.nat(10), fraction, (seconds, retries, random) => {
      const failure = { error: unavailable, retryAfter: String(seconds) }
      expect(retryDelayMs(failure, retries, { random, nowMs: 0 })).toBeGreaterThanOrEqual(seconds * 1_000)
    }),
  )
})

test('a Retry-After that is neither seconds nor a date is ignored', () => {
  expect(retryDelayMs({ error: unavailable, retryAfter: 'soon' }, 0, { random: 0, nowMs: 0 })).toBe(500)
})
