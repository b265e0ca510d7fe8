import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encrypt } from '../../test/vault/encrypt.ts'
import { openVault, SHOP_ORIGIN, type TestVault } from '../../test/vault/open-vault.ts'
import { takeCard } from '../../test/vault/take-card.ts'
import { testCodes } from '../../test/vault/test-codes.ts'
import { uncounted } from '../../test/vault/uncounted.ts'
import { seededRandomness } from '../runtime/randomness.ts'
import { secretBox } from '../runtime/secret-box.ts'
import { newFrameSession } from './frame-sessions.ts'
import { openJweKeys } from './jwe.ts'
import {
  readTaken,
  redeemSecurityCode,
  type SecurityCodeToken,
  signSecurityCodeToken,
  takeCode,
  verifySecurityCodeToken,
} from './sealed-codes.ts'
import { createSecurityCode } from './security-codes.ts'
import { verifyServiceToken } from './service-tokens.ts'

const use = { storeId: 'store_1', paymentInstrumentId: 'pi_1' }

test('another client’s code for the same card leaves the waiting one alone', async () => {
  const shop = await shopWithCard()
  const first = await shop.send({ cvc: '123' })
  await shop.send({ cvc: '999' })
  const { codeId } = await redeemSecurityCode(first, use, shop.vault.call())
  const [taken = [], again = []] = await shop.vault.commit(Array(2).fill(takeCode({ accountId: 'acc_1', codeId })))
  const code = readTaken(taken)
  expect(code && (await shop.codes.open(code, { accountId: 'acc_1', cardId: shop.cardId }))).toBe('123')
  expect(readTaken(again)).toBeNull()
})

test('nothing that is kept, logged or answered depends on the security code', async () => {
  const [one, two] = [await shopWithCard(), await shopWithCard()]
  expect(await one.send({ cvc: '123' })).toBe(await two.send({ cvc: '987' }))
  expect(await tokens(two.vault)).toEqual(await tokens(one.vault))
  expect([...one.vault.logged, ...two.vault.logged]).toEqual([])
})

test('a code of another store’s card is refused, unless the key is for all stores', async () => {
  const shop = await shopWithCard()
  const refused = shop.send({}, { storeId: 'store_2' })
  await expect(refused).rejects.toMatchObject({ code: 'resource_missing' })
  const token = await shop.send({}, { storeId: null })
  await expect(redeemSecurityCode(token, { ...use, storeId: 'store_2' }, shop.vault.call())).resolves.toMatchObject({
    codeId: expect.any(String),
  })
})

test('a token of one store is refused in another', async () => {
  const shop = await shopWithCard()
  const token = await shop.send()
  const elsewhere = redeemSecurityCode(token, { ...use, storeId: 'store_2' }, shop.vault.call())
  await expect(elsewhere).rejects.toThrow('made for another store')
})

test.each([
  ['of another key’s form', { session: 'none' }, 'token_invalid'],
  ['from a page that the key does not allow', { origin: 'https://evil.example' }, 'token_invalid'],
  ['older than five minutes', { iat: Date.UTC(2030, 0, 1) / 1_000 - 301 }, 'token_expired'],
  ['without an instrument', { paymentInstrumentId: undefined }, 'token_invalid'],
  ['with a code that is no text', { cvc: 123 }, 'token_invalid'],
])('a code %s is refused', async (_, change, code) => {
  const shop = await shopWithCard()
  await expect(shop.send(change)).rejects.toMatchObject({ code })
})

/** A vault with a card that is saved as `pi_1`, and a form that sends security codes for it. */
async function shopWithCard() {
  const vault = await openVault()
  const { token } = await takeCard(vault)
  const { token: cardId } = verifyServiceToken(token.serviceToken, vault.services.secrets, vault.clock.now())
  await vault.commit([
    {
      sql: `INSERT INTO payment_instruments (account_id, id, store_id, customer_id, card_id, is_active, is_default, created_at)
        VALUES ('acc_1', 'pi_1', 'store_1', 'cus_1', ?, 1, 1, 0)`,
      params: [cardId],
    },
  ])
  const jweKeys = await openJweKeys(vault.services)
  const codes = testCodes(vault.services)
  const handler = createSecurityCode({ jweKeys, codes, cardTries: uncounted, verifyChallenge: null })
  const session = newFrameSession({ keyId: 'key_1', origin: SHOP_ORIGIN }, vault.services)
  let messages = 0

  async function send(change: object = {}, caller: { storeId?: string | null } = {}): Promise<string> {
    const message = { cvc: '123', paymentInstrumentId: 'pi_1', origin: SHOP_ORIGIN, session }
    const sent = { ...message, iat: vault.clock.now() / 1_000, jti: String(messages++).padStart(22, 'A'), ...change }
    const body = { jwe: await encrypt(JSON.stringify(sent), await jweKeys.publicJwk()) }
    const reply = await handler({ body, params: undefined, query: undefined }, vault.call(caller))
    if (!('body' in reply)) throw new Error('The vault answers a body of its own making.')
    await vault.commit(reply.writes)
    return reply.body.securityCodeToken
  }
  return { vault, codes, cardId, send }
}

async function tokens({ services: { db } }: TestVault): Promise<readonly object[]> {
  return db.read('SELECT * FROM card_tokens ORDER BY id', [])
}

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
