import fc from 'fast-check'
import { expect, test } from 'vitest'
import { basisPoints, shareOf, spread } from './effects.ts'

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

test('the greatest remainders get what rounding has left, the first of equal ones before the next', () => {
  expect(spread(10, [1n, 1n, 1n])).toEqual([4, 3, 3])
  expect(spread(10, [5n, 3n, 3n])).toEqual([4, 3, 3])
})

test('nothing is spread over nothing', () => {
  expect(spread(0, [0n, 0n])).toEqual([0, 0])
  expect(spread(5, [])).toEqual([])
})

test('parts sum to the total, and none is further than one from its exact share', () => {
  const weights = fc.array(fc.bigInt({ min: 0n, max: 2n ** 60n }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 52 }), weights, (total, list) => {
      const sum = list.reduce((all, weight) => all + weight, 0n)
      fc.pre(sum > 0n)
      const services = spread(total, list)
      expect(services.reduce((all, part) => all + part, 0)).toBe(total)
      for (const [index, part] of services.entries()) {
        const floor = (BigInt(total) * (list[index] ?? 0n)) / sum
        expect([floor, floor + 1n]).toContain(BigInt(part))
      }
    }),
  )
})
