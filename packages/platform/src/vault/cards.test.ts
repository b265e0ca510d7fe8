import { expect, test } from 'vitest'
import { brandOf, brandRules, enrichmentOf } from './cards.ts'

test.each([
  ['4242424242424242', 'visa'],
  ['4000056655665556', 'visa'],
  ['5555555555554444', 'mastercard'],
  ['2223003122003222', 'mastercard'],
  ['378282246310005', 'amex'],
  ['6011111111111117', 'discover'],
  ['3056930009020004', 'diners'],
  ['36227206271667', 'diners'],
  ['3566002020360505', 'jcb'],
  ['6200000000000005', 'unionpay'],
  ['6759649826438453', 'maestro'],
  ['6703444444444449', 'bancontact'],
  ['9792030394440796', 'troy'],
  ['2200770212727079', 'mir'],
  ['135410014004955', 'uatp'],
  ['9999999999999995', 'unknown'],
  ['9', 'unknown'],
])('%s is a card of %s', (number, brand) => {
  expect(brandOf(number)).toBe(brand)
})

test.each([
  ['2220', 'unknown'],
  ['2221', 'mastercard'],
  ['2720', 'mastercard'],
  ['2721', 'unknown'],
  ['3527', 'unknown'],
  ['3528', 'jcb'],
  ['3589', 'jcb'],
  ['3590', 'unknown'],
  ['643', 'unknown'],
  ['649', 'discover'],
  ['8171', 'unionpay'],
  ['8172', 'rupay'],
  ['820199', 'rupay'],
  ['820200', 'unknown'],
])('a range ends where it says: %s is %s', (digits, brand) => {
  expect(brandOf(digits.padEnd(16, '0'))).toBe(brand)
})

test('only Amex prints a security code of four digits, and of an unknown brand either length is believed', () => {
  const { visa, amex, unknown } = brandRules
  expect([visa.cvcLengths, amex.cvcLengths, unknown.cvcLengths]).toEqual([[3], [4], [3, 4]])
})

test('Bancontact alone takes no security code', () => {
  const without = Object.entries(brandRules).filter(([, rules]) => rules.cvcLengths.includes(0))
  expect(without.map(([brand]) => brand)).toEqual(['bancontact'])
})

test('UnionPay alone has cards without a check digit', () => {
  const without = Object.entries(brandRules).filter(([, rules]) => !rules.checkDigit)
  expect(without.map(([brand]) => brand)).toEqual(['unionpay'])
})

test.each([
  ['4242424242424242', 'credit', 'consumer'],
  ['4000000000000002', 'credit', 'consumer'],
  ['4000056655665556', 'debit', 'consumer'],
  ['5105105105105100', 'prepaid', 'consumer'],
  ['378734493671000', 'credit', 'commercial'],
])('the test card %s is %s and %s', (number, funding, segment) => {
  expect(enrichmentOf(number)).toEqual({ funding, segment })
})

test('a Maestro card is a debit card, whichever bank issued it', () => {
  expect(enrichmentOf('6759649826438453')).toEqual({ funding: 'debit', segment: 'unknown' })
})

test('of other cards nothing is claimed', () => {
  expect(enrichmentOf('4929000000000000')).toEqual({ funding: 'unknown', segment: 'unknown' })
})
