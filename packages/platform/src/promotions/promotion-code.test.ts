import { expect, test } from 'vitest'
import { codeKey } from './promotions.ts'

test.for([
  ['summer10', ' SUMMER10 '],
  ['straße', 'STRASSE'],
  ['e\u0301te\u0301', '\u00c9T\u00c9'],
  ['ｓａｌｅ', 'sale'],
] as const)('%s and %s are the same code', ([one, other]) => {
  expect(codeKey(one)).toBe(codeKey(other))
})

test('a space within a code counts', () => {
  expect(codeKey('SUMMER 10')).not.toBe(codeKey('SUMMER10'))
})
