import { expect, test } from 'vitest'
import { brandOf, takesCvc } from './brands.ts'

test.each([
  ['4', 'visa'],
  ['51', 'mastercard'],
  ['2221', 'mastercard'],
  ['2720', 'mastercard'],
  ['34', 'amex'],
  ['6011', 'discover'],
  ['644', 'discover'],
  ['36', 'diners'],
  ['305', 'diners'],
  ['3528', 'jcb'],
  ['3589', 'jcb'],
  ['62', 'unionpay'],
  ['8171', 'unionpay'],
  ['500', 'maestro'],
  ['6304', 'maestro'],
  ['6759', 'maestro'],
  ['509000', 'elo'],
  ['650516', 'elo'],
  ['2200', 'mir'],
  ['637568', 'hiper'],
  ['63737423', 'hiper'],
  ['606282', 'hipercard'],
  ['506099', 'verve'],
  ['9792', 'troy'],
  ['65875009', 'troy'],
  ['508500', 'rupay'],
  ['817200', 'rupay'],
  ['1', 'uatp'],
  ['6703', 'bancontact'],
])('%s begins a number of %s', (digits, name) => {
  expect(brandOf(digits).name).toBe(name)
})

test.each(['', '5', '2', '2220', '2721', '306', '3527', '3590', '2205', '9'])('%j names no brand', (digits) => {
  expect(brandOf(digits).name).toBe('unknown')
})

test('a security code has four digits on American Express and three elsewhere', () => {
  expect(brandOf('3782').cvcLengths).toEqual([4])
  expect(brandOf('4242').cvcLengths).toEqual([3])
})

test.each([
  ['3782', { cvcName: 'CID', breaks: [4, 10] }, 15],
  ['4', { cvcName: 'CVV', breaks: [4, 8, 12, 16] }, 19],
  ['51', { cvcName: 'CVC', breaks: [4, 8, 12, 16] }, 16],
  ['1', { cvcName: 'CVV', breaks: [4, 9] }, 15],
  ['2200', { cvcName: 'CVP2', breaks: [4, 8, 12, 16] }, 19],
  ['509000', { cvcName: 'CVE', breaks: [4, 8, 12, 16] }, 16],
  ['62', { cvcName: 'CVN', breaks: [4, 8, 12, 16] }, 19],
  ['36', { cvcName: 'CVV', breaks: [4, 10] }, 19],
])('a card of %s has the code and the groups %j and at most %i digits', (digits, rules, longest) => {
  expect(brandOf(digits)).toMatchObject(rules)
  expect(Math.max(...brandOf(digits).lengths)).toBe(longest)
})

test('a co-badged card shows the first of its networks that the shop takes, and without any the first', () => {
  expect(brandOf('6703').name).toBe('bancontact')
  expect(brandOf('6703', { blocked: ['bancontact'] }).name).toBe('maestro')
  expect(brandOf('6703', { allowed: ['visa'] }).name).toBe('bancontact')
})

test('whichever network is shown, the number is the issuer’s, and only the code follows the network', () => {
  const [bancontact, maestro] = [brandOf('6703'), brandOf('6703', { allowed: ['maestro'] })]
  expect(maestro.lengths).toEqual(bancontact.lengths)
  expect([takesCvc(bancontact), takesCvc(maestro)]).toEqual([false, true])
})
