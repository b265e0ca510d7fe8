import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandomness } from '../runtime/randomness.ts'
import { secretBox } from '../runtime/secret-box.ts'
import { brandOf, brandRules, enrichmentOf, openCard, sealCard } from './cards.ts'

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

const randomness = seededRandomness('envelope')
const services = { randomness, secrets: secretBox(randomness.bytes(32), randomness) }
/** The AES-GCM error for a wrong key, nonce, associated data or ciphertext. */
const SHUT = 'unable to authenticate data'
const owner = { accountId: 'acc_1', cardId: 'card_1' }
const card = fc.record({ number: fc.stringMatching(/^\d{12,19}$/), name: fc.option(fc.string()) })

test('what was sealed opens for its own card, and for no other', () => {
  fc.assert(
    fc.property(card, fc.string(), fc.string(), (secrets, accountId, cardId) => {
      const envelope = sealCard(secrets, { accountId, cardId }, services)
      expect(openCard(envelope, { accountId, cardId }, services)).toEqual(secrets)
      expect(() => openCard(envelope, { accountId, cardId: `${cardId}x` }, services)).toThrow(SHUT)
      expect(() => openCard(envelope, { accountId: `${accountId}x`, cardId }, services)).toThrow(SHUT)
    }),
  )
})

test('a changed bit anywhere keeps it shut', () => {
  fc.assert(
    fc.property(card, fc.constantFrom('sealedKey', 'sealedCard'), fc.nat(), (secrets, part, place) => {
      const envelope = sealCard(secrets, owner, services)
      const bytes = Buffer.from(envelope[part], 'base64')
      const bit = place % (bytes.length * 8)
      bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(() => openCard({ ...envelope, [part]: bytes.toString('base64') }, owner, services)).toThrow(SHUT)
    }),
  )
})

test('the data key of one card does not open another', () => {
  const [one, two] = [
    sealCard({ number: '1', name: null }, owner, services),
    sealCard({ number: '2', name: null }, owner, services),
  ]
  expect(() => openCard({ ...one, sealedKey: two.sealedKey }, owner, services)).toThrow(SHUT)
})

test('under another master key the error says which key is needed', () => {
  const envelope = sealCard({ number: '4242424242424242', name: null }, owner, services)
  const other = secretBox(randomness.bytes(32), randomness)
  expect(() => openCard(envelope, owner, { secrets: other })).toThrow(
    `Card card_1 is encrypted under the vault key ${services.secrets.keyId}`,
  )
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

test('a Maestro card is a debit card, whoever issued it', () => {
  expect(enrichmentOf('6759649826438453')).toEqual({ funding: 'debit', segment: 'unknown' })
})

test('of other cards nothing is claimed', () => {
  expect(enrichmentOf('4929000000000000')).toEqual({ funding: 'unknown', segment: 'unknown' })
})
