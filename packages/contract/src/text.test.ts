import { expect, test } from 'vitest'
import { z } from 'zod'
import { anyTimestamp, locale, semver, timestamp, webAddress } from './text.ts'

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

test.for([
  ['en', 'en'],
  ['en-us', 'en-US'],
  ['ZH-hant-tw', 'zh-Hant-TW'],
  ['de-DE-u-co-phonebk', 'de-DE-u-co-phonebk'],
] as const)('%s is a language tag, normalized to %s', ([sent, read]) => {
  expect(locale.parse(sent)).toBe(read)
})

test.for(['', 'e', 'en_US', 'english language', 'en-', '-en', 'de-DE-DE', 'ü', 'en\n', 'x'.repeat(65)])(
  '%j is not a language tag',
  (sent) => {
    const { error } = locale.safeParse(sent)
    expect(error?.issues[0]?.path).toEqual([])
  },
)

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
