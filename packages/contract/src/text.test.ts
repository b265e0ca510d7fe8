import { expect, test } from 'vitest'
import { z } from 'zod'
import { anyTimestamp, timestamp, webAddress } from './text.ts'

test.for([
  ['2030-01-02T03:04:05Z', '2030-01-02T03:04:05.000Z'],
  ['2030-01-02T03:04:05.6+02:00', '2030-01-02T01:04:05.600Z'],
  ['2030-12-31T23:59:59.999-01:00', '2031-01-01T00:59:59.999Z'],
])('a request may send %s, which is read as %s', ([sent = '', read]) => {
  expect(anyTimestamp.parse(sent)).toBe(read)
})

test.for(['2030-01-02', '2030-01-02T03:04:05', '2030-02-30T00:00:00Z', '1893456000000', ''])(
  '%j is not a timestamp',
  (sent) => {
    expect(anyTimestamp.safeParse(sent).success).toBe(false)
  },
)

test('examples of timestamp fields are part of the JSON Schema of a request', () => {
  const field = anyTimestamp
    .nullable()
    .default(null)
    .meta({ examples: ['2030-01-01T00:00:00Z'] })
  expect(z.toJSONSchema(field, { io: 'input' })).toMatchObject({ examples: ['2030-01-01T00:00:00Z'] })
})

test('a response has UTC timestamps with milliseconds', () => {
  expect(timestamp.safeParse('2030-01-02T03:04:05.678Z').success).toBe(true)
  for (const other of ['2030-01-02T03:04:05Z', '2030-01-02T03:04:05.678+00:00']) {
    expect(timestamp.safeParse(other).success, other).toBe(false)
  }
})

test.for(['https://shop.example/a.png', 'http://localhost:1/x'])('%s is a web address', (address) => {
  expect(webAddress.safeParse(address).success).toBe(true)
})

test.for(['javascript:alert(1)', 'ftp://x.example', '/a.png', 'data:text/html,x', ''])(
  '%j is not a web address',
  (address) => {
    expect(webAddress.safeParse(address).success).toBe(false)
  },
)
