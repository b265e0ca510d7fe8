import { expect, test } from 'vitest'
import { manualClock, systemClock } from './clock.ts'

const never = new AbortController().signal

test('a manual clock stands still until it is moved', () => {
  const clock = manualClock(1_000)
  expect(clock.now()).toBe(1_000)
  clock.advance(250)
  expect(clock.now()).toBe(1_250)
})

test('whoever waits for a moment is woken when it has come, and not before', async () => {
  const clock = manualClock(0)
  const woken: number[] = []
  const waits = [300, 100, 200].map((timeMs) => clock.until(timeMs, never).then(() => woken.push(timeMs)))
  clock.advance(99)
  await Promise.resolve()
  expect(woken).toEqual([])
  clock.advance(101)
  await Promise.all(waits.slice(1))
  expect(woken.toSorted()).toEqual([100, 200])
  clock.advance(1_000)
  await Promise.all(waits)
  expect(woken).toHaveLength(3)
})

test.for([
  ['manual', manualClock(5_000)],
  ['system', systemClock],
] as const)('the %s clock does not wait for the past', async ([, clock]) => {
  await clock.until(clock.now(), never)
  await clock.until(clock.now() - 1, never)
})

test.for([
  ['manual', manualClock(0)],
  ['system', systemClock],
] as const)('a wait on the %s clock ends at once when it is given up', async ([, clock]) => {
  const stopping = new AbortController()
  const wait = clock.until(clock.now() + 3_600_000, stopping.signal)
  stopping.abort()
  await wait
  await clock.until(clock.now() + 3_600_000, stopping.signal)
})

test('the system clock waits until the moment has come', async () => {
  const until = systemClock.now() + 20
  await systemClock.until(until, never)
  expect(Date.now()).toBeGreaterThanOrEqual(until)
})
