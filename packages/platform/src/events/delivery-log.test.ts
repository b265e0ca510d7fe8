import { expect, test } from 'vitest'
import { deliveryTry, withTry } from './deliveries.ts'
import type { DeliveryTry } from './tables.ts'

test('the last ten tries are kept, the oldest first', () => {
  let column = '[]'
  for (let i = 0; i < 13; i += 1) {
    column = withTry(
      JSON.parse(column),
      deliveryTry({ status: 500 + i, retryAfter: null, excerpt: '' }, { startMs: i, endMs: i + 7 }),
    )
  }
  const kept: DeliveryTry[] = JSON.parse(column)
  expect(kept.map(({ status }) => status)).toEqual([503, 504, 505, 506, 507, 508, 509, 510, 511, 512])
  expect(kept[0]).toEqual({ at: '1970-01-01T00:00:00.003Z', ms: 7, status: 503, failure: null })
})

test('a try without an answer says why', () => {
  const failed = deliveryTry({ failure: 'ECONNREFUSED' }, { startMs: 0, endMs: 2 })
  expect(JSON.parse(withTry([], failed))).toEqual([
    { at: '1970-01-01T00:00:00.000Z', ms: 2, status: null, failure: 'ECONNREFUSED' },
  ])
})
