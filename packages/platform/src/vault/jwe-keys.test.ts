import { inspect } from 'node:util'
import * as fc from 'fast-check'
import { base64url, CompactEncrypt, exportJWK, generateKeyPair, importJWK } from 'jose'
import { expect, test } from 'vitest'
import { ApiError } from '../ambient/api-error.ts'
import { seededRandomness } from '../ambient/randomness.ts'
import { secretBox } from '../ambient/secret-box.ts'
import { addJweKey, openJweKeys, type PublicJwk } from './jwe-keys.ts'
import { openVault } from './testing/open-vault.ts'

test('whatever is encrypted to the public key is read', async () => {
  const { parts } = await openVault()
  const keys = await openJweKeys(parts)
  await fc.assert(
    fc.asyncProperty(fc.json(), async (json) => {
      expect(await keys.decrypt(await encrypt(json, keys.publicJwk))).toEqual(JSON.parse(json))
    }),
    { numRuns: 30 },
  )
})

test('a restart finds the same key', async () => {
  const { parts } = await openVault()
  const before = await openJweKeys(parts)
  expect((await openJweKeys(parts)).publicJwk).toEqual(before.publicJwk)
})

test('one seed makes one key', async () => {
  const [one, two] = [await openVault(), await openVault()]
  expect((await openJweKeys(one.parts)).publicJwk).toEqual((await openJweKeys(two.parts)).publicJwk)
})

test('after a rotation new frames get the new key, and what was encrypted to the old one is still read', async () => {
  const { parts, clock } = await openVault()
  const before = await openJweKeys(parts)
  clock.advance(1)
  await addJweKey(parts)
  const after = await openJweKeys(parts)
  expect(after.publicJwk.kid).not.toBe(before.publicJwk.kid)
  expect(await after.decrypt(await encrypt('1', before.publicJwk))).toBe(1)
  // A process that was started before the rotation.
  expect(await before.decrypt(await encrypt('2', after.publicJwk))).toBe(2)
})

test('processes that start at once read what is encrypted to either key', async () => {
  const { parts } = await openVault()
  const elsewhere = { ...parts, randomness: seededRandomness('another process') }
  const [one, two] = await Promise.all([openJweKeys(parts), openJweKeys(elsewhere)])
  expect(await one.decrypt(await encrypt('1', two.publicJwk))).toBe(1)
  expect(await two.decrypt(await encrypt('2', one.publicJwk))).toBe(2)
})

test('under another master key there is a new key, and the old one stays shut', async () => {
  const { parts } = await openVault()
  const before = await openJweKeys(parts)
  const secrets = secretBox(new Uint8Array(32).fill(7), parts.randomness)
  const after = await openJweKeys({ ...parts, secrets })
  expect(after.publicJwk.kid).not.toBe(before.publicJwk.kid)
  await expect(after.decrypt(await encrypt('1', before.publicJwk))).rejects.toThrow('The card form is out of date')
})

test('the private key is not in the database', async () => {
  const { parts } = await openVault()
  await openJweKeys(parts)
  const [row] = await parts.db.read('SELECT * FROM vault_keys', [])
  expect(Object.keys(JSON.parse(String(row?.['public_jwk']))).toSorted()).toEqual([
    'alg',
    'crv',
    'kid',
    'kty',
    'x',
    'y',
  ])
  expect(String(row?.['sealed_private_jwk'])).toMatch(/^[A-Za-z0-9+/]+=*$/)
})

test('another algorithm is refused', async () => {
  const { parts } = await openVault()
  const keys = await openJweKeys(parts)
  const key = await importJWK(keys.publicJwk, 'ECDH-ES')
  const wrapped = await encryptWith(key, { alg: 'ECDH-ES+A256KW', enc: 'A256GCM', kid: keys.publicJwk.kid })
  const otherContent = await encryptWith(key, { alg: 'ECDH-ES', enc: 'A128CBC-HS256', kid: keys.publicJwk.kid })
  const direct = await encryptWith(new Uint8Array(32), { alg: 'dir', enc: 'A256GCM', kid: keys.publicJwk.kid })
  const { publicKey } = await generateKeyPair('RSA-OAEP-256')
  const rsa = await encryptWith(publicKey, { alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: keys.publicJwk.kid })
  for (const jwe of [wrapped, otherContent, direct, rsa]) {
    await expect(keys.decrypt(jwe)).rejects.toMatchObject(unreadable)
  }
})

test('a compressed message is refused', async () => {
  const { parts } = await openVault()
  const keys = await openJweKeys(parts)
  const key = await importJWK(keys.publicJwk, 'ECDH-ES')
  await expect(
    keys.decrypt(await encryptWith(key, { alg: 'ECDH-ES', enc: 'A256GCM', zip: 'DEF', kid: keys.publicJwk.kid })),
  ).rejects.toMatchObject(unreadable)
})

test('a public key that is not on the curve is refused', async () => {
  const { parts } = await openVault()
  const keys = await openJweKeys(parts)
  const jwe = await encrypt('1', keys.publicJwk)
  const zero = base64url.encode(new Uint8Array(32))
  const { x = '' } = await exportJWK((await generateKeyPair('ECDH-ES')).publicKey)
  for (const point of [{ x: zero, y: zero }, { x, y: keys.publicJwk.y }, { x: '', y: '' }, { x: keys.publicJwk.x }]) {
    await expect(keys.decrypt(withHeader(jwe, { epk: { kty: 'EC', crv: 'P-256', ...point } }))).rejects.toMatchObject(
      unreadable,
    )
  }
  const other = await exportJWK((await generateKeyPair('ECDH-ES', { crv: 'P-384' })).publicKey)
  await expect(keys.decrypt(withHeader(jwe, { epk: other }))).rejects.toMatchObject(unreadable)
})

test('a key id that is unknown, missing or none at all is refused', async () => {
  const { parts } = await openVault()
  const keys = await openJweKeys(parts)
  const jwe = await encrypt('1', keys.publicJwk)
  await expect(keys.decrypt(withHeader(jwe, { kid: 'A'.repeat(43) }))).rejects.toThrow('The card form is out of date')
  for (const kid of [undefined, null, 1, '', "' OR 1=1", [keys.publicJwk.kid]]) {
    await expect(keys.decrypt(withHeader(jwe, { kid }))).rejects.toMatchObject(unreadable)
  }
})

test('a message that was altered anywhere is refused, and the refusal shows nothing of it', async () => {
  const { parts } = await openVault()
  const keys = await openJweKeys(parts)
  const jwe = await encrypt('{"number":"4242424242424242"}', keys.publicJwk)
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
  const { parts } = await openVault()
  const keys = await openJweKeys(parts)
  const error: unknown = await keys
    .decrypt(await encrypt('4242424242424242 is no JSON', keys.publicJwk))
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ApiError)
  expect(inspect(error, { depth: null })).not.toContain('4242')
})

test.each(['', 'a', '....', 'a.b.c.d.e', 'e30.....', '{}'])('%j is refused', async (jwe) => {
  const { parts } = await openVault()
  await expect((await openJweKeys(parts)).decrypt(jwe)).rejects.toMatchObject(unreadable)
})

const unreadable = { code: 'token_invalid', message: expect.stringContaining('cannot be read') }

async function encrypt(json: string, jwk: PublicJwk): Promise<string> {
  const header = { alg: 'ECDH-ES', enc: 'A256GCM', kid: jwk.kid }
  return new CompactEncrypt(new TextEncoder().encode(json))
    .setProtectedHeader(header)
    .encrypt(await importJWK({ ...jwk }))
}

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
