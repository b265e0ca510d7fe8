import fc from 'fast-check'
import { expect, test } from 'vitest'
import { basisPoints, shareOf } from './effects.ts'

test('a percentage of two decimals is whole basis points', () => {
  for (let points = 1; points <= 10_000; points++) expect(basisPoints(Number((points / 100).toFixed(2)))).toBe(points)
})

test('a share is the exact one rounded half up, up to the greatest amount', () => {
  const amount = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
  fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 10_000 }), (whole, points) => {
      expect(BigInt(shareOf(whole, points))).toBe((BigInt(whole) * BigInt(points) + 5_000n) / 10_000n)
    }),
  )
})

test('a share is never more than the whole', () => {
  expect(shareOf(99, 20_000)).toBe(99)
})
