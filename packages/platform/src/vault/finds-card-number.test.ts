import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CARD_GAP_MAX, findsCardNumber } from './finds-card-number.ts'
import { passesLuhn } from '@tillwright/contract/card-rules'

test.each([
  ['plain', '4242424242424242'],
  ['in groups', '4242 4242 4242 4242'],
  ['with dashes', '4242-4242-4242-4242'],
  ['with dots', '4242.4242.4242.4242'],
  ['with double spaces', '4242  4242  4242  4242'],
  ['with slashes', '4242/4242/4242/4242'],
  ['with underscores', '4242_4242_4242_4242'],
  ['with dashes of print', '4242–4242—4242−4242'],
  ['with tabs', '4242\t4242\t4242\t4242'],
  ['with line breaks', '4242\r\n4242\r\n4242\r\n4242'],
  ['with commas', '4242, 4242, 4242, 4242'],
  ['with spaces that do not break', '4242\u00a04242\u202f4242\u20094242'],
  ['with nothing to be seen', '4242\u200b4242\u00ad4242\ufeff4242'],
  ['with fillers that pass for letters', '4242\u31644242\u115f4242\u034f4242'],
  ['digit by digit', [...'4242424242424242'].join('.')],
  ['digit by digit with all sorts', '4 2-4.2/4_2|4:2*4#2~4 2·4…2(4)2'],
  ['in full-width digits', '４２４２４２４２４２４２４２４２'],
  ['in Arabic-Indic digits', '٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢'],
  ['in mathematical digits', '𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐'],
  ['in circles', '④②④②④②④②④②④②④②④②'],
  ['in JSON', '{"name":"378282246310005"}'],
  ['in a form', 'card=5555555555554444&x=1'],
  ['behind an order number', 'order 12 4242 4242 4242 4242'],
  ['before date and code', '4242 4242 4242 4242 12 30 123'],
  ['after a date', '12/30 4.2.4.2.4.2.4.2.4.2.4.2.4.2.4.2'],
  ['behind a word', 'card4242 4242 4242 4242'],
  ['behind a word and an underscore', 'card_4242424242424242'],
  ['of Amex as printed', '3782 822463 10005'],
  ['like a telephone number', '+4242 4242 4242 4242'],
])('finds a card number %s', (_, text) => expect(findsCardNumber(text)).toBe(true))

test.each([
  ['a wrong check digit', '4242424242424241'],
  ['milliseconds since 1970', '1795195406903'],
  ['seconds since 1970, and a counter', '1795195406-12342'],
  ['an id', 'product_0VbXCJtV4242424242424242'],
  ['the greatest amount', '{"amount":9007199254740991}'],
  ['too few digits', '42424242'],
  ['a telephone number', '+49 170 1234567'],
  ['a telephone number of 13 digits with a prefix and check digit of Visa', '+49 1512 345 6785'],
  ['an article number with a prefix and check digit of Visa', '4000000000006'],
  ['a date with its time', '30/05/2026 18:13:40'],
  ['a fraction', '4.242424242424242'],
  ['a fraction in a list', '1.5, 52.4242424242424242, 3'],
  ['a UUID of digits', '42424242-4242-4242-8242-424242424242'],
  ['digits with a letter among them', '4242x4242x4242x4242'],
  ['digits far from each other', '4242         4242         4242         4242'],
])('finds none in %s', (_, text) => expect(findsCardNumber(text)).toBe(false))

function digitsOf(count: number): fc.Arbitrary<string> {
  return fc.array(fc.nat(9), { minLength: count, maxLength: count }).map((all) => all.join(''))
}

/** Numbers of each network that has a check digit, of 14 to 19 digits. */
const cardNumber = fc
  .constantFrom(
    ['4', 16],
    ['4', 19],
    ['51', 16],
    ['2221', 16],
    ['34', 15],
    ['37', 15],
    ['6011', 16],
    ['36', 14],
    ['3530', 16],
    ['5018', 17],
    ['2200', 16],
  )
  .chain(([prefix, length]) => digitsOf(length - prefix.length - 1).map((rest) => withCheckDigit(`${prefix}${rest}`)))

function withCheckDigit(start: string): string {
  return start + [...'0123456789'].find((digit) => passesLuhn(start + digit))
}

/** Anything that is neither letter nor digit, and what cannot be seen. */
const gap = fc
  .string({ unit: 'binary', minLength: 1, maxLength: CARD_GAP_MAX / 2 })
  .filter((text) => /^[^\p{L}\p{N}]*$/u.test(text))
const usualGap = fc.constantFrom(
  ' ',
  '  ',
  '-',
  '.',
  '/',
  '_',
  '\t',
  '\n',
  '–',
  ' - ',
  '\u00a0',
  '\u200b',
  ':',
  ',',
  '|',
)
const gaps = fc.array(fc.oneof(fc.constant(''), usualGap, gap), { minLength: 18, maxLength: 18 })
const zero = fc.constantFrom(0x30, 0xff10, 0x660, 0x966, 0x1d7ce, 0x1d7f6)

test('a card number in digits of any script with any mixture of characters in between is found', () => {
  const word = fc.constantFrom('', 'Card ', '卡号：', 'number=', '"', '  ')
  const sent = fc.record({ number: cardNumber, between: gaps, from: zero, before: word, after: word })
  fc.assert(
    fc.property(sent, ({ number, between, from, before, after }) => {
      const digits = [...number].map((digit) => String.fromCodePoint(from + Number(digit)))
      const shown = digits.map((digit, index) => digit + (digits.length - 1 === index ? '' : between[index])).join('')
      fc.pre(!/^\d{1,3}\.\d+$/.test(shown.normalize('NFKC'))) // a decimal fraction
      expect(findsCardNumber(`${before}${shown} ${after}`)).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test('ordinary texts are not taken for card numbers', () => {
  // From when milliseconds of Unix time have thirteen digits: twelve can be a card's.
  const day = fc.date({ min: new Date('2001-09-10'), max: new Date('2090-01-01'), noInvalidDate: true })
  const times = day.chain((date) =>
    fc.constantFrom(
      date.toISOString(),
      String(date.getTime()),
      date.toISOString().replace('T', ' ').replace('Z', ''),
      date.toLocaleString('en-GB', { timeZone: 'UTC' }),
      date.toLocaleString('de-DE', { timeZone: 'UTC' }),
    ),
  )
  const phones = fc
    .tuple(
      fc.constantFrom('1', '30', '34', '36', '39', '44', '49', '55', '62', '86'),
      fc.stringMatching(/^[1-9]\d{8,10}$/),
    )
    .map(([country, rest]) => `+${country} ${rest.slice(0, 3)} ${rest.slice(3)}`)
  const base62 = fc.string({ unit: fc.constantFrom(...'0123456789ABCDEFGHIJabcdefghij'), minLength: 22, maxLength: 22 })
  const ids = fc
    .tuple(fc.constantFrom('store', 'pi', 'order', 'cus', 'req'), base62)
    .map((services) => services.join('_'))
  const articles = fc.stringMatching(/^4\d{11}$/).map((start) => start + eanCheckDigit(start))
  const fractions = fc.double({ min: 0, max: 999, noNaN: true }).map((value) => value.toFixed(15))
  const ordinary = fc.oneof(fc.uuid(), times, phones, ids, articles, fractions)
  fc.assert(
    fc.property(ordinary, fc.constantFrom('', 'From ', 'id='), (text, before) => {
      expect(findsCardNumber(`${before}${text}`)).toBe(false)
    }),
    { numRuns: 5_000 },
  )
})

function eanCheckDigit(start: string): string {
  const sum = [...start].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0)
  return String((10 - (sum % 10)) % 10)
}

test.for([
  '4',
  '4 ',
  '4.',
  '4242 ',
  '4242-',
  '424242424242424',
  '4242  4242,4242;',
  '+49 1512 345 6785 ',
  '42424242-4242-4242-8242-424242424242 ',
  '30/05/2026 18:13:40 ',
  '４ ',
  'a4',
  '\u200b',
  '\ufdfa',
])('a million characters of %j are looked through in a moment', (piece) => {
  const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
  const before = process.threadCpuUsage() // not the clock: other programs may have the machine for seconds
  findsCardNumber(text)
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(1_500) // 5 to 180 ms on an idle machine
})
