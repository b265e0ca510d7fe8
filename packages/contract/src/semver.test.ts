import { expect, test } from 'vitest'
import { semver } from './text.ts'

test.for([
  '0.0.0',
  '1.4.0',
  '10.20.30',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-0.3.7',
  '1.0.0-x-y-z.--',
  '1.0.0-0a',
  '1.0.0+001',
  '1.0.0-beta+exp.sha.5114f85',
  '1.0.0--',
])('%s is a version', (version) => {
  expect(semver.parse(version)).toBe(version)
})

test.for([
  '',
  '1',
  '1.2',
  'v1.2.3',
  '1.2.3.4',
  '01.2.3',
  '1.02.3',
  '1.2.03',
  '1.2.3-',
  '1.2.3-01',
  '1.2.3-a..b',
  '1.2.3+',
  '1.2.3+a+b',
  '1.2.3-ü',
  ' 1.2.3',
  '1.2.3\n',
  '-1.2.3',
  '1.2.x',
  `1.2.3-${'a'.repeat(250)}`,
])('%j is not a version', (version) => {
  expect(semver.safeParse(version).success).toBe(false)
})

test('a long text that is almost a version is refused at once', () => {
  const started = performance.now()
  expect(semver.safeParse(`1.2.3-${'0'.repeat(200)}_`).success).toBe(false)
  expect(performance.now() - started).toBeLessThan(100)
})
