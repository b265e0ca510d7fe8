import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ibanFault, plainIban } from './iban.ts'

// Source: the examples of ISO 13616's registry.
const registered = [
  'AT61 1904 3002 3457 3201',
  'BE68 5390 0754 7034',
  'DE89 3704 0044 0532 0130 00',
  'FR14 2004 1010 0505 0001 3M02 606',
  'GB29 NWBK 6016 1331 9268 19',
  'MT84 MALT 0110 0001 2345 MTLC AST0 01S',
  'NL91 ABNA 0417 1643 00',
  'NO93 8601 1117 947',
]

test.each(registered)('%s is an IBAN, also in small letters and with other blanks', (iban) => {
  expect(ibanFault(plainIban(iban))).toBeNull()
  expect(ibanFault(plainIban(iban.toLowerCase().replaceAll(' ', '\u00a0')))).toBeNull()
})

test('one wrong digit, and two neighbours that are swapped, are always found', () => {
  const plain = 'DE89370400440532013000'
  fc.assert(
    fc.property(fc.integer({ min: 2, max: plain.length - 1 }), fc.integer({ min: 1, max: 9 }), (place, more) => {
      const wrong = String((Number(plain[place]) + more) % 10)
      expect(ibanFault(plain.slice(0, place) + wrong + plain.slice(place + 1))).toBe('check_digits')
    }),
  )
  fc.assert(
    fc.property(fc.integer({ min: 4, max: plain.length - 2 }), (place) => {
      const [one = '', other = ''] = plain.slice(place, place + 2)
      fc.pre(one !== other)
      expect(ibanFault(plain.slice(0, place) + other + one + plain.slice(place + 2))).toBe('check_digits')
    }),
  )
})

test.each([
  '',
  'DE',
  'DE89',
  '4242424242424242',
  'DE8937040044053201300!',
  'DE89 3704 0044 0532 0130 00',
  'D'.repeat(34),
])('%j does not look like one', (text) => {
  expect(ibanFault(text)).toBe('form')
})
