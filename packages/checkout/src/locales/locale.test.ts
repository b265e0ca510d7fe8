import fc from 'fast-check'
import { expect, test } from 'vitest'
import { localeTags, pickLocale } from './locale.ts'

test.each([
  ['de', 'de'],
  ['DE-at', 'de'],
  ['de_AT', 'de'],
  ['de-CH-1996-u-nu-latn', 'de'],
  ['en-GB', 'en'],
  ['pt-BR', 'pt-BR'],
  ['pt', 'pt'],
  ['pt-AO', 'pt'],
  ['es-419', 'es'],
  ['zh', 'zh-Hans'],
  ['zh-SG', 'zh-Hans'],
  ['zh-Hant-HK', 'zh-Hant'],
  ['zh-TW', 'zh-Hant'],
  ['zh-MO', 'zh-Hant'],
  ['zh-Hans-TW', 'zh-Hans'],
  ['sr', 'sr'],
  ['sr-Cyrl-BA', 'sr'],
  ['sr-Latn-RS', 'sr-Latn'],
  ['sr-ME', 'sr-Latn'],
  ['sh', 'sr-Latn'],
  ['no', 'nb'],
  ['nn-NO', 'nb'],
  ['iw', 'he'],
  ['in-ID', 'id'],
  ['cmn-TW', 'zh-Hant'],
])('the locale %s is served in %s', (locale, served) => {
  expect(pickLocale(locale)).toBe(served)
})

test.each(['', 'sw', 'constructor', '__proto__', 'x-private', '../../card', 'fr/../de', '"><script>'])(
  'the locale %j is served in English',
  (locale) => {
    expect(pickLocale(locale)).toBe('en')
  },
)

test('every language is found by its own tag', () => {
  for (const tag of localeTags) expect(pickLocale(tag)).toBe(tag)
})

test('no text leads to a language that there is not', () => {
  const known: readonly string[] = [...localeTags, 'en']
  fc.assert(fc.property(fc.string(), (locale) => known.includes(pickLocale(locale))))
})
