import { expect, test } from 'vitest'
import { manualClock } from '../runtime/clock.ts'
import { sessionWatch } from './session-watch.ts'

/** A value that can change, and a wait for it to be `done`. */
function waiting(untilMs = 20_000) {
  const clock = manualClock(0)
  const stopping = new AbortController()
  const watch = sessionWatch(clock, stopping.signal)
  const state = { value: 'pending', reads: 0 }
  const read = async () => ((state.reads += 1), state.value)
  const first = watch.first({ sessionId: 's', read, isDone: (value) => value === 'done', untilMs })
  return { clock, stopping, watch, state, first }
}
const settled = () => new Promise(setImmediate)

test('a change is seen at once', async () => {
  const { watch, state, first } = waiting()
  await settled()
  state.value = 'done'
  watch.changed('s')
  expect(await first).toBe('done')
  expect(state.reads).toBe(2)
})

test('a change between reading and waiting is not lost', async () => {
  const { watch, state, first } = waiting()
  state.value = 'done' // the first read has begun, and has seen what was there before
  watch.changed('s')
  expect(await first).toBe('done')
})

test('what another process has changed is seen two seconds later', async () => {
  const { clock, state, first } = waiting()
  await settled()
  state.value = 'done'
  clock.advance(1_999)
  await settled()
  expect(state.reads).toBe(1)
  clock.advance(1)
  expect(await first).toBe('done')
})

test('when the time is over, what is there then is answered', async () => {
  const { clock, state, first } = waiting(3_000)
  await settled()
  clock.advance(2_000)
  await settled()
  clock.advance(1_000)
  expect(await first).toBe('pending')
  expect(state.reads).toBe(3)
})

test('a wait ends when something else of the session has changed, nor longer than the platform runs', async () => {
  const { watch, stopping, state, first } = waiting()
  await settled()
  watch.changed('other')
  await settled()
  expect(state.reads).toBe(1)
  stopping.abort()
  expect(await first).toBe('pending')
})
