import { expect, test } from 'vitest'
import { openTestPage, testData, type TestPageOptions } from '../test-page/index.ts'

/** A page whose platform does not answer: its language is known all the same. */
function pageIn(options: TestPageOptions) {
  return openTestPage({ fetch: () => Promise.reject(new TypeError('Failed to fetch')), ...options })
}

test.each([
  [['fr-FR', 'de-AT'], ['en', 'de'], null, 'de-AT'],
  [['fr'], ['en', 'de'], 'de', 'de'],
  [['fr'], ['en', 'de'], 'es', 'en'],
  [['fr'], [], 'de', 'fr'],
  [[], [], null, 'en'],
])('a buyer of %j meets a plugin in %j of a store in %s in %s', (...[languages, locales, locale, found]) => {
  const page = pageIn({ languages, locales, data: testData({ locale }) })
  expect(page.locale.get()).toBe(found)
  expect(page.surroundings.shown).toEqual({ lang: found, dir: 'ltr' })
})

test('a language that is chosen is shown by texts, money and the document', () => {
  const page = pageIn({ locales: ['en', 'ar'] })
  let changes = 0
  page.locale.subscribe(() => (changes += 1))
  page.locale.set('ar')
  expect([page.locale.get(), page.locale.dir(), changes]).toEqual(['ar', 'rtl', 1])
  expect(page.surroundings.shown).toEqual({ lang: 'ar', dir: 'rtl' })
  expect(page.t({ en: 'Pay {sum}', ar: 'ادفع {sum}' }, { sum: 5 })).toBe('ادفع 5')
  expect(() => page.locale.set('not a tag')).toThrow(RangeError)
  expect(page.locale.get()).toBe('ar')
})
