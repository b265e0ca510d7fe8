import { expect, test } from 'vitest'
import { brandNamed } from './brands.ts'
import { checkCard, checkSavedCode, nameError, tidyName } from './check-card.ts'

const now = Date.UTC(2026, 5, 15)
const good = { number: '4242 4242 4242 4242', expiry: '12 / 30', cvc: '123' }

test('a good card comes out as digits and numbers', () => {
  const { card, errors, brand } = checkCard(good, now)
  expect(card).toEqual({ number: '4242424242424242', expMonth: 12, expYear: 2030, cvc: '123' })
  expect(errors).toEqual({ number: null, expiry: null, cvc: null, name: null })
  expect(brand.name).toBe('visa')
})

test('an empty form lacks everything', () => {
  const { card, errors } = checkCard({ number: '', expiry: '', cvc: '' }, now)
  expect(card).toBeNull()
  expect(errors).toEqual({ number: 'required', expiry: 'required', cvc: 'required', name: null })
})

test('a name is required where it is asked for, and sent tidy', () => {
  expect(checkCard({ ...good, name: '' }, now)).toMatchObject({ card: null, errors: { name: 'required' } })
  expect(checkCard({ ...good, name: '  Ada   Lovelace ' }, now).card?.name).toBe('Ada Lovelace')
})

test('a number of several networks is sent with the one that it is to be paid over, any other without', () => {
  const coBadged = { ...good, number: '6703 4444 4444 4449' }
  expect(checkCard(coBadged, now).card).toMatchObject({ network: 'bancontact', cvc: '' })
  expect(checkCard(coBadged, now, { allowed: ['maestro'] }).card).toMatchObject({ network: 'maestro', cvc: '123' })
  expect(checkCard(coBadged, now, { blocked: ['bancontact'] }).card?.network).toBe('maestro')
  expect(checkCard(good, now).card).not.toHaveProperty('network')
})

test('a payment over Bancontact goes without a security code, over the other network of the card not', () => {
  const coBadged = { number: '6703 4444 4444 4449', expiry: '12 / 30', cvc: '' }
  expect(checkCard(coBadged, now).errors.cvc).toBeNull()
  expect(checkCard(coBadged, now, { allowed: ['maestro'] }).errors.cvc).toBe('required')
})

test.each([
  ['4242', 'incomplete'],
  ['4242 4242 4242 42', 'incomplete'],
  ['4242 4242 4242 4241', 'invalid'],
  ['4222 2222 2222 2', null],
  ['6200 0000 0000 0000', null],
  ['9999 9999 9999 9995', null],
])('the number %s is judged %s', (number, error) => {
  expect(checkCard({ ...good, number }, now).errors.number).toBe(error)
})

test('how long the security code must be follows from the brand', () => {
  const amex = '3782 822463 10005'
  expect(checkCard({ ...good, number: amex }, now).errors.cvc).toBe('incomplete')
  expect(checkCard({ ...good, number: amex, cvc: '1234' }, now).errors.cvc).toBeNull()
  expect(checkCard({ ...good, cvc: '1234' }, now).errors.cvc).toBe('invalid')
})

test.each([
  ['4242', { blocked: ['visa'] }, 'unsupported'],
  ['4242 4242 4242 4242', { allowed: ['mastercard'] }, 'unsupported'],
  ['4242 4242 4242 4242', { allowed: ['visa'] }, null],
  ['4242 4242 4242 4242', { allowed: ['visa'], blocked: ['visa'] }, 'unsupported'],
  ['6703 4444 4444 4449', { allowed: ['maestro'] }, null],
  ['6703 4444 4444 4449', { allowed: ['visa'] }, 'unsupported'],
  ['', { allowed: ['visa'] }, 'required'],
  ['9', { allowed: ['visa'] }, 'incomplete'],
  ['9999 9999 9999 9995', { allowed: ['visa'] }, 'unsupported'],
  ['9999 9999 9999 9995', { blocked: ['visa'] }, null],
] as const)('the number %j in a shop with %j is judged %s', (number, filter, error) => {
  expect(checkCard({ ...good, number }, now, filter).errors.number).toBe(error)
})

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

test.each(['Li', 'Ada Lovelace', "Zoë d'Été-Ñandú", '山田太郎', 'محمد علي', 'Studio 54 Ltd', 'A'.repeat(45)])(
  '%s is a name',
  (name) => {
    expect(nameError(name)).toBeNull()
  },
)

test.each([
  ['', 'required'],
  ['   ', 'required'],
  ['A', 'invalid'],
  [' A ', 'invalid'],
  ['A'.repeat(46), 'invalid'],
  ['Ada\u0000Lovelace', 'invalid'],
] as const)('%j is no name', (text, error) => {
  expect(nameError(text)).toBe(error)
})

test.each([
  '4242 4242 4242 4242',
  'Ada 4242-4242-4242-4242',
  '4.2.4.2.4.2.4',
  '４２４２４２４２４２４２',
  '٤٢٤٢٤٢٤٢٤٢٤٢',
  '%B4242424242424242^LOVELACE/ADA^',
])('%s is a number in the wrong field', (text) => {
  expect(nameError(text)).toBe('invalid')
})

test('space around a name and between its parts is that of one key', () => {
  expect(tidyName('  Ada \u00a0 Lovelace\t')).toBe('Ada Lovelace')
})
