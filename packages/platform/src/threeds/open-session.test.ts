import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemRandomness } from '../runtime/randomness.ts'
import { secretBox } from '../runtime/secret-box.ts'
import { readActionToken, signActionToken } from './provider.ts'

const secrets = secretBox(Buffer.alloc(32, 'key'), systemRandomness())
const subject = { accountId: 'acc_1', sessionId: 'threeds_1' }
const token = signActionToken(subject, secrets)

test('a token opens the session that it was made for, and is the same each time', () => {
  expect(readActionToken(token, secrets)).toEqual(subject)
  expect(signActionToken(subject, secrets)).toBe(token)
})

test('a token that was altered anywhere, or signed elsewhere, opens nothing', () => {
  const elsewhere = secretBox(Buffer.alloc(32, 'other'), systemRandomness())
  expect(readActionToken(signActionToken(subject, elsewhere), secrets)).toBeNull()
  const place = fc.nat({ max: token.length - 1 })
  fc.assert(
    fc.property(place, fc.constantFrom(...'Aa0-_.=~'), (at, character) => {
      const altered = token.slice(0, at) + character + token.slice(at + 1)
      // The last character of base64url holds two bits that mean nothing, but its spelling is compared.
      if (altered !== token) expect(readActionToken(altered, secrets)).toBeNull()
    }),
  )
})

test.for([[''], ['.'], ['a.b'], [`${token}x`], [token.slice(0, -1)], [`${token}.${token}`]])(
  '%j is no token',
  ([text]) => {
    expect(readActionToken(text ?? '', secrets)).toBeNull()
  },
)
