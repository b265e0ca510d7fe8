import { expect, test } from 'vitest'
import { brandOf } from '../card/brands.ts'
import { errorText, textsFor } from './texts.ts'

test.each([
  ['de', 'de'],
  ['DE-at', 'de'],
  ['en-GB', 'en'],
  ['ja', 'en'],
  ['constructor', 'en'],
  ['', 'en'],
])('the locale %j is served in %s', (locale, served) => {
  expect(textsFor(locale).locale).toBe(served)
})

test("a message about the security code names the brand's length", () => {
  expect(errorText(textsFor('en'), { field: 'cvc', code: 'incomplete' }, brandOf('3782'))).toBe(
    'The code has 4 digits.',
  )
  expect(errorText(textsFor('en'), { field: 'cvc', code: 'incomplete' }, brandOf(''))).toBe('The code has 3–4 digits.')
})
