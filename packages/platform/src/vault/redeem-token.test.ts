import { expect, test } from 'vitest'
import { openVault } from '../../test/vault/open-vault.ts'
import { takeCard } from '../../test/vault/take-card.ts'
import { signServiceToken, verifyServiceToken } from './service-tokens.ts'
import { redeemToken } from './redeem-token.ts'

const secretKey = { kind: 'secret', keyId: 'key_2', storeId: null, allowedOrigins: [] } as const
const use = { storeId: 'store_1' }

test('a token stands for its card', async () => {
  const vault = await openVault()
  const { token } = await takeCard(vault)
  const { card, writes } = await redeemToken(token.serviceToken, use, vault.call(secretKey))
  await vault.commit(writes)
  expect(card).toEqual({
    id: expect.stringMatching(/^card_/),
    brand: 'visa',
    last4: '4242',
    bin: '424242',
    expMonth: 12,
    expYear: 2030,
    funding: 'credit',
    segment: 'consumer',
    kind: 'number',
    wallet: null,
  })
})

test('a test token stands for a published test card in development, too, and in production for none', async () => {
  const vault = await openVault()
  const callIn = (environment: 'development' | 'production') => {
    const call = vault.call(secretKey)
    return { ...call, services: { ...call.services, environment } }
  }
  const { card, fingerprint, writes } = await redeemToken('tok_mastercard', use, callIn('development'))
  await vault.commit(writes)
  expect(card).toMatchObject({ brand: 'mastercard', last4: '4444', expMonth: 12, expYear: 2033, funding: 'credit' })
  const rows = await vault.services.db.read('SELECT fingerprint FROM cards WHERE id = ?', [card.id])
  expect(rows).toEqual([{ fingerprint }])
  await expect(redeemToken('tok_mastercard', use, callIn('production'))).rejects.toMatchObject({
    code: 'token_invalid',
  })
})

test('a used token is refused', async () => {
  const vault = await openVault()
  const { token } = await takeCard(vault)
  await vault.commit((await redeemToken(token.serviceToken, use, vault.call(secretKey))).writes)
  await expect(redeemToken(token.serviceToken, use, vault.call(secretKey))).rejects.toMatchObject({
    code: 'token_used',
  })
})

test('of many that redeem one token at once one succeeds', async () => {
  const vault = await openVault()
  const { token } = await takeCard(vault)
  const redeemed = Array.from({ length: 16 }, () => redeemToken(token.serviceToken, use, vault.call(secretKey)))
  const outcomes = await Promise.allSettled((await Promise.all(redeemed)).map(({ writes }) => vault.commit(writes)))
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused).toHaveLength(15)
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'token_used' })
})

test('after 15 minutes a token is refused', async () => {
  const vault = await openVault()
  const { token } = await takeCard(vault)
  vault.clock.advance(15 * 60 * 1_000)
  await expect(redeemToken(token.serviceToken, use, vault.call(secretKey))).rejects.toMatchObject({
    code: 'token_expired',
  })
})

test('another account cannot redeem it', async () => {
  const vault = await openVault()
  const { token } = await takeCard(vault)
  const call = vault.call({ ...secretKey, accountId: 'acc_2' })
  await expect(redeemToken(token.serviceToken, use, call)).rejects.toThrow('belongs to another account')
})

test('another store cannot redeem it, unless its key was for all stores', async () => {
  const vault = await openVault()
  const bound = await takeCard(vault, { jti: 'A'.repeat(22) })
  const free = await takeCard(vault, { jti: 'B'.repeat(22) }, { storeId: null })
  const elsewhere = { storeId: 'store_2' }
  await expect(redeemToken(bound.token.serviceToken, elsewhere, vault.call(secretKey))).rejects.toThrow(
    'made for another store',
  )
  expect((await redeemToken(free.token.serviceToken, elsewhere, vault.call(secretKey))).card.last4).toBe('4242')
})

test('what the token displays is not believed, even if it is signed', async () => {
  const vault = await openVault()
  const { token } = await takeCard(vault)
  const { secrets } = vault.services
  const read = verifyServiceToken(token.serviceToken, secrets, vault.clock.now())
  const boast = { ...read, nonSensitiveMetadata: { ...read.nonSensitiveMetadata, brand: 'amex', last4: '0000' } }
  const { card } = await redeemToken(signServiceToken(boast, secrets), use, vault.call(secretKey))
  expect([card.brand, card.last4]).toEqual(['visa', '4242'])
})

test('a token cannot be turned to another card', async () => {
  const vault = await openVault()
  const [one, two] = [await takeCard(vault, { jti: 'A'.repeat(22) }), await takeCard(vault, { jti: 'B'.repeat(22) })]
  const { secrets } = vault.services
  const [first, second] = [one, two].map(({ token }) =>
    verifyServiceToken(token.serviceToken, secrets, vault.clock.now()),
  )
  const mixed = { ...first, ...(second && { token: second.token }) }
  expect(mixed.token).toBe(second?.token)
  await expect(
    redeemToken(Buffer.from(JSON.stringify(mixed)).toString('base64url'), use, vault.call(secretKey)),
  ).rejects.toMatchObject({ code: 'token_invalid' })
})
