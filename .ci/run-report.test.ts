import { expect, test } from 'vitest'
import { slowestFiles } from './run-report.ts'

test('the twenty files that took longest are listed in seconds, the longest first, with the sum of all', () => {
  const files = Array.from({ length: 25 }, (_, index) => ({ path: `${index}.test.ts`, ms: (index + 1) * 1_000 }))
  const lines = slowestFiles(files).split('\n')
  expect(lines[0]).toBe('The 20 slowest test files, in seconds')
  expect(lines.slice(1, 3)).toEqual(['   25.0  24.test.ts', '   24.0  23.test.ts'])
  expect(lines.at(-2)).toBe('    6.0  5.test.ts')
  expect(lines.at(-1)).toBe('  325.0  all 25')
})
