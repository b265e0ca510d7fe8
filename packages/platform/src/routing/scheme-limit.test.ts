import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOverSchemeLimit, schemeWindow } from './next-attempt.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const now = Date.UTC(2030, 0, 31)
const declines = (count: number, agoMs: number) => Array.from({ length: count }, () => now - agoMs)

test.for([
  ['visa', 19, 29 * DAY_MS, false],
  ['visa', 20, 29 * DAY_MS, true],
  ['visa', 20, 30 * DAY_MS, false],
  ['mastercard', 9, 23 * HOUR_MS, false],
  ['mastercard', 10, 23 * HOUR_MS, true],
  ['mastercard', 10, DAY_MS, false],
  ['mastercard', 34, 2 * DAY_MS, false],
  ['mastercard', 35, 2 * DAY_MS, true],
  ['amex', 1_000, HOUR_MS, false],
] as const)('a card of %s with %i declines, %i ms ago: over its limit is %s', ([brand, count, agoMs, isOver]) => {
  expect(isOverSchemeLimit(brand, declines(count, agoMs), now)).toBe(isOver)
})

test('as many declines as the window asks for decide, however many there are', () => {
  const at = fc.array(fc.integer({ min: now - 40 * DAY_MS, max: now }), { maxLength: 80 })
  fc.assert(
    fc.property(fc.constantFrom('visa', 'mastercard'), at, (brand, all) => {
      const window = schemeWindow(brand)
      const latest = all
        .filter((each) => each > now - (window?.withinMs ?? 0))
        .toSorted((a, b) => b - a)
        .slice(0, window?.declines)
      expect(isOverSchemeLimit(brand, latest, now)).toBe(isOverSchemeLimit(brand, all, now))
    }),
  )
})
