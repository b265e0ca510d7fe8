import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandomness } from '../runtime/randomness.ts'
import { secretBox } from '../runtime/secret-box.ts'
import { openCardVault } from './card-vault.ts'

const randomness = seededRandomness('envelope')
const cardKeys = secretBox(randomness.bytes(32), randomness)
const vault = openCardVault(cardKeys, randomness)
/** The AES-GCM error for a wrong key, nonce, associated data or ciphertext. */
const SHUT = 'unable to authenticate data'
const owner = { accountId: 'acc_1', cardId: 'card_1' }
const card = fc.record({ number: fc.stringMatching(/^\d{12,19}$/), name: fc.option(fc.string()) })

test('what was sealed opens for its own card, and for no other', async () => {
  await fc.assert(
    fc.asyncProperty(card, fc.string(), fc.string(), async (secrets, accountId, cardId) => {
      const sealed = await vault.seal(secrets, { accountId, cardId })
      expect(await vault.open(sealed, { accountId, cardId })).toEqual(secrets)
      await expect(vault.open(sealed, { accountId, cardId: `${cardId}x` })).rejects.toThrow(SHUT)
      await expect(vault.open(sealed, { accountId: `${accountId}x`, cardId })).rejects.toThrow(SHUT)
    }),
  )
})

test('a changed bit anywhere keeps it shut', async () => {
  await fc.assert(
    fc.asyncProperty(card, fc.constantFrom('sealedKey', 'sealedCard'), fc.nat(), async (secrets, part, place) => {
      const sealed = await vault.seal(secrets, owner)
      const bytes = Buffer.from(sealed[part], 'base64')
      const bit = place % (bytes.length * 8)
      bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      await expect(vault.open({ ...sealed, [part]: bytes.toString('base64') }, owner)).rejects.toThrow(SHUT)
    }),
  )
})

test('the data key of one card does not open another', async () => {
  const one = await vault.seal({ number: '1', name: null }, owner)
  const two = await vault.seal({ number: '2', name: null }, owner)
  await expect(vault.open({ ...one, sealedKey: two.sealedKey }, owner)).rejects.toThrow(SHUT)
})

test('under another master key the error says which key is needed', async () => {
  const sealed = await vault.seal({ number: '4242424242424242', name: null }, owner)
  const other = openCardVault(secretBox(randomness.bytes(32), randomness), randomness)
  await expect(other.open(sealed, owner)).rejects.toThrow(
    `Card card_1 is encrypted under the vault key ${cardKeys.keyId}`,
  )
})

test('equal numbers have equal fingerprints, under one key', async () => {
  const seal = (number: string) => vault.seal({ number, name: null }, owner)
  const [one, again, two] = [await seal('4242424242424242'), await seal('4242424242424242'), await seal('1')]
  expect(again.fingerprint).toBe(one.fingerprint)
  expect(two.fingerprint).not.toBe(one.fingerprint)
})
