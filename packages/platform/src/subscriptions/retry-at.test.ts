import { expect, test } from 'vitest'
import { DAY_MS, retryAt } from './periods.ts'

test('what is declined is tried again 1, 3, 5 and 7 days after the first time, and then no more', () => {
  const days: number[] = []
  for (let at: number | null = retryAt(0, 0); at !== null; at = retryAt(days.length, at)) days.push(at / DAY_MS)
  expect(days).toEqual([1, 3, 5, 7])
})
