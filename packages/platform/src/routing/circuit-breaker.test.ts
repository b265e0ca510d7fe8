import { expect, test } from 'vitest'
import { manualClock } from '../runtime/clock.ts'
import { circuitBreaker } from './circuit-breaker.ts'

test('after five failures in a row a processor is left alone for half a minute, and after one more as long again', () => {
  const clock = manualClock(0)
  const circuit = circuitBreaker(clock)
  for (let i = 0; i < 4; i++) circuit.note('a', false)
  expect(circuit.open()).toEqual(new Set())
  circuit.note('a', false)
  clock.advance(29_999)
  expect(circuit.open()).toEqual(new Set(['a']))
  clock.advance(1)
  expect(circuit.open()).toEqual(new Set())
  circuit.note('a', false)
  expect(circuit.open()).toEqual(new Set(['a']))
})

test('an answer, even a decline, forgets the failures before it, and those of others do not count', () => {
  const circuit = circuitBreaker(manualClock(0))
  for (let i = 0; i < 4; i++) circuit.note('a', false)
  circuit.note('a', true)
  circuit.note('a', false)
  circuit.note('b', false)
  expect(circuit.open()).toEqual(new Set())
})
