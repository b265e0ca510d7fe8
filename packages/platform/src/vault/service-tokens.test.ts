import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandomness } from '../runtime/randomness.ts'
import { secretBox } from '../runtime/secret-box.ts'
import { type ServiceToken, signServiceToken, verifyServiceToken } from './service-tokens.ts'

const randomness = seededRandomness('service tokens')
const secrets = secretBox(randomness.bytes(32), randomness)
const token: ServiceToken = {
  v: 1,
  type: 'card',
  provider: 'tillwright',
  token: 'card_00TXvVhV1cd8Ha2mG5tqZr',
  nonSensitiveMetadata: { last4: '4242', brand: 'visa', bin: '424242', expMonth: 12, expYear: 2030, funding: 'credit' },
  exp: 1_900_000_900,
  jti: '3kTMd0aB9xYz7uVw5sRq1p',
}
const nowMs = 1_900_000_000_000
const signed = signServiceToken(token, secrets)

test('a token reads back as it was signed', () => {
  expect(verifyServiceToken(signed, secrets, nowMs)).toEqual(token)
})

test('a shop can read what is for display, and sees no number', () => {
  const shown: unknown = JSON.parse(Buffer.from(signed, 'base64url').toString())
  expect(shown).toEqual({ ...token, sig: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) })
})

test('standard base64 and padding are taken too', () => {
  const odd = { ...token, nonSensitiveMetadata: { ...token.nonSensitiveMetadata, brand: '~?>~?>~?>' } }
  const bytes = Buffer.from(signServiceToken(odd, secrets), 'base64url')
  expect(bytes.toString('base64')).toMatch(/[+/]/)
  expect(verifyServiceToken(bytes.toString('base64'), secrets, nowMs)).toEqual(odd)
  expect(verifyServiceToken(bytes.toString('base64').replace(/=+$/, ''), secrets, nowMs)).toEqual(odd)
})

test('any token of the shape survives the way there and back', () => {
  const metadata = fc.record({ brand: fc.string(), expYear: fc.integer({ min: 2000, max: 9999 }) })
  const change = fc.record({ jti: fc.string(), exp: fc.integer({ min: 1_900_000_001, max: 2 ** 40 }) })
  fc.assert(
    fc.property(change, metadata, (fields, shown) => {
      const any = { ...token, ...fields, nonSensitiveMetadata: { ...token.nonSensitiveMetadata, ...shown } }
      expect(verifyServiceToken(signServiceToken(any, secrets), secrets, nowMs)).toEqual(any)
    }),
  )
})

test('a token has one spelling: bits that mean nothing, spaces and too much padding are refused', () => {
  // The last of its characters, which spells a closing brace, has four bits to spare.
  const loose = ['x', 'xx', 'xxx']
    .map((jti) => signServiceToken({ ...token, jti }, secrets))
    .filter((text) => text.endsWith('Q'))
    .join('')
  expect(verifyServiceToken(loose, secrets, nowMs).token).toBe(token.token)
  const respelled = `${loose.slice(0, -1)}R`
  for (const other of [respelled, `${loose}===`, ` ${loose}`, `${loose}\n`, `${loose.slice(0, 9)}.${loose.slice(9)}`]) {
    expect(Buffer.from(other, 'base64url')).toEqual(Buffer.from(loose, 'base64url'))
    expect(() => verifyServiceToken(other, secrets, nowMs)).toThrow('It is not base64url.')
  }
})

test('with any one character changed it is refused', () => {
  const character = fc.constantFrom(
    ...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= .\n\u0000é'),
  )
  fc.assert(
    fc.property(fc.nat(signed.length - 1), character, (place, other) => {
      fc.pre(signed[place] !== other)
      const altered = signed.slice(0, place) + other + signed.slice(place + 1)
      expect(() => verifyServiceToken(altered, secrets, nowMs)).toThrow('This serviceToken is not valid.')
    }),
    { numRuns: 1_000 },
  )
})

test('with any one byte of its JSON changed it is refused', () => {
  const bytes = Buffer.from(signed, 'base64url')
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (place, flip) => {
      const altered = Buffer.from(bytes)
      altered.writeUInt8(altered.readUInt8(place) ^ flip, place)
      expect(() => verifyServiceToken(altered.toString('base64url'), secrets, nowMs)).toThrow(
        'This serviceToken is not valid.',
      )
    }),
    { numRuns: 1_000 },
  )
})

test('cut short anywhere, or with something added, it is refused', () => {
  for (let length = 0; length < signed.length; length++) {
    expect(() => verifyServiceToken(signed.slice(0, length), secrets, nowMs)).toThrow('This serviceToken is not valid.')
  }
  expect(() => verifyServiceToken(`${signed}A`, secrets, nowMs)).toThrow('This serviceToken is not valid.')
})

test("another environment's signature is refused", () => {
  const foreign = signServiceToken(token, secretBox(randomness.bytes(32), randomness))
  expect(() => verifyServiceToken(foreign, secrets, nowMs)).toThrow('altered, or comes from another environment')
})

test('it is good for 15 minutes and not a millisecond longer', () => {
  expect(verifyServiceToken(signed, secrets, token.exp * 1_000 - 1)).toEqual(token)
  expect(() => verifyServiceToken(signed, secrets, token.exp * 1_000)).toThrow(
    expect.objectContaining({ code: 'token_expired' }),
  )
})
