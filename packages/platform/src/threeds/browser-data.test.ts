import type { BrowserData } from '@tillwright/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { browserFields, colorDepths } from './browser-data.ts'

const usual: BrowserData = {
  javaEnabled: false,
  language: 'en-GB',
  colorDepth: 24,
  screenHeight: 1_080,
  screenWidth: 1_920,
  timeZoneOffset: -60,
  challengeWindowSize: '05',
}
const request = { accept: 'text/html', userAgent: 'Mozilla/5.0', address: '192.0.2.7' }
const fieldsOf = (change: Partial<BrowserData>) => browserFields({ ...usual, ...change }, request)

test('the data of a usual browser are sent unchanged', () => {
  expect(fieldsOf({})).toEqual({
    browserAcceptHeader: 'text/html',
    browserUserAgent: 'Mozilla/5.0',
    browserIP: '192.0.2.7',
    browserJavascriptEnabled: true,
    browserJavaEnabled: false,
    browserColorDepth: '24',
    browserScreenHeight: '1080',
    browserScreenWidth: '1920',
    browserTZ: '-60',
    browserLanguage: 'en-GB',
  })
})

const number = fc.oneof(fc.integer({ min: -1e9, max: 1e9 }), fc.double({ min: -1e9, max: 1e9, noNaN: true }))
const numbers = fc.record({ colorDepth: number, screenHeight: number, screenWidth: number, timeZoneOffset: number })

test('whatever numbers a browser sends, the fields have the form of EMV 3DS', () => {
  fc.assert(
    fc.property(numbers, (sent) => {
      const fields = fieldsOf(sent)
      expect(colorDepths).toContain(fields.browserColorDepth)
      expect(fields.browserScreenHeight).toMatch(/^\d{1,6}$/)
      expect(fields.browserScreenWidth).toMatch(/^\d{1,6}$/)
      expect(fields.browserTZ).toMatch(/^-?\d{1,3}$/)
      expect(Number(fields.browserTZ)).toBeGreaterThanOrEqual(-840)
      expect(Number(fields.browserTZ)).toBeLessThanOrEqual(720)
    }),
  )
})

test('a colour depth that EMV 3DS does not know is the next lower one', () => {
  const depths = [0, 1, 3, 4, 9, 15, 23, 24, 30, 32, 47, 48, 64].map(
    (bits) => fieldsOf({ colorDepth: bits }).browserColorDepth,
  )
  expect(depths).toEqual(['1', '1', '1', '4', '8', '15', '16', '24', '24', '32', '32', '48', '48'])
})

test.for([
  ['en', 'en'],
  ['zh-Hant-TW', 'zh-Hant'],
  ['de-CH-1996', 'de-CH'],
  ['sr-Latn-RS', 'sr-Latn'],
  ['ca-ES-valencia', 'ca-ES'],
  ['en-a-bbbbbb', 'en'],
  ['', 'en'],
  ['x', 'en'],
  ['javascript:alert(1)', 'en'],
] as const)('the language %j is told as %j', ([language, sent]) => {
  expect(fieldsOf({ language }).browserLanguage).toBe(sent)
})

test('any text that is sent as a language becomes one of at most eight characters', () => {
  const subtag = fc.string({ unit: fc.constantFrom(...'abZ09-'), maxLength: 12 })
  fc.assert(
    fc.property(fc.oneof(fc.string(), subtag), (language) => {
      const { browserLanguage } = fieldsOf({ language })
      expect(browserLanguage).toMatch(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{2,8})*$/)
      expect(browserLanguage.length).toBeLessThanOrEqual(8)
    }),
    { examples: [['de-u-co'], ['ab-a-bb']] },
  )
})

test('headers are cut off at 2,048 characters, and a missing one is sent as its meaning', () => {
  const long = browserFields(usual, { ...request, accept: 'a'.repeat(3_000), userAgent: 'b'.repeat(3_000) })
  expect([long.browserAcceptHeader.length, long.browserUserAgent.length]).toEqual([2_048, 2_048])
  const bare = browserFields(usual, { accept: undefined, userAgent: '', address: '' })
  expect(bare).toMatchObject({ browserAcceptHeader: '*/*', browserUserAgent: 'unknown' })
  expect(bare).not.toHaveProperty('browserIP')
})

test('an IPv6 address is sent without its zone', () => {
  expect(browserFields(usual, { ...request, address: 'fe80::1%eth0' }).browserIP).toBe('fe80::1')
})
