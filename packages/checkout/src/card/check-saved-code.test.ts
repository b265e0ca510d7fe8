import { expect, test } from 'vitest'
import { brandNamed } from './brands.ts'
import { checkSavedCode } from './check-saved-code.ts'

test.each([
  ['visa', '123', null],
  ['visa', '12', 'incomplete'],
  ['visa', '1234', 'invalid'],
  ['visa', '', 'required'],
  ['amex', '123', 'incomplete'],
  ['amex', '1234', null],
  ['unknown', '1234', null],
  ['visa', '١٢٣', null],
] as const)('the code of a saved %s card, typed as %j: %s', (name, text, error) => {
  const { brand, errors, card } = checkSavedCode(text, 'pi_1', brandNamed(name))
  expect(brand.name).toBe(name)
  expect(errors).toEqual({ number: null, expiry: null, cvc: error, name: null })
  expect(card).toEqual(
    error ? null : { paymentInstrumentId: 'pi_1', cvc: name === 'amex' || name === 'unknown' ? '1234' : '123' },
  )
})

test('a brand without security codes needs none', () => {
  expect(checkSavedCode('', 'pi_1', brandNamed('bancontact')).card).toEqual({ paymentInstrumentId: 'pi_1', cvc: '' })
})
