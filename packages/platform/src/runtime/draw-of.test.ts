import { expect, test } from 'vitest'
import { drawOf } from './randomness.ts'

test('a text has one draw, and many texts are spread over all of the range', () => {
  expect(drawOf('fsn_1')).toBe(drawOf('fsn_1'))
  const tenths = Array<number>(10).fill(0)
  for (let i = 0; i < 10_000; i++) {
    const draw = drawOf(`fsn_${i}`)
    expect(draw).toBeLessThan(1)
    tenths[Math.floor(draw * 10)] = (tenths[Math.floor(draw * 10)] ?? 0) + 1
  }
  for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150)
})
