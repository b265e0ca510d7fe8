import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { encrypt } from '../../test/vault/encrypt.ts'
import { openVault } from '../../test/vault/open-vault.ts'
import { seededRandomness } from '../runtime/randomness.ts'
import { secretBox } from '../runtime/secret-box.ts'
import { addJweKey, forgetFormerJweKeys, openJweKeys } from './jwe.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

test('whatever is encrypted to the public key is read', async () => {
  const { services } = await openVault()
  const keys = await openJweKeys(services)
  const jwk = await keys.publicJwk()
  await fc.assert(
    fc.asyncProperty(fc.json(), async (json) => {
      expect(await keys.decrypt(await encrypt(json, jwk))).toEqual(JSON.parse(json))
    }),
    { numRuns: 30 },
  )
})

test('a restart finds the same key', async () => {
  const { services } = await openVault()
  const before = await openJweKeys(services)
  expect(await (await openJweKeys(services)).publicJwk()).toEqual(await before.publicJwk())
})

test('one seed makes one key', async () => {
  const [one, two] = await Promise.all(
    [openVault(), openVault()].map(async (vault) => openJweKeys((await vault).services)),
  )
  expect(await one?.publicJwk()).toEqual(await two?.publicJwk())
})

test('a key that was drawn before is drawn anew', async () => {
  const { services, clock } = await openVault()
  const again = () => ({ ...services, randomness: seededRandomness('one seed') })
  await addJweKey(again())
  clock.advance(1)
  await addJweKey(again())
  expect(await services.db.read('SELECT id FROM vault_keys', [])).toHaveLength(2)
})

test('after 90 days frames get a new key, and for a day more what was encrypted to the former one is read', async () => {
  const { services, clock } = await openVault()
  const keys = await openJweKeys(services)
  const former = await keys.publicJwk()
  clock.advance(90 * DAY_MS - 1)
  expect(await keys.publicJwk()).toEqual(former)
  clock.advance(1)
  const current = await keys.publicJwk()
  expect(current.kid).not.toBe(former.kid)
  clock.advance(DAY_MS - 1)
  expect(await keys.decrypt(await encrypt('1', former))).toBe(1)
  clock.advance(1)
  await expect(keys.decrypt(await encrypt('1', former))).rejects.toThrow('The card form is out of date')
  expect(await keys.decrypt(await encrypt('2', current))).toBe(2)
  // Nor does a process read it that never had it open.
  await expect((await openJweKeys(services)).decrypt(await encrypt('1', former))).rejects.toThrow('out of date')
})

test('the age at which a key is replaced can be chosen', async () => {
  const { services, clock } = await openVault()
  const keys = await openJweKeys(services, DAY_MS)
  const former = await keys.publicJwk()
  clock.advance(DAY_MS)
  expect((await keys.publicJwk()).kid).not.toBe(former.kid)
})

test('many frames at once make one new key', async () => {
  const { services, clock } = await openVault()
  const keys = await openJweKeys(services)
  clock.advance(90 * DAY_MS)
  const given = await Promise.all(Array.from({ length: 20 }, () => keys.publicJwk()))
  expect(new Set(given.map(({ kid }) => kid)).size).toBe(1)
  expect(await services.db.read('SELECT id FROM vault_keys', [])).toHaveLength(2)
})

test('a former key is deleted when nothing may be read with it any more, and the current one never', async () => {
  const { services, clock } = await openVault()
  const keys = await openJweKeys(services)
  clock.advance(90 * DAY_MS)
  const { kid } = await keys.publicJwk()
  const left = async () => {
    await services.db.write([forgetFormerJweKeys(clock.now())])
    return services.db.read('SELECT id FROM vault_keys', [])
  }
  clock.advance(DAY_MS - 1)
  expect(await left()).toHaveLength(2)
  clock.advance(1)
  expect(await left()).toEqual([{ id: kid }])
  clock.advance(1_000 * DAY_MS)
  expect(await left()).toEqual([{ id: kid }])
})

test('processes that start at once read what is encrypted to either key', async () => {
  const { services } = await openVault()
  const elsewhere = { ...services, randomness: seededRandomness('another process') }
  const [one, two] = await Promise.all([openJweKeys(services), openJweKeys(elsewhere)])
  expect(await one.decrypt(await encrypt('1', await two.publicJwk()))).toBe(1)
  expect(await two.decrypt(await encrypt('2', await one.publicJwk()))).toBe(2)
})

test('what another process has made is read at once, and given to frames within a minute', async () => {
  const { services, clock } = await openVault()
  const [one, two] = [await openJweKeys(services), await openJweKeys(services, DAY_MS)]
  const former = await one.publicJwk()
  clock.advance(DAY_MS)
  await one.publicJwk() // which reads the list of keys once more
  const current = await two.publicJwk()
  expect(await one.decrypt(await encrypt('1', current))).toBe(1)
  clock.advance(60_000)
  expect(await one.publicJwk()).toEqual(current)
  expect(await two.decrypt(await encrypt('2', former))).toBe(2)
})

test('under another master key there is a new key, and the old one stays shut', async () => {
  const { services } = await openVault()
  const before = await (await openJweKeys(services)).publicJwk()
  const cardKeys = secretBox(new Uint8Array(32).fill(7), services.randomness)
  const after = await openJweKeys({ ...services, cardKeys })
  expect((await after.publicJwk()).kid).not.toBe(before.kid)
  await expect(after.decrypt(await encrypt('1', before))).rejects.toThrow('The card form is out of date')
})

test('the private key is not in the database', async () => {
  const { services } = await openVault()
  await openJweKeys(services)
  const [row] = await services.db.read('SELECT * FROM vault_keys', [])
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

test('a message to an unknown key made says that the form is out of date', async () => {
  const { services } = await openVault()
  const keys = await openJweKeys(services)
  const jwk = await keys.publicJwk()
  const jwe = await encrypt('1', { ...jwk, kid: 'A'.repeat(43) })
  await expect(keys.decrypt(jwe)).rejects.toMatchObject({
    code: 'token_invalid',
    message: 'The card form is out of date; load the page again.',
  })
})
