import fc from 'fast-check'
import { expect, test } from 'vitest'
import { retryDaysOf } from '@tillwright/contract'
import { DAY_MS, periodOf, withPause, type PeriodTerms, retryAfterDays } from './periods.ts'

const terms = (start: string, change: Partial<PeriodTerms> = {}): PeriodTerms => ({
  interval: 'month',
  intervalCount: 1,
  trialDays: 0,
  startMs: Date.parse(start),
  ...change,
})
const starts = (of: PeriodTerms, count: number) =>
  Array.from({ length: count }, (_, number) => new Date(periodOf(of, number).startMs).toISOString().slice(0, 10))

test('a short month takes its last day, and the next one the day that was begun with', () => {
  expect(starts(terms('2030-01-31T10:20:30.400Z'), 5)).toEqual([
    '2030-01-31',
    '2030-02-28',
    '2030-03-31',
    '2030-04-30',
    '2030-05-31',
  ])
  expect(starts(terms('2028-01-31T00:00:00Z'), 2)[1]).toBe('2028-02-29')
})

test('a year that begins on 29 February has it again in each leap year', () => {
  const leap = terms('2028-02-29T23:59:59.999Z', { interval: 'year' })
  expect(starts(leap, 5)).toEqual(['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'])
})

test('a trial is the period before all others', () => {
  expect(starts(terms('2030-01-01T00:00:00Z', { trialDays: 30, interval: 'week', intervalCount: 2 }), 3)).toEqual([
    '2030-01-01',
    '2030-01-31',
    '2030-02-14',
  ])
})

const anyTerms: fc.Arbitrary<PeriodTerms> = fc.record({
  interval: fc.constantFrom('day', 'week', 'month', 'year'),
  intervalCount: fc.integer({ min: 1, max: 40 }),
  trialDays: fc.integer({ min: 0, max: 730 }),
  startMs: fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) }),
})

test('periods follow each other without a gap, and keep the time of day', () => {
  fc.assert(
    fc.property(anyTerms, fc.integer({ min: 0, max: 200 }), (of, number) => {
      const { startMs, endMs } = periodOf(of, number)
      expect(endMs).toBeGreaterThan(startMs)
      expect(periodOf(of, number + 1).startMs).toBe(endMs)
      expect(endMs % DAY_MS).toBe(of.startMs % DAY_MS)
    }),
  )
})

test('months and years keep the day of the month, or take the last one of a shorter month', () => {
  const calendar = anyTerms.map((of) => ({ ...of, trialDays: 0, interval: 'month' as const }))
  fc.assert(
    fc.property(calendar, fc.integer({ min: 0, max: 200 }), (of, number) => {
      const wanted = new Date(of.startMs).getUTCDate()
      const start = new Date(periodOf(of, number).startMs)
      const daysOfMonth = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)).getUTCDate()
      expect(start.getUTCDate()).toBe(Math.min(wanted, daysOfMonth))
      const begun = new Date(of.startMs)
      const months = (start.getUTCFullYear() - begun.getUTCFullYear()) * 12 + start.getUTCMonth() - begun.getUTCMonth()
      expect(months).toBe(number * of.intervalCount)
    }),
  )
})

test.for([
  [null, [1, 2, 2, 2]],
  ['{"retries":0}', []],
  ['{"retries":2}', [1, 2]],
  ['{"retries":6}', [1, 2, 2, 2, 2, 2]],
  ['{"retryDays":[3,7]}', [3, 7]],
  ['{"retryDays":[]}', []],
  ['{"other":1}', [1, 2, 2, 2]],
  ['as before', [1, 2, 2, 2]],
  ['[5]', [1, 2, 2, 2]],
] as const)(
  'by the settings %s what is declined is tried again after %j days, and then no more',
  ([settings, wanted]) => {
    const policy = { retryDays: retryDaysOf({ rebillSettings: settings }) }
    const days: number[] = []
    for (let next = retryAfterDays(policy, 0); next !== null; next = retryAfterDays(policy, days.length))
      days.push(next)
    expect(days).toEqual(wanted)
  },
)

test('a pause makes its period longer, by whole and broken days, and all later ones begin later', () => {
  const day = 24 * 60 * 60 * 1_000
  const monthly = terms('2030-01-31T10:20:30.400Z', { trialDays: 14 })
  const pauses = withPause(withPause([], { period: 1, ms: 3 * day }), { period: 1, ms: 1_000 })
  const paused = { ...monthly, pauses: withPause(pauses, { period: 3, ms: day }) }
  const shifts = [0, 1, 2, 3, 4].map((number) => {
    const [before, after] = [periodOf(monthly, number), periodOf(paused, number)]
    return [after.startMs - before.startMs, after.endMs - before.endMs]
  })
  const [first, second] = [3 * day + 1_000, 4 * day + 1_000]
  expect(shifts).toEqual([
    [0, 0],
    [0, first],
    [first, first],
    [first, second],
    [second, second],
  ])
})
