import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitRange, type Stretch } from './split-range.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

test('a stretch of days is whole days with hours and rests at both ends', () => {
  const from = DAY_MS - 2 * HOUR_MS - 5
  const to = 3 * DAY_MS + HOUR_MS + 7
  expect(splitRange({ fromMs: from, toMs: to })).toEqual({
    rests: [
      { fromMs: from, toMs: from + 5 },
      { fromMs: to - 7, toMs: to },
    ],
    hours: [
      { fromMs: from + 5, toMs: DAY_MS },
      { fromMs: 3 * DAY_MS, toMs: to - 7 },
    ],
    days: { fromMs: DAY_MS, toMs: 3 * DAY_MS },
  })
})

test('the pieces of a stretch cover it, none of it twice, with whole days and hours and rests under an hour', () => {
  const ms = fc.integer({ min: 0, max: 5 * DAY_MS })
  fc.assert(
    fc.property(ms, ms, (one, other) => {
      const range: Stretch = { fromMs: Math.min(one, other), toMs: Math.max(one, other) }
      const { days, hours, rests } = splitRange(range)
      const pieces = [rests[0], hours[0], days, hours[1], rests[1]].filter(isNotEmpty)
      expect(pieces.reduce((at, { fromMs, toMs }) => (fromMs === at ? toMs : Number.NaN), range.fromMs)).toBe(
        range.toMs,
      )
      for (const { fromMs, toMs } of hours.filter(isNotEmpty)) {
        expect([fromMs % HOUR_MS, toMs % HOUR_MS]).toEqual([0, 0])
        expect(toMs - fromMs).toBeLessThan(2 * DAY_MS)
      }
      for (const { fromMs, toMs } of [days].filter(isNotEmpty)) expect([fromMs % DAY_MS, toMs % DAY_MS]).toEqual([0, 0])
      for (const { fromMs, toMs } of rests) expect(toMs - fromMs).toBeLessThan(2 * HOUR_MS)
    }),
  )
})

function isNotEmpty({ fromMs, toMs }: Stretch): boolean {
  return fromMs !== toMs
}
