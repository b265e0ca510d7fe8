import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COUNT_SPANS_MS, splitRange, type Stretch } from './counts.ts'

const [HOUR_MS, DAY_MS, LONG_MS] = COUNT_SPANS_MS

test('a long stretch is whole spans of 32 days, with days, hours and rests at both ends', () => {
  const fromMs = LONG_MS - 3 * DAY_MS - 2 * HOUR_MS - 5
  const toMs = 3 * LONG_MS + DAY_MS + HOUR_MS + 7
  expect(splitRange({ fromMs, toMs })).toEqual({
    rests: [
      { fromMs, toMs: fromMs + 5 },
      { fromMs: toMs - 7, toMs },
    ],
    spans: [
      [
        { fromMs: fromMs + 5, toMs: LONG_MS - 3 * DAY_MS },
        { fromMs: 3 * LONG_MS + DAY_MS, toMs: toMs - 7 },
      ],
      [
        { fromMs: LONG_MS - 3 * DAY_MS, toMs: LONG_MS },
        { fromMs: 3 * LONG_MS, toMs: 3 * LONG_MS + DAY_MS },
      ],
      [
        { fromMs: LONG_MS, toMs: 3 * LONG_MS },
        { fromMs: 3 * LONG_MS, toMs: 3 * LONG_MS },
      ],
    ],
  })
})

test('the pieces cover the stretch, none of it twice; each is made of whole spans, and few of them', () => {
  const ms = fc.oneof(fc.integer({ min: 0, max: 4 * LONG_MS }), fc.integer({ min: 0, max: 3 * DAY_MS }))
  fc.assert(
    fc.property(ms, ms, (one, other) => {
      const range: Stretch = { fromMs: Math.min(one, other), toMs: Math.max(one, other) }
      const { spans, rests } = splitRange(range)
      const inOrder = [
        rests[0],
        ...spans.map(([before]) => before),
        ...spans.map(([, behind]) => behind).toReversed(),
        rests[1],
      ]
      const pieces = inOrder.filter(isNotEmpty)
      expect(pieces.reduce((at, { fromMs, toMs }) => (fromMs === at ? toMs : Number.NaN), range.fromMs)).toBe(
        range.toMs,
      )
      for (const [i, spanMs] of COUNT_SPANS_MS.entries()) {
        for (const { fromMs, toMs } of (spans[i] ?? []).filter(isNotEmpty)) {
          expect([fromMs % spanMs, toMs % spanMs]).toEqual([0, 0])
          expect(toMs - fromMs).toBeLessThan(2 * (COUNT_SPANS_MS[i + 1] ?? Infinity))
        }
      }
      for (const { fromMs, toMs } of rests) expect(toMs - fromMs).toBeLessThan(2 * HOUR_MS)
    }),
  )
})

function isNotEmpty({ fromMs, toMs }: Stretch): boolean {
  return fromMs !== toMs
}
