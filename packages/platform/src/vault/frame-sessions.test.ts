import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandomness } from '../runtime/randomness.ts'
import { secretBox } from '../runtime/secret-box.ts'
import { newFrameSession, readFrameSession } from './frame-sessions.ts'

const randomness = seededRandomness('frame sessions')
const services = { randomness, secrets: secretBox(randomness.bytes(32), randomness) }
const owner = { keyId: 'key_1', origin: 'https://shop.example' }
const session = newFrameSession(owner, services)

test('a session is read for its own key and origin, and for no others', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string({ minLength: 1 }), (keyId, origin, more) => {
      const own = newFrameSession({ keyId, origin }, services)
      expect(readFrameSession(own, { keyId, origin }, services)).toBe(own.slice(0, 22))
      expect(readFrameSession(own, { keyId: keyId + more, origin }, services)).toBeNull()
      expect(readFrameSession(own, { keyId, origin: origin + more }, services)).toBeNull()
    }),
  )
})

test('two loadings of a form are two sessions', () => {
  expect(newFrameSession(owner, services)).not.toBe(session)
})

test('with any one character changed, cut short or made longer it is none', () => {
  const character = fc.constantFrom(...Array.from('ABCXYZabcxyz0189-_.=+/ \n\u0000é'))
  fc.assert(
    fc.property(fc.nat(session.length - 1), character, (place, other) => {
      fc.pre(session[place] !== other)
      expect(readFrameSession(session.slice(0, place) + other + session.slice(place + 1), owner, services)).toBeNull()
    }),
  )
  for (let length = 0; length < session.length; length++) {
    expect(readFrameSession(session.slice(0, length), owner, services)).toBeNull()
  }
  expect(readFrameSession(`${session}A`, owner, services)).toBeNull()
})

test("another environment's session is none", () => {
  const elsewhere = { randomness, secrets: secretBox(randomness.bytes(32), randomness) }
  expect(readFrameSession(newFrameSession(owner, elsewhere), owner, services)).toBeNull()
})
