import { expect, test } from 'vitest'
import { parseExpiry } from './keys.ts'

const NOW = Date.UTC(2030, 0, 1, 12)

test.for([
  ['1d', '2030-01-02T12:00:00.000Z'],
  ['90d', '2030-04-01T12:00:00.000Z'],
  ['2030-01-31', '2030-01-31T00:00:00.000Z'],
  ['2032-02-29', '2032-02-29T00:00:00.000Z'],
  ['2030-01-31T12:00:00Z', '2030-01-31T12:00:00.000Z'],
  ['2030-01-31T12:00+02:00', '2030-01-31T10:00:00.000Z'],
  ['2030-01-31T12:00:00.5-01:30', '2030-01-31T13:30:00.500Z'],
] as const)('%s is %s', ([text, iso]) => {
  expect(new Date(parseExpiry(text, NOW) ?? Number.NaN).toISOString()).toBe(iso)
})

test.for([
  '',
  '90',
  '0d',
  '-1d',
  '1.5d',
  '999999d',
  '90 days',
  '2030-02-30',
  '2031-02-29',
  '2030-13-01',
  '2030-1-1',
  '2030-01-31T12:00',
  '2030-01-31T25:00Z',
  'tomorrow',
])('%j is not an expiry', (text) => {
  expect(parseExpiry(text, NOW)).toBeNull()
})
