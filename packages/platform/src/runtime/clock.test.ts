import { expect, test } from 'vitest'
import { aheadClock, manualClock, steadyClock, systemClock } from './clock.ts'

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
  expect(systemClock.now()).toBeGreaterThanOrEqual(until)
})

/** A machine whose two clocks a test moves. */
function machine() {
  let [wallMs, ranMs] = [1_000_000, 0]
  return {
    clocks: { wall: () => wallMs, monotonic: () => ranMs },
    set: (toMs: number) => void (wallMs = toMs),
    run: (ms: number) => {
      wallMs += ms
      ranMs += ms
    },
  }
}

test('setting the machine’s clock, back or forward, does not move the steady clock', () => {
  const { clocks, set, run } = machine()
  const clock = steadyClock(clocks)
  run(500)
  set(1_000_000 - 3_600_000)
  run(500)
  expect(clock.now()).toBe(1_001_000)
  set(5_000_000)
  expect(clock.now()).toBe(1_001_000)
})

test('the first sample sets a steady clock either way, and later ones move it forward at once', () => {
  const { clocks, run } = machine()
  const clock = steadyClock(clocks)
  expect(clock.align?.({ sharedMs: 880_000, aheadMs: 0, uncertainMs: 5 })).toBe(0)
  expect(clock.now()).toBe(880_000)
  run(1_000)
  clock.align?.({ sharedMs: 882_000, aheadMs: 0, uncertainMs: 5 })
  expect(clock.now()).toBe(881_995)
})

test('a steady clock that is ahead runs slower until it is not, and never goes back', () => {
  const { clocks, run } = machine()
  const clock = steadyClock(clocks)
  clock.align?.({ sharedMs: 1_000_000, aheadMs: 0, uncertainMs: 0 })
  expect(clock.align?.({ sharedMs: 999_000, aheadMs: 0, uncertainMs: 0 })).toBe(1_000)
  const seen = [clock.now()]
  for (let i = 0; i < 40; i++) {
    run(100)
    seen.push(clock.now())
  }
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  expect([seen[0], seen[10], seen[20], seen[40]]).toEqual([1_000_000, 1_000_500, 1_001_000, 1_003_000])
})

test('a difference that the way to the database explains is left alone', () => {
  const { clocks } = machine()
  const clock = steadyClock(clocks)
  clock.align?.({ sharedMs: 1_000_000, aheadMs: 0, uncertainMs: 0 })
  expect(clock.align?.({ sharedMs: 1_000_020, aheadMs: 0, uncertainMs: 30 })).toBe(0)
  expect(clock.align?.({ sharedMs: 999_980, aheadMs: 0, uncertainMs: 30 })).toBe(0)
  expect(clock.now()).toBe(1_000_000)
})

test('what others check against their own clocks carries the time of the database, not the shared one ahead of it', () => {
  const clock = steadyClock(machine().clocks)
  clock.align?.({ sharedMs: 4_600_000, aheadMs: 3_600_000, uncertainMs: 0 })
  expect([clock.now(), clock.machineNow()]).toEqual([4_600_000, 1_000_000])
})

test('a wait on a steady clock ends when a correction makes its time come', async () => {
  const clock = steadyClock()
  clock.align?.({ sharedMs: 1_000, aheadMs: 0, uncertainMs: 0 })
  const waiting = clock.until(3_600_000, never)
  clock.align?.({ sharedMs: 3_600_001, aheadMs: 0, uncertainMs: 0 })
  await waiting
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
