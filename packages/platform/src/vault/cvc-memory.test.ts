import { expect, test } from 'vitest'
import { manualClock } from '../runtime/clock.ts'
import { CVC_TTL_MS, cvcMemory } from './cvc-memory.ts'

const running = new AbortController().signal

test('a code is given out once', () => {
  const cvcs = cvcMemory(manualClock(0), running)
  cvcs.keep('card_1', '123')
  expect([cvcs.take('card_1'), cvcs.take('card_1')]).toEqual(['123', null])
})

test('a code of another card is not given out', () => {
  const cvcs = cvcMemory(manualClock(0), running)
  cvcs.keep('card_1', '123')
  expect(cvcs.take('card_2')).toBeNull()
})

test('a code is gone after 15 minutes', () => {
  const clock = manualClock(0)
  const cvcs = cvcMemory(clock, running)
  cvcs.keep('card_1', '123')
  cvcs.keep('card_2', '456')
  clock.advance(CVC_TTL_MS - 1)
  expect(cvcs.take('card_1')).toBe('123')
  clock.advance(1)
  expect(cvcs.take('card_2')).toBeNull()
})

test('an old code is forgotten without being asked for', async () => {
  const clock = manualClock(0)
  const cvcs = cvcMemory(clock, running)
  cvcs.keep('card_1', '123')
  clock.advance(60_000)
  cvcs.keep('card_2', '456')
  clock.advance(CVC_TTL_MS - 60_000)
  await clock.until(0, running)
  expect(cvcs.size).toBe(1)
  clock.advance(60_000)
  await clock.until(0, running)
  expect(cvcs.size).toBe(0)
})

test('a code that waits on for a payment keeps its time, and is forgotten under its former name', async () => {
  const clock = manualClock(0)
  const cvcs = cvcMemory(clock, running)
  cvcs.keep('card_1', '123')
  clock.advance(60_000)
  cvcs.keep('card_2', '456')
  cvcs.move('card_1', 'pay_1')
  expect(cvcs.take('card_1')).toBeNull()
  clock.advance(CVC_TTL_MS - 60_000)
  await clock.until(0, running)
  expect([cvcs.size, cvcs.take('pay_1'), cvcs.take('card_2')]).toEqual([1, null, '456'])
})

test('when the platform stops every code is forgotten', async () => {
  const clock = manualClock(0)
  const platform = new AbortController()
  const cvcs = cvcMemory(clock, platform.signal)
  cvcs.keep('card_1', '123')
  platform.abort()
  await clock.until(0, running)
  expect([cvcs.size, cvcs.take('card_1')]).toEqual([0, null])
})

test('of more codes than there is room for the oldest give way', () => {
  const cvcs = cvcMemory(manualClock(0), running)
  for (let n = 0; n <= 10_000; n++) cvcs.keep(`card_${n}`, '123')
  expect([cvcs.size, cvcs.take('card_0'), cvcs.take('card_10000')]).toEqual([10_000, null, '123'])
})
