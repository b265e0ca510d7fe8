import fc from 'fast-check'
import { expect, test } from 'vitest'
import { perPiece, savingOf } from './saving-of.ts'

const one = { pieces: 1, amount: 2_900 }

test('a bundle saves what its pieces cost more one by one', () => {
  expect(savingOf({ pieces: 3, amount: 6_900 }, [one])).toEqual({ amount: 1_800, percent: 20 })
  expect(perPiece({ pieces: 3, amount: 6_900 })).toBe(2_300)
})

test('a bundle that costs as much as its pieces, or more, saves nothing', () => {
  expect(savingOf({ pieces: 2, amount: 5_800 }, [one])).toBe(null)
  expect(savingOf({ pieces: 2, amount: 6_000 }, [one])).toBe(null)
  expect(savingOf(one, [one])).toBe(null)
})

test('what is promised is never more than what is saved', () => {
  const priced = fc.record({ pieces: fc.integer({ min: 1, max: 12 }), amount: fc.integer({ min: 0, max: 10 ** 9 }) })
  fc.assert(
    fc.property(priced, fc.array(priced, { minLength: 1, maxLength: 4 }), (bundle, all) => {
      const saving = savingOf(bundle, all)
      if (saving === null) return
      const smallest = [bundle, ...all].reduce((least, each) => (each.pieces < least.pieces ? each : least))
      const apart = (smallest.amount * bundle.pieces) / smallest.pieces
      expect(saving.amount).toBeLessThanOrEqual(apart - bundle.amount)
      expect(saving.percent / 100).toBeLessThanOrEqual(saving.amount / apart)
    }),
  )
})
