import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandomness } from '../runtime/randomness.ts'
import { secretBox } from '../runtime/secret-box.ts'
import { type SecurityCodeToken, signSecurityCodeToken, verifySecurityCodeToken } from './security-codes.ts'

const secrets = secretBox(new Uint8Array(32).fill(1), seededRandomness('codes'))
const token: SecurityCodeToken = {
  v: 1,
  type: 'security_code',
  provider: 'tillwright',
  paymentInstrumentId: 'pi_1',
  exp: 1_000,
  jti: 'A'.repeat(22),
}
const signed = signSecurityCodeToken(token, secrets)

test('what was signed is read again until its time is over', () => {
  expect(verifySecurityCodeToken(signed, secrets, 999_999)).toEqual(token)
  expect(() => verifySecurityCodeToken(signed, secrets, 1_000_000)).toThrow('older than 15 minutes')
})

test('whatever field is changed, the signature does not fit', () => {
  const fields = JSON.parse(Buffer.from(signed, 'base64url').toString())
  const names = fc.constantFrom(...Object.keys(fields))
  fc.assert(
    fc.property(names, fc.oneof(fc.string(), fc.integer(), fc.constant(null)), (name, value) => {
      fc.pre(fields[name] !== value)
      const altered = Buffer.from(JSON.stringify({ ...fields, [name]: value })).toString('base64url')
      expect(() => verifySecurityCodeToken(altered, secrets, 0)).toThrow('is not valid')
    }),
  )
})

test('a token of another environment is refused', () => {
  const others = secretBox(new Uint8Array(32).fill(2), seededRandomness('codes'))
  expect(() => verifySecurityCodeToken(signed, others, 0)).toThrow('another environment')
})
