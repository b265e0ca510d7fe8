import { expect, test } from 'vitest'
import { nameError, tidyName } from './name-error.ts'

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
