import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandomness } from '../runtime/randomness.ts'
import { secretBox } from '../runtime/secret-box.ts'
import { openCard, sealCard } from './cards.ts'

const randomness = seededRandomness('envelope')
const parts = { randomness, secrets: secretBox(randomness.bytes(32), randomness) }
/** What AES-GCM says of a wrong key, nonce, binding or text. */
const SHUT = 'unable to authenticate data'
const owner = { accountId: 'acc_1', cardId: 'card_1' }
const card = fc.record({ number: fc.stringMatching(/^\d{12,19}$/), name: fc.option(fc.string()) })

test('what was sealed opens for its own card, and for no other', () => {
  fc.assert(
    fc.property(card, fc.string(), fc.string(), (secrets, accountId, cardId) => {
      const envelope = sealCard(secrets, { accountId, cardId }, parts)
      expect(openCard(envelope, { accountId, cardId }, parts)).toEqual(secrets)
      expect(() => openCard(envelope, { accountId, cardId: `${cardId}x` }, parts)).toThrow(SHUT)
      expect(() => openCard(envelope, { accountId: `${accountId}x`, cardId }, parts)).toThrow(SHUT)
    }),
  )
})

test('a changed bit anywhere keeps it shut', () => {
  fc.assert(
    fc.property(card, fc.constantFrom('sealedKey', 'sealedCard'), fc.nat(), (secrets, part, place) => {
      const envelope = sealCard(secrets, owner, parts)
      const bytes = Buffer.from(envelope[part], 'base64')
      const bit = place % (bytes.length * 8)
      bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(() => openCard({ ...envelope, [part]: bytes.toString('base64') }, owner, parts)).toThrow(SHUT)
    }),
  )
})

test('the data key of one card does not open another', () => {
  const [one, two] = [
    sealCard({ number: '1', name: null }, owner, parts),
    sealCard({ number: '2', name: null }, owner, parts),
  ]
  expect(() => openCard({ ...one, sealedKey: two.sealedKey }, owner, parts)).toThrow(SHUT)
})

test('under another master key the error says which key is needed', () => {
  const envelope = sealCard({ number: '4242424242424242', name: null }, owner, parts)
  const other = secretBox(randomness.bytes(32), randomness)
  expect(() => openCard(envelope, owner, { secrets: other })).toThrow(
    `Card card_1 is encrypted under the vault key ${parts.secrets.keyId}`,
  )
})
