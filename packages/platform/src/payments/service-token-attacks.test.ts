import { contract } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { serviceToken } from '../../test/pay-with-card.ts'
import { secondAccount } from '../../test/second-account.ts'
import { sharedPlatform, type TestPlatform } from '../../test/test-platform.ts'
import { revokeApiKey } from '../accounts/api-keys.ts'
import { commit } from '../http/operations/commit.ts'

const platform = sharedPlatform()

async function redeem(token: string, { request, local }: TestPlatform = platform()) {
  const body = { serviceToken: token, storeId: local.storeId }
  const {
    status,
    body: answer,
    text,
  } = await request('POST', contract.paymentInstruments.createFromToken.path, { body })
  return { status, answer, text }
}

const invalid = { status: 400, answer: { error: { code: 'token_invalid', param: 'serviceToken' } } }

test.each<[string, (token: Fields, other: Fields) => object]>([
  ['another card', (token, other) => ({ ...token, token: other.token })],
  ['a longer life', (token) => ({ ...token, exp: Number(token.exp) + 3_600 })],
  ['another id', (token, other) => ({ ...token, jti: other.jti })],
  ['another version', (token) => ({ ...token, v: 2 })],
  ['another type', (token) => ({ ...token, type: 'bank' })],
  ['another provider', (token) => ({ ...token, provider: 'other' })],
  [
    'other metadata',
    (token) => ({ ...token, nonSensitiveMetadata: { ...Object(token.nonSensitiveMetadata), last4: '0' } }),
  ],
  ['the metadata of another', (token, other) => ({ ...token, nonSensitiveMetadata: other.nonSensitiveMetadata })],
  ['the signature of another', (token, other) => ({ ...token, sig: other.sig })],
  ['no signature', ({ sig: _, ...token }) => token],
  ['an empty signature', (token) => ({ ...token, sig: '' })],
  ['a signature that is no text', (token) => ({ ...token, sig: null })],
  ['a field more', (token) => ({ ...token, admin: true })],
  ['a list around it', (token) => [token]],
])('a token with %s is refused, and is good as it was', async (_, change) => {
  const [token, other] = [await serviceToken(platform()), await serviceToken(platform(), '5555555555554444')]
  const altered = write(change(read(token), read(other)))
  expect(await redeem(altered)).toMatchObject(invalid)
  expect(await redeem(token)).toMatchObject({ status: 201, answer: { paymentInstrument: { card: { last4: '4242' } } } })
})

test('a token that is spelled in standard base64 is the same token, and is spent with it', async () => {
  const token = await serviceToken(platform())
  expect((await redeem(Buffer.from(token, 'base64url').toString('base64'))).status).toBe(201)
  expect(await redeem(token)).toMatchObject({ status: 400, answer: { error: { code: 'token_used' } } })
})

test('another account can redeem it neither in its own store nor in the store it was made for', async () => {
  const token = await serviceToken(platform())
  const thief = await secondAccount(platform())
  expect(await redeem(token, thief)).toMatchObject(invalid)
  const elsewhere = { ...thief, local: { ...thief.local, storeId: platform().local.storeId } }
  expect((await redeem(token, elsewhere)).status).toBe(404)
  expect((await redeem(token)).status).toBe(201)
})

test('a token falls with the publishable key that it was made with', async () => {
  const shop = await secondAccount(platform())
  const token = await serviceToken(shop)
  const used = await serviceToken(shop)
  expect((await redeem(used, shop)).status).toBe(201)
  const { services, clock } = platform()
  const { accountId } = shop.local
  const [row] = await services.db.read("SELECT id FROM api_keys WHERE account_id = ? AND kind = 'publishable'", [
    accountId,
  ])
  await commit([revokeApiKey(accountId, String(row?.['id']), clock.now())], services)
  const refused = await redeem(token, shop)
  expect(refused).toMatchObject(invalid)
  expect(refused.text).toContain('has been revoked')
})

test('no refusal repeats what was sent', async () => {
  const token = await serviceToken(platform())
  const refused = await redeem(write({ ...read(token), sig: 'x' }))
  expect(refused.text).not.toContain(String(read(token).token))
})

type Fields = Record<string, unknown>

function read(token: string): Fields {
  return JSON.parse(Buffer.from(token, 'base64url').toString())
}

function write(fields: object): string {
  return Buffer.from(JSON.stringify(fields)).toString('base64url')
}
