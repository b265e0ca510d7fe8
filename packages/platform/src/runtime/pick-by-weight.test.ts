import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pickByWeight } from './randomness.ts'

const entries = fc.array(fc.record({ weight: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e6, noNaN: true })) }))
const draws = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test('from something one is picked, and never one without weight beside others', () => {
  fc.assert(
    fc.property(entries, draws, (all, draw) => {
      const picked = pickByWeight(all, draw)
      if (all.length === 0) expect(picked).toBeNull()
      else expect(all).toContain(picked)
      if (all.some(({ weight }) => weight > 0)) expect(picked?.weight).toBeGreaterThan(0)
    }),
  )
})

test('shares are as the weights say', () => {
  const [a, b] = [{ weight: 3 }, { weight: 1 }]
  expect(pickByWeight([a, b], 0.7499)).toBe(a)
  expect(pickByWeight([a, b], 0.75)).toBe(b)
})
