import { expect, test } from 'vitest'
import { manualClock } from '../runtime/clock.ts'
import { circuitBreaker, circuitState } from './circuit-breaker.ts'

const closed = { failures: 0, lastMs: 0 }

test('after five failures in a row a processor is left alone for half a minute, and after one more as long again', () => {
  const clock = manualClock(0)
  const circuit = circuitBreaker(clock)
  for (let i = 0; i < 4; i++) circuit.note('a', false)
  expect(circuit.open()).toEqual(new Set())
  circuit.note('a', false)
  clock.advance(29_999)
  expect(circuit.open()).toEqual(new Set(['a']))
  expect(circuitState(circuit.tripped()['a'] ?? closed, clock.now())).toBe('open')
  clock.advance(1)
  expect(circuit.open()).toEqual(new Set())
  expect(circuitState(circuit.tripped()['a'] ?? closed, clock.now())).toBe('half_open')
  circuit.note('a', false)
  expect(circuit.open()).toEqual(new Set(['a']))
})

test('an answer, even a decline, forgets the failures before it, and those of others do not count', () => {
  const circuit = circuitBreaker(manualClock(0))
  for (let i = 0; i < 4; i++) circuit.note('a', false)
  circuit.note('a', true)
  circuit.note('a', false)
  circuit.note('b', false)
  expect([circuit.open(), circuit.tripped()]).toEqual([new Set(), {}])
})
