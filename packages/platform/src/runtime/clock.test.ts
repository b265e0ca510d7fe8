import { expect, test } from 'vitest'
import { aheadClock, manualClock, systemClock } from './clock.ts'

const never = new AbortController().signal

test('a manual clock stands still until it is moved', () => {
  const clock = manualClock(1_000)
  expect(clock.now()).toBe(1_000)
  clock.advance(250)
  expect(clock.now()).toBe(1_250)
})

test('a wait for a moment ends when it has come, and not before', async () => {
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

test('it runs with its base, and stays ahead of it by what it has jumped', () => {
  const base = manualClock(1_000)
  const clock = aheadClock(base, 50)
  expect(clock.now()).toBe(1_050)
  clock.jumpTo(5_000)
  base.advance(10)
  expect(clock.now()).toBe(6_010)
  expect(clock.machineNow()).toBe(1_010)
})

test('it never goes back', () => {
  const clock = aheadClock(manualClock(0), 100)
  clock.jumpTo(99)
  expect(clock.now()).toBe(100)
})

test('a jump ends waits for a time that has come, and no others', async () => {
  const base = manualClock(0)
  const clock = aheadClock(base, 0)
  const woken: number[] = []
  const waits = [1_000, 2_000, 3_000].map((timeMs) => clock.until(timeMs, never).then(() => woken.push(timeMs)))
  clock.jumpTo(1_500)
  await waits[0]
  expect(woken).toEqual([1_000])
  base.advance(500)
  await waits[1]
  expect(woken).toEqual([1_000, 2_000])
  clock.jumpTo(10_000)
  await waits[2]
})

test('what waits for years on the machine’s own time is woken by a jump', async () => {
  const clock = aheadClock(systemClock, 0)
  const waiting = clock.until(clock.now() + 1e12, never)
  clock.jumpTo(1e12)
  await waiting
})

test('a wait ends with its signal', async () => {
  const stopping = new AbortController()
  const waiting = aheadClock(manualClock(0), 0).until(1, stopping.signal)
  stopping.abort()
  await waiting
})
