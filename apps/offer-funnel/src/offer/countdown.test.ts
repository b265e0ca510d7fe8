import { expect, test } from 'vitest'
import { deadlineOf, timeLeft } from './countdown.tsx'

const END = Date.UTC(2026, 11, 24, 18)
const deadline = { isShown: true, code: 'WINTER', name: '' }
const winter = {
  promotionId: 'p',
  name: 'Winter sale',
  code: 'winter',
  saving: 500,
  endsAt: '2026-12-24T18:00:00.000Z',
}
const reduced = { promotions: { applied: [winter], leftOut: [] } }

test('a deadline is shown while its promotion reduces the order', () => {
  expect(deadlineOf(deadline, reduced, END - 1)).toBe(END)
  expect(deadlineOf({ ...deadline, code: '', name: 'Winter sale' }, reduced, END - 1)).toBe(END)
})

test('an order without the promotion has no deadline, and none is shown behind the end', () => {
  expect(deadlineOf(deadline, { promotions: { applied: [], leftOut: [] } }, END - 1)).toBe(null)
  expect(deadlineOf({ ...deadline, code: '', name: '' }, reduced, END - 1)).toBe(null)
  expect(deadlineOf(deadline, null, END - 1)).toBe(null)
  expect(deadlineOf(deadline, reduced, END)).toBe(null)
})

test('nothing is counted that is switched off or has no end', () => {
  expect(deadlineOf({ ...deadline, isShown: false }, reduced, END - 1)).toBe(null)
  const endless = { promotions: { applied: [{ ...winter, endsAt: null }], leftOut: [] } }
  expect(deadlineOf(deadline, endless, END - 1)).toBe(null)
})

test('the time that is left comes to zero at the end and not before', () => {
  expect(timeLeft(90_061_000)).toEqual({ days: 1, hours: 1, minutes: 1, seconds: 1 })
  expect(timeLeft(1)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 1 })
  expect(timeLeft(-5)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 0 })
})
