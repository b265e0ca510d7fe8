import { expect, test } from 'vitest'
import { brandOf } from '../card/brands.ts'
import { en, errorText } from './texts.ts'

test("a message about the security code names the brand's length", () => {
  expect(errorText(en, { field: 'cvc', code: 'incomplete' }, brandOf('3782'))).toBe('The code has 4 digits.')
  expect(errorText(en, { field: 'cvc', code: 'incomplete' }, brandOf(''))).toBe('The code has 3–4 digits.')
})
