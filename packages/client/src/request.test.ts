import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createClient } from './client.ts'
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

const apiKey = `test_sk_${'k'.repeat(36)}`
const baseUrl = 'http://localhost:4400'

test.each([{ maxRetries: Number.NaN }, { maxRetries: -1 }, { timeoutMs: Number.NaN }, { timeoutMs: 0 }])(
  'a number that is none is refused, instead of retrying for ever: %j',
  async (wrong) => {
    const [param] = Object.keys(wrong)
    const refused = expect.objectContaining({ code: 'options_invalid', param })
    expect(() => createClient({ apiKey, baseUrl, ...wrong })).toThrow(refused)
    if (param === 'timeoutMs')
      await expect(createClient({ apiKey, baseUrl }).payments.list({}, wrong)).rejects.toEqual(refused)
  },
)

test('JavaScript may give a filter its values as a list or a date', async () => {
  const asked: string[] = []
  const fetch = async (address: string) => (asked.push(address), Response.json({ data: [], nextCursor: null }))
  const filters = { ids: ['cus_1', 'cus_2'], createdFrom: new Date(0), limit: 5 }
  await createClient({ apiKey, baseUrl, fetch }).customers.list(filters as object)
  expect(URL.parse(asked[0] ?? '')?.search).toBe('?limit=5&ids=cus_1%2Ccus_2&createdFrom=1970-01-01T00%3A00%3A00.000Z')
})
