import { expect, test } from 'vitest'
import { parseDuration } from './option-values.ts'

test.for([
  ['32d', 32 * 86_400_000],
  ['2h', 7_200_000],
  ['15m', 900_000],
  ['30s', 30_000],
  ['1w', 604_800_000],
  ['3650d', 3_650 * 86_400_000],
] as const)('%s is %d milliseconds', ([text, ms]) => {
  expect(parseDuration(text)).toBe(ms)
})

test.for(['', '32', 'd', '-1d', '1.5h', '0d', '3651d', '1 d', '1D', '1d2h'])('"%s" is not a duration', (text) => {
  expect(parseDuration(text)).toBeNull()
})
