import { currencyExponent } from '@tillwright/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openTestPage, testData, type TestPageOptions } from './test-page/index.ts'
import { directionOf, fillIn, formatMoney, formatPeriod, translate } from './text.ts'

/** A page whose platform does not respond: its language is known all the same. */
function pageIn(options: TestPageOptions) {
  return openTestPage({ fetch: () => Promise.reject(new TypeError('Failed to fetch')), ...options })
}

test.each([
  [['fr-FR', 'de-AT'], ['en', 'de'], null, 'de-AT'],
  [['fr'], ['en', 'de'], 'de', 'de'],
  [['fr'], ['en', 'de'], 'es', 'en'],
  [['fr'], [], 'de', 'fr'],
  [[], [], null, 'en'],
  [['en-US@posix', 'c', 'de'], ['en', 'de'], null, 'de'],
  [['en-US@posix'], [], null, 'en'],
])('a buyer with %j and a plugin with %j in a store in %s get %s', (...[languages, locales, locale, found]) => {
  const page = pageIn({ languages, locales, data: testData({ locale }) })
  expect(page.locale.get()).toBe(found)
  expect(page.environment.shown).toEqual({ lang: found, dir: 'ltr' })
})

test('a chosen language is used by texts, money and the document', () => {
  const page = pageIn({ locales: ['en', 'ar'] })
  let changes = 0
  page.locale.subscribe(() => (changes += 1))
  page.locale.set('ar')
  expect([page.locale.get(), page.locale.dir(), changes]).toEqual(['ar', 'rtl', 1])
  expect(page.environment.shown).toEqual({ lang: 'ar', dir: 'rtl' })
  expect(page.t({ en: 'Pay {sum}', ar: 'ادفع {sum}' }, { sum: 5 })).toBe('ادفع 5')
  expect(() => page.locale.set('not a tag')).toThrow(RangeError)
  expect(page.locale.get()).toBe('ar')
})

const languageTag = fc.constantFrom('en', 'de', 'de-AT', 'pt-BR', 'zh-Hant', 'zh-Hant-TW', 'ZH-hans', 'ar')
const texts = fc.dictionary(languageTag, fc.string())

test.each([
  ['de-AT', 'Servus'],
  ['de-CH', 'Hallo'],
  ['pt', 'Olá'],
  ['zh-Hant-TW', '您好'],
  ['FR', 'Hello'],
])('in %s the greeting is %s', (locale, greeting) => {
  const text = {
    en: 'Hello',
    de: 'Hallo',
    'de-AT': 'Servus',
    'pt-BR': 'Olá',
    'zh-Hans': '你好',
    'zh-Hant': '您好',
    fr: '',
  }
  expect(translate(text, locale, 'en')).toBe(greeting)
})

test('the exact tag is preferred, and without any match the first text is used', () => {
  fc.assert(
    fc.property(texts, languageTag, (text, locale) => {
      const found = translate(text, locale)
      const exact = Object.entries(text).find(([key, words]) => key.toLowerCase() === locale.toLowerCase() && words)
      if (exact) expect(found).toBe(exact[1])
      expect([...Object.values(text), '']).toContain(found)
      expect(found === '').toBe(Object.values(text).every((words) => words === ''))
    }),
  )
})

test('a plain text applies to every language, and nothing is an empty text', () => {
  expect([translate('Pay', 'de'), translate(null, 'de'), translate(undefined, 'de'), translate({}, 'de')]).toEqual([
    'Pay',
    '',
    '',
    '',
  ])
})

test('values replace their names, and names without a value are kept', () => {
  expect(fillIn('Pay {amount} of {total} {constructor}', { amount: '$5', total: 9 })).toBe('Pay $5 of 9 {constructor}')
})

const currencies = Intl.supportedValuesOf('currency').filter((code) => currencyExponent(code) !== null)

test('every amount is shown to the last minor unit, with the decimals of ISO 4217', () => {
  expect(currencies.length).toBeGreaterThan(120)
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e15 }), fc.constantFrom(...currencies), (amount, currency) => {
      const shown = formatMoney(amount, currency, 'en-US')
        .replace(/[^\d.]/g, '')
        .replace(/^\.+/, '')
      const decimals = currencyExponent(currency) ?? 0
      expect(shown.split('.')[1]?.length ?? 0).toBe(decimals)
      expect(Number(shown.replace('.', ''))).toBe(amount)
    }),
  )
})

test.each([
  [199_900, 'EUR', 'de', '1.999,00 €'],
  [1_999, 'JPY', 'en', '¥1,999'],
  [1_999, 'KWD', 'en', 'KWD 1.999'],
  [-500, 'USD', 'en', '-$5.00'],
  [1_999, 'LBP', 'en', 'LBP 19.99'],
])('%i of %s in %s is %s', (...[amount, currency, locale, shown]) => {
  expect(formatMoney(amount, currency, locale).replaceAll('\u00a0', ' ')).toBe(shown)
})

test('in right-to-left text, an amount ends with a mark that keeps its currency together', () => {
  for (const locale of ['ar', 'he']) expect(formatMoney(1_999, 'USD', locale)).toMatch(/\u200e$/)
  expect(formatMoney(1_999, 'USD', 'en')).not.toContain('\u200e')
})

test('its currency is on the same side of a negative amount', () => {
  for (const amount of [1_999, -1_999])
    expect(formatMoney(amount, 'USD', 'ar')).toMatch(/19\.99\u200f\u00a0US\$\u200e$/)
})

test.each([
  [1, 'month', 'en', '/ month'],
  [1, 'month', 'de', '/ Monat'],
  [1, 'month', 'ar', '/ شهر'],
  [1, 'month', 'zh', '/ 个月'],
  [2, 'week', 'en', '/ 2 weeks'],
  [2, 'year', 'ar', '/ سنتان'],
])('a price paid every %i %s is in %s %s', (...[intervalCount, interval, locale, words]) => {
  expect(formatPeriod({ interval, intervalCount }, locale)).toBe(words)
})

test.each([
  ['ar-EG', 'rtl'],
  ['he', 'rtl'],
  ['ur', 'rtl'],
  ['az-Arab', 'rtl'],
  ['de-AT', 'ltr'],
  ['zh', 'ltr'],
] as const)('%s is written %s', (tag, direction) => {
  expect(directionOf(tag)).toBe(direction)
})
