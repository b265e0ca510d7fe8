import { expect, test } from 'vitest'
import { plans } from './limits.ts'

test('the plans have the limits of the reference', () => {
  expect(plans).toEqual({ standard: { perMinute: 100, burst: 150 }, premium: { perMinute: 500, burst: 750 } })
})
