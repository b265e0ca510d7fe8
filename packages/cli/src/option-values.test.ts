import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseDuration, parseInstant } from './option-values.ts'

test.for([
  ['32d', 32 * 86_400_000],
  ['2h', 7_200_000],
  ['15m', 900_000],
  ['30s', 30_000],
  ['1w', 604_800_000],
  ['3650d', 3_650 * 86_400_000],
] as const)('%s is %d milliseconds', ([text, ms]) => {
  expect(parseDuration(text)).toBe(ms)
})

test.for(['', '32', 'd', '-1d', '1.5h', '0d', '3651d', '1 d', '1D', '1d2h'])('"%s" is not a duration', (text) => {
  expect(parseDuration(text)).toBeNull()
})

test('every time is parsed, whatever its offset', () => {
  const times = fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true })
  const offsets = fc.integer({ min: -23 * 60, max: 23 * 60 })
  fc.assert(
    fc.property(times, offsets, (time, minutes) => {
      const wall = new Date(time.getTime() + minutes * 60_000).toISOString().slice(0, -1)
      const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
      const offset = `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
      fc.pre(wall.length === 23) // a year of four digits
      expect(parseInstant(wall + offset)).toBe(time.getTime())
    }),
  )
})

test('a day is its start in UTC', () => {
  expect(parseInstant('2030-01-31')).toBe(Date.UTC(2030, 0, 31))
})

test.for(['2030-02-30', '2030-01-31T12:00', '2030-01-31 12:00Z', '90d', 'yesterday', ''])(
  '%j is not an instant',
  (text) => {
    expect(parseInstant(text)).toBeNull()
  },
)
