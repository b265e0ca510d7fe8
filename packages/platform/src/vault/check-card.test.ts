import { inspect } from 'node:util'
import { MAX_EXPIRY_YEARS } from '@tillwright/contract/card-rules'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../runtime/errors.ts'
import { checkCard } from './check-card.ts'

const nowMs = Date.UTC(2030, 5, 15)
const nowS = nowMs / 1_000
const origins = ['https://shop.example']
const sent = {
  number: '4242424242424242',
  expMonth: 6,
  expYear: 2030,
  cvc: '123',
  iat: nowS,
  jti: 'AAAAAAAAAAAAAAAAAAAAAA',
  origin: 'https://shop.example',
}

const bancontact = { number: '6703444444444449', cvc: '' }

test('a good card is answered with its brand', () => {
  expect(checkCard({ ...sent, extra: 1 }, origins, nowMs)).toEqual({
    number: '4242424242424242',
    brand: 'visa',
    expMonth: 6,
    expYear: 2030,
    cvc: '123',
    name: null,
    messageId: sent.jti,
  })
})

test.each([
  [{ number: '424242424242424' }, 'parameter_invalid', 'number'],
  [{ number: '4242424242424243' }, 'parameter_invalid', 'number'],
  [{ number: '4242 4242 4242 4242' }, 'parameter_invalid', 'number'],
  [{ number: '00000000000' }, 'parameter_invalid', 'number'],
  [{ number: '00000000000000000000' }, 'parameter_invalid', 'number'],
  [{ expMonth: 13 }, 'parameter_invalid', 'expMonth'],
  [{ expMonth: 0.5 }, 'parameter_invalid', 'expMonth'],
  [{ expYear: 31 }, 'parameter_invalid', 'expMonth'],
  [{ expMonth: 5 }, 'expired_card', 'expMonth'],
  [{ expYear: 2029 }, 'expired_card', 'expMonth'],
  [{ expYear: 2051 }, 'parameter_invalid', 'expYear'],
  [{ cvc: '12' }, 'parameter_invalid', 'cvc'],
  [{ cvc: '1234' }, 'parameter_invalid', 'cvc'],
  [{ cvc: '12x' }, 'parameter_invalid', 'cvc'],
  [{ number: '378282246310005', cvc: '123' }, 'parameter_invalid', 'cvc'],
  [{ iat: nowS - 301 }, 'token_expired', undefined],
  [{ iat: nowS + 301 }, 'token_invalid', undefined],
  [{ origin: 'https://elsewhere.example' }, 'token_invalid', undefined],
  [{ origin: 'null' }, 'token_invalid', undefined],
  [{ jti: 'short' }, 'token_invalid', undefined],
  [{ number: 4242424242424242 }, 'token_invalid', undefined],
  [{ network: 'mastercard' }, 'parameter_invalid', 'network'],
  [{ network: 'unknown' }, 'parameter_invalid', 'network'],
  [{ network: '' }, 'parameter_invalid', 'network'],
  [{ network: 'x'.repeat(65) }, 'token_invalid', undefined],
  [{ network: ['visa'] }, 'token_invalid', undefined],
  [{ ...bancontact, network: 'visa' }, 'parameter_invalid', 'network'],
  [{ ...bancontact, network: 'maestro' }, 'parameter_invalid', 'cvc'],
  [{ ...bancontact, cvc: '123' }, 'parameter_invalid', 'cvc'],
  [{ name: '' }, 'parameter_invalid', 'name'],
  [{ name: 'A' }, 'parameter_invalid', 'name'],
  [{ name: 'A'.repeat(46) }, 'parameter_invalid', 'name'],
  [{ name: ' Ada Lovelace' }, 'parameter_invalid', 'name'],
  [{ name: 'Ada\u0000Lovelace' }, 'parameter_invalid', 'name'],
  [{ name: '4242 4242 4242 4242' }, 'parameter_invalid', 'name'],
  [{ name: 'Ada ４２４２４２４' }, 'parameter_invalid', 'name'],
  [{ name: 7 }, 'token_invalid', undefined],
])('%o is refused as %s', (change, code, param) => {
  const error = refusal({ ...sent, ...change })
  expect([error.code, error.details.param]).toEqual([code, param])
})

test.each([
  [{}, 'bancontact', ''],
  [{ network: 'bancontact' }, 'bancontact', ''],
  [{ network: 'maestro', cvc: '123' }, 'maestro', '123'],
])('of a card of Bancontact and Maestro with %j the brand is %s', (chosen, brand, cvc) => {
  expect(checkCard({ ...sent, ...bancontact, ...chosen }, origins, nowMs)).toMatchObject({ brand, cvc })
})

test.each(['Li', 'Ada Lovelace', 'A'.repeat(45), "Zoë d'Été-Ñandú", '山田太郎', 'Studio 54 Ltd'])(
  'the name %s is kept as it was typed',
  (name) => {
    expect(checkCard({ ...sent, name }, origins, nowMs).name).toBe(name)
  },
)

test('all that the buyer must correct is said at once', () => {
  const error = refusal({ ...sent, number: '1', expYear: 2020, cvc: '' })
  expect(error.code).toBe('parameter_invalid')
  expect(error.details.issues?.map((issue) => issue.path)).toEqual(['number', 'expMonth', 'cvc'])
})

test('a card is good until its last month is over everywhere on earth', () => {
  const endsMs = Date.UTC(2030, 6, 1, 12)
  expect(checkCard({ ...sent, iat: endsMs / 1_000 }, origins, endsMs - 1).expMonth).toBe(6)
  expect(() => checkCard({ ...sent, iat: endsMs / 1_000 }, origins, endsMs)).toThrow('The card has expired.')
})

test('a card is believed for twenty years, counted where the new year begins first', () => {
  const newYear = Date.UTC(2030, 11, 31, 10) // Kiritimati is 14 hours ahead
  const expYear = 2031 + MAX_EXPIRY_YEARS
  expect(checkCard({ ...sent, expYear, iat: newYear / 1_000 }, origins, newYear).expYear).toBe(2051)
  expect(() => checkCard({ ...sent, expYear, iat: newYear / 1_000 }, origins, newYear - 1)).toThrow('20 years away')
})

test('five minutes of a wrong clock are forgiven, either way', () => {
  expect(checkCard({ ...sent, iat: nowS - 300 }, origins, nowMs).brand).toBe('visa')
  expect(checkCard({ ...sent, iat: nowS + 300 }, origins, nowMs).brand).toBe('visa')
})

test('a UnionPay number needs no check digit', () => {
  expect(checkCard({ ...sent, number: '6200000000000001' }, origins, nowMs).brand).toBe('unionpay')
})

test('no refusal shows a digit of the number or of the security code', () => {
  const digits = fc.stringMatching(/^\d{9,25}$/)
  fc.assert(
    fc.property(digits, fc.stringMatching(/^\d{5,8}$/), fc.constantFrom(6, 99), (number, cvc, expMonth) => {
      const shown = inspect(refusal({ ...sent, number, cvc, expMonth }), { depth: null })
      expect(shown).not.toContain(number)
      // The trace holds line numbers, which are shorter than this.
      expect(shown).not.toContain(cvc)
    }),
    { numRuns: 50 },
  )
})

test.each([[null], ['4242424242424242'], [['4242424242424242']], [{ '4242424242424242': 1 }]])(
  'what is no card at all is refused without being shown: %o',
  (plaintext) => {
    const error = refusal(plaintext)
    expect(error.code).toBe('token_invalid')
    expect(error.message).not.toContain('4242')
  },
)

function refusal(plaintext: unknown): ApiError {
  try {
    checkCard(plaintext, origins, nowMs)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('The card was taken.')
}
