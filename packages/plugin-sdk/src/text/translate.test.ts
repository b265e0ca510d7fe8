import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillIn, translate } from './translate.ts'

const tag = fc.constantFrom('en', 'de', 'de-AT', 'pt-BR', 'zh-Hant', 'zh-Hant-TW', 'ZH-hans', 'ar')
const texts = fc.dictionary(tag, fc.string())

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

test('what has the exact tag is taken, what has none of the languages is the first that there is', () => {
  fc.assert(
    fc.property(texts, tag, (text, locale) => {
      const found = translate(text, locale)
      const exact = Object.entries(text).find(([key, words]) => key.toLowerCase() === locale.toLowerCase() && words)
      if (exact) expect(found).toBe(exact[1])
      expect([...Object.values(text), '']).toContain(found)
      expect(found === '').toBe(Object.values(text).every((words) => words === ''))
    }),
  )
})

test('a text by itself is every language’s, and nothing is an empty text', () => {
  expect([translate('Pay', 'de'), translate(null, 'de'), translate(undefined, 'de'), translate({}, 'de')]).toEqual([
    'Pay',
    '',
    '',
    '',
  ])
})

test('values stand where their names are, and names without a value stay', () => {
  expect(fillIn('Pay {amount} of {total} {constructor}', { amount: '$5', total: 9 })).toBe('Pay $5 of 9 {constructor}')
})
