import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { anyTimestamp, locale, semver, timestamp, webAddress } from './text.ts'

test.for([
  ['2030-01-02T03:04:05Z', '2030-01-02T03:04:05.000Z'],
  ['2030-01-02T03:04:05.6+02:00', '2030-01-02T01:04:05.600Z'],
  ['2030-12-31T23:59:59.999-01:00', '2031-01-01T00:59:59.999Z'],
  ['2030-01-02T03:04Z', '2030-01-02T03:04:00.000Z'],
  ['2030-01-02T03:04+02', '2030-01-02T01:04:00.000Z'],
  ['2030-01-02T03Z', '2030-01-02T03:00:00.000Z'],
  ['2030-01-02T03:04:05+0530', '2030-01-01T21:34:05.000Z'],
  ['20300102T030405Z', '2030-01-02T03:04:05.000Z'],
  ['20300102T0304+02', '2030-01-02T01:04:00.000Z'],
  ['20300102T030405,25-0100', '2030-01-02T04:04:05.250Z'],
  ['2030-01-02t03:04:05z', '2030-01-02T03:04:05.000Z'],
  ['2030-01-02T03:04:05.123456789Z', '2030-01-02T03:04:05.123Z'],
  ['2030-01-02T24:00:00Z', '2030-01-03T00:00:00.000Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ['0050-03-01T00:00:00Z', '0050-03-01T00:00:00.000Z'],
])('a request may send %s, which is read as %s', ([sent = '', read]) => {
  expect(anyTimestamp.parse(sent)).toBe(read)
})

test.for([
  '2030-02-30T00:00:00Z',
  '2030-02-29T00:00:00Z',
  '2030-13-01T00:00:00Z',
  '2030-00-01T00:00:00Z',
  '2030-01-00T00:00:00Z',
  '2030-01-02T25:00:00Z',
  '2030-01-02T24:00:01Z',
  '2030-01-02T03:60:00Z',
  '2030-01-02T03:04:60Z',
  '2030-01-02T03:04:61Z',
  '2030-01-02T03:04:05+24:00',
  '2030-01-02T03:04:05+02:60',
  '2030-01-02T03:04:05 +02:00',
  '2030-01-02 03:04:05Z',
  '203001-02T03:04:05Z',
  '2030-01-02T0304:05Z',
  '0000-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  '+012030-01-02T03:04:05Z',
  '1893456000000',
  '2030-01-02T03:04:05Z\n',
  '',
])('%j is not a timestamp', (sent) => {
  expect(anyTimestamp.safeParse(sent).error?.issues[0]?.message).toMatch(/^must be an ISO 8601 timestamp/)
})

test.for([
  ['2030-01-02', /^is a date without a time: must be/],
  ['20300102', /^is a date without a time: must be/],
  ['2030-01-02T03:04:05', /^has no offset from UTC: must end with "Z"/],
  ['20300102T0304', /^has no offset from UTC: must end with "Z"/],
] as const)('%s lacks something, and the message says what', ([sent, message]) => {
  expect(anyTimestamp.safeParse(sent).error?.issues[0]?.message).toMatch(message)
})

/** Any moment of the years 1 to 9998, written in any of the forms, with the moment that it means. */
const writtenTimestamp = fc
  .record({
    ms: fc.integer({ min: Date.parse('0001-01-01T00:00:00Z'), max: Date.parse('9998-12-31T23:59:59Z') }),
    offset: fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 }),
    basic: fc.boolean(),
    precision: fc.constantFrom('hour', 'minute', 'second', 'millisecond'),
    separator: fc.constantFrom('T', 't'),
    point: fc.constantFrom('.', ','),
    offsetForm: fc.constantFrom('Z', '+hh', '+hhmm', '+hh:mm'),
  })
  .map(({ ms, offset, basic, precision, separator, point, offsetForm }) => {
    const unit = { hour: 3_600_000, minute: 60_000, second: 1_000, millisecond: 1 }[precision]
    const shift = offsetForm === 'Z' ? 0 : offsetForm === '+hh' ? Math.trunc(offset / 60) * 60 : offset
    const local = new Date(Math.floor((ms + shift * 60_000) / unit) * unit)
    const length = { hour: 13, minute: 16, second: 19, millisecond: 23 }[precision]
    const [date = '', time = ''] = local.toISOString().slice(0, length).split('T')
    const hours = String(Math.trunc(Math.abs(shift) / 60)).padStart(2, '0')
    const minutes = String(Math.abs(shift) % 60).padStart(2, '0')
    const sign = shift < 0 ? '-' : '+'
    const zone = {
      Z: 'Z',
      '+hh': sign + hours,
      '+hhmm': sign + hours + minutes,
      '+hh:mm': `${sign}${hours}:${minutes}`,
    }
    const plain = basic ? `${date.replaceAll('-', '')}T${time.replaceAll(':', '')}` : `${date}T${time}`
    return {
      sent: plain.replace('.', point).replace('T', separator) + zone[offsetForm],
      meant: local.getTime() - shift * 60_000,
    }
  })

test('whatever form a moment is written in, it is read as that moment', () => {
  fc.assert(
    fc.property(writtenTimestamp, ({ sent, meant }) => {
      expect(anyTimestamp.parse(sent), sent).toBe(new Date(meant).toISOString())
    }),
    { numRuns: 2_000 },
  )
})

test('whatever text is sent, it is refused or read as a time in UTC, and what RFC 3339 has is never refused', () => {
  const timeLike = fc.string({ unit: fc.constantFrom(...'0123456789-:TtZz+.,'), maxLength: 30 })
  fc.assert(
    fc.property(timeLike, (sent) => {
      const read = anyTimestamp.safeParse(sent)
      if (read.success) expect(timestamp.safeParse(read.data).success, sent).toBe(true)
      else expect(z.iso.datetime({ offset: true }).safeParse(sent).success, sent).toBe(false)
    }),
    { numRuns: 2_000 },
  )
})

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
  const before = process.threadCpuUsage() // not the clock: other programs may have the machine for seconds
  expect(semver.safeParse(`1.2.3-${'0'.repeat(200)}_`).success).toBe(false)
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(100)
})
