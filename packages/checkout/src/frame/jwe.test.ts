import * as fc from 'fast-check'
import { compactDecrypt, decodeProtectedHeader, exportJWK, generateKeyPair } from 'jose'
import { expect, test } from 'vitest'
import { encryptJwe, type RecipientKey } from './jwe.ts'

const { publicKey, privateKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true })
const { x = '', y = '' } = await exportJWK(publicKey)
const recipient: RecipientKey = { kty: 'EC', crv: 'P-256', x, y, kid: 'key-1' }

test('jose decrypts what was encrypted, whatever the text', async () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 5_000 })
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const { plaintext } = await compactDecrypt(await encryptJwe(text, recipient, crypto), privateKey)
      expect(new TextDecoder().decode(plaintext)).toBe(text)
    }),
  )
})

test('the header names the key and the algorithms and carries a public point only', async () => {
  const header = decodeProtectedHeader(await encryptJwe('4242', recipient, crypto))
  expect(header).toEqual({
    alg: 'ECDH-ES',
    enc: 'A256GCM',
    kid: 'key-1',
    epk: { kty: 'EC', crv: 'P-256', x: expect.any(String), y: expect.any(String) },
  })
})

test('the same text never gives the same message, key or nonce twice', async () => {
  const [first, second] = await Promise.all([1, 2].map(() => encryptJwe('4242', recipient, crypto)))
  const parts = [first, second].map((jwe) => jwe?.split('.') ?? [])
  for (const index of [0, 2, 3, 4]) expect(parts[0]?.[index]).not.toBe(parts[1]?.[index])
})

test('a message altered anywhere is refused', async () => {
  const jwe = await encryptJwe('4242', recipient, crypto)
  const [header, , iv, body, tag] = jwe.split('.')
  const other = (await encryptJwe('4242', recipient, crypto)).split('.')
  for (const altered of [
    [other[0], '', iv, body, tag],
    [header, '', other[2], body, tag],
    [header, '', iv, other[3], tag],
    [header, '', iv, body, other[4]],
  ]) {
    await expect(compactDecrypt(altered.join('.'), privateKey)).rejects.toThrow('decryption operation failed')
  }
})
