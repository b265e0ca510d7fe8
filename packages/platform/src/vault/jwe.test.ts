import { inspect } from 'node:util'
import * as fc from 'fast-check'
import { base64url, CompactEncrypt, exportJWK, generateKeyPair, importJWK } from 'jose'
import { expect, test } from 'vitest'
import { encrypt } from '../../test/vault/encrypt.ts'
import { ApiError } from '../runtime/errors.ts'
import { decryptJwe, keyIdOf, type PublicJwk } from './jwe.ts'

const pair = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true })
const { x = '', y = '' } = await exportJWK(pair.publicKey)
const jwk: PublicJwk = { kty: 'EC', crv: 'P-256', x, y, kid: 'k'.repeat(43), alg: 'ECDH-ES' }

/** One key, used as the vault uses its keys. */
const keys = {
  async decrypt(jwe: string): Promise<unknown> {
    expect(keyIdOf(jwe)).toBe(jwk.kid)
    return decryptJwe(jwe, pair.privateKey)
  },
}

test('another algorithm is refused', async () => {
  const key = await importJWK(jwk, 'ECDH-ES')
  const wrapped = await encryptWith(key, { alg: 'ECDH-ES+A256KW', enc: 'A256GCM', kid: jwk.kid })
  const otherContent = await encryptWith(key, { alg: 'ECDH-ES', enc: 'A128CBC-HS256', kid: jwk.kid })
  const direct = await encryptWith(new Uint8Array(32), { alg: 'dir', enc: 'A256GCM', kid: jwk.kid })
  const { publicKey } = await generateKeyPair('RSA-OAEP-256')
  const rsa = await encryptWith(publicKey, { alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: jwk.kid })
  for (const jwe of [wrapped, otherContent, direct, rsa]) {
    await expect(keys.decrypt(jwe)).rejects.toMatchObject(unreadable)
  }
})

test('a compressed message is refused', async () => {
  const key = await importJWK(jwk, 'ECDH-ES')
  await expect(
    keys.decrypt(await encryptWith(key, { alg: 'ECDH-ES', enc: 'A256GCM', zip: 'DEF', kid: jwk.kid })),
  ).rejects.toMatchObject(unreadable)
})

test('a public key that is not on the curve is refused', async () => {
  const jwe = await encrypt('1', jwk)
  const zero = base64url.encode(new Uint8Array(32))
  const elsewhere = await exportJWK((await generateKeyPair('ECDH-ES')).publicKey)
  for (const point of [{ x: zero, y: zero }, { x: elsewhere.x, y }, { x: '', y: '' }, { x }]) {
    await expect(keys.decrypt(withHeader(jwe, { epk: { kty: 'EC', crv: 'P-256', ...point } }))).rejects.toMatchObject(
      unreadable,
    )
  }
  const other = await exportJWK((await generateKeyPair('ECDH-ES', { crv: 'P-384' })).publicKey)
  await expect(keys.decrypt(withHeader(jwe, { epk: other }))).rejects.toMatchObject(unreadable)
})

test('a key id that is missing or none at all is refused', async () => {
  const jwe = await encrypt('1', jwk)
  for (const kid of [undefined, null, 1, '', "' OR 1=1", [jwk.kid]]) {
    await expect(keys.decrypt(withHeader(jwe, { kid }))).rejects.toMatchObject(unreadable)
  }
})

test('a message that was altered anywhere is refused, and the refusal shows nothing of it', async () => {
  const jwe = await encrypt('{"number":"4242424242424242"}', jwk)
  await fc.assert(
    fc.asyncProperty(fc.nat(jwe.length - 1), fc.constantFrom('A', '_', '.', '{', 'é'), async (place, other) => {
      // The last characters of a part may hold bits that mean nothing; only a message that reads otherwise is altered.
      const altered = jwe.slice(0, place) + other + jwe.slice(place + 1)
      fc.pre(decoded(altered) !== decoded(jwe))
      const error = await keys.decrypt(altered).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'token_invalid', cause: undefined })
    }),
    { numRuns: 150 },
  )
})

test('a plaintext that is no JSON is refused and not shown', async () => {
  const error: unknown = await keys
    .decrypt(await encrypt('4242424242424242 is no JSON', jwk))
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ApiError)
  expect(inspect(error, { depth: null })).not.toContain('4242')
})

test.each(['', 'a', '....', 'a.b.c.d.e', 'e30.....', '{}'])('%j is refused', async (jwe) => {
  await expect(keys.decrypt(jwe)).rejects.toMatchObject(unreadable)
})

test.each([
  ['no algorithm', { alg: 'none' }],
  ['an algorithm in other letters', { alg: 'ecdh-es' }],
  ['a content key of its own', { alg: 'ECDH-ES+A256KW' }],
  ['rules of its own', { crit: ['exp'], exp: 1 }],
  ['compression', { zip: 'DEF' }],
  ['keys from an address', { jku: 'https://evil.example/keys' }],
  ['certificates from an address', { x5u: 'https://evil.example/cert' }],
  ['a certificate', { x5c: ['MIIB'] }],
  ['a key of its own', { jwk: { kty: 'oct', k: 'AAAA' } }],
  ['a sender', { apu: 'QWxpY2U' }],
  ['a receiver', { apv: 'Qm9i' }],
  ['a password', { p2s: 'c2FsdA', p2c: 2_147_483_647 }],
  ['a private key', { epk: { kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43), d: 'A'.repeat(43) } }],
  ['another kind of key', { epk: { kty: 'OKP', crv: 'X25519', x: 'A'.repeat(43) } }],
])('a header with %s is refused', async (_, change) => {
  const jwe = await encrypt('1', jwk)
  await expect(keys.decrypt(withHeader(jwe, change))).rejects.toMatchObject(unreadable)
})

test('a header that asks for more is refused even where it was encrypted with it', async () => {
  const key = await importJWK({ ...jwk }, 'ECDH-ES')
  const plain = { alg: 'ECDH-ES', enc: 'A256GCM', kid: jwk.kid }
  for (const more of [{ typ: 'JWE' }, { cty: 'json' }, { jku: 'https://evil.example/keys' }, { iss: 'me' }]) {
    await expect(keys.decrypt(await encryptWith(key, { ...plain, ...more }))).rejects.toMatchObject(unreadable)
  }
  expect(await keys.decrypt(await encryptWith(key, plain))).toBe(1)
})

test('a content key, or a nonce or tag of another length, is refused', async () => {
  const [header = '', , iv = '', body = '', tag = ''] = (await encrypt('1', jwk)).split('.')
  for (const parted of [
    [header, 'AAAA', iv, body, tag],
    [header, '', iv.slice(0, 8), body, tag],
    [header, '', `${iv}AAAA`, body, tag],
    [header, '', iv, body, tag.slice(0, 16)],
    [header, '', iv, body, ''],
    [header, '', iv, '', tag],
    [header, '', '', body, tag],
  ]) {
    await expect(keys.decrypt(parted.join('.'))).rejects.toMatchObject(unreadable)
  }
})

const unreadable = { code: 'token_invalid', message: expect.stringContaining('cannot be read') }

function encryptWith(
  key: Awaited<ReturnType<typeof importJWK>>,
  header: Parameters<CompactEncrypt['setProtectedHeader']>[0],
): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode('1')).setProtectedHeader(header).encrypt(key)
}

function withHeader(jwe: string, change: Record<string, unknown>): string {
  const [header = '', ...rest] = jwe.split('.')
  const changed: object = { ...JSON.parse(Buffer.from(header, 'base64url').toString()), ...change }
  return [Buffer.from(JSON.stringify(changed)).toString('base64url'), ...rest].join('.')
}

function decoded(jwe: string): string {
  return jwe
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString('hex'))
    .join('.')
}
