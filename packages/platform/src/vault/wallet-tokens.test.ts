import { inspect } from 'node:util'
import { bankSimulator } from '@tillwright/bank-simulator'
import { expect, test } from 'vitest'
import { openVault, SHOP_ORIGIN, type TestVault } from '../../test/vault/open-vault.ts'
import { testCodes } from '../../test/vault/test-codes.ts'
import { uncounted } from '../../test/vault/uncounted.ts'
import type { Handler, Reply } from '../request-context.ts'
import { readTaken, takeCode } from './sealed-codes.ts'
import { redeemToken } from './redeem-token.ts'
import { readCard } from './cards.ts'
import { keepWallet } from './wallet-settings.ts'
import { wallets, type WalletServices } from './wallet-tokens.ts'

const simulated = { ...bankSimulator.wallets, scriptUrl: 'http://vault.example/v1/simulated-wallets.js' }
const unreachable = { read: () => Promise.reject(new Error('No test asks Google.')) }
const APPLE = 'https://apple-pay-gateway.apple.com/paymentservices/startSession'

test('a page of the key learns which wallets there are, another page nothing', async () => {
  const { answer, vault } = await openWallets()
  const found = await answer('readWallets', { query: { origin: SHOP_ORIGIN } })
  expect(found).toMatchObject({
    applePay: { merchantName: 'Test merchant' },
    googlePay: { environment: 'TEST', merchantId: '12345678901234567890' },
    simulator: simulated.scriptUrl,
  })
  expect(inspect(found, { depth: null })).not.toContain('PRIVATE')
  for (const origin of ['https://evil.example', `${SHOP_ORIGIN}/`, 'null']) {
    await expect(answer('readWallets', { query: { origin } })).rejects.toMatchObject({ code: 'token_invalid' })
  }
  expect(vault.logged).toEqual([])
})

test('a wallet of its own takes the place of the simulated ones, and no other', async () => {
  const { answer, vault } = await openWallets()
  const [, google] = bankSimulator.wallets.merchants
  await vault.commit([keepWallet({ accountId: 'acc_1', ...google }, { nowMs: 0, services: vault.services })])
  const found = await answer('readWallets', { query: { origin: SHOP_ORIGIN } })
  expect(found).toMatchObject({ applePay: null, googlePay: {}, simulator: null })
  expect(JSON.stringify(await vault.services.db.read('SELECT * FROM wallets', []))).not.toMatch(/PRIVATE KEY/)
})

test.each(['apple_pay', 'google_pay'] as const)('a token of %s becomes a card with a cryptogram', async (wallet) => {
  const { send, vault, codes } = await openWallets()
  const { serviceToken, ...shown } = await send(wallet, 'visa')
  expect(shown).toMatchObject({ wallet, card: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2048 } })
  const token = JSON.parse(Buffer.from(serviceToken, 'base64url').toString())
  expect(token.nonSensitiveMetadata).toMatchObject({ last4: '4242', wallet })
  const { card, approval, writes } = await redeemToken(serviceToken, { storeId: 'store_1' }, vault.call())
  expect(card).toMatchObject({ kind: 'network_token', wallet })
  const amount = wallet === 'apple_pay' ? { amount: 1999, currency: 'USD' } : { amount: null, currency: null }
  expect(approval).toEqual({ eci: '05', ...amount })
  await vault.commit(writes)
  await expect(redeemToken(serviceToken, { storeId: 'store_1' }, vault.call())).rejects.toMatchObject({
    code: 'token_used',
  })
  const owner = { accountId: 'acc_1', cardId: card.id }
  expect((await readCard(card.id, 'acc_1', vault.services)).number).toBe('4242424242424242')
  const taken = await vault.commit([takeCode({ accountId: 'acc_1', codeId: card.id })])
  const code = readTaken(taken[0] ?? [])
  expect(code && Buffer.from((await codes.open(code, owner)) ?? '', 'base64')).toHaveLength(20)
  expect(await vault.services.db.read('SELECT id FROM security_codes', [])).toEqual([])
})

test('a plain number out of Google Pay comes without a cryptogram, and no buyer is authenticated', async () => {
  const { send, vault } = await openWallets()
  const { serviceToken } = await send('google_pay', 'number')
  const { card, approval } = await redeemToken(serviceToken, { storeId: 'store_1' }, vault.call())
  expect([card.kind, card.wallet, approval]).toEqual(['number', 'google_pay', null])
  expect(await vault.services.db.read('SELECT id FROM security_codes', [])).toEqual([])
})

test('a token is taken once, whichever client sends it again', async () => {
  const { answer, session, token } = await openWallets()
  const body = { session, origin: SHOP_ORIGIN, wallet: 'apple_pay', token: await token('apple_pay', 'visa') }
  await answer('createWalletToken', { body })
  await expect(answer('createWalletToken', { body })).rejects.toMatchObject({ code: 'token_used' })
})

test('a session of another page, and one of another key, is refused', async () => {
  const { answer, session, token } = await openWallets()
  const body = { session, origin: SHOP_ORIGIN, wallet: 'apple_pay', token: await token('apple_pay', 'visa') }
  const others = [
    { ...body, origin: 'https://evil.example' },
    { ...body, session: `${session.slice(0, -1)}x` },
  ]
  for (const other of others)
    await expect(answer('createWalletToken', { body: other })).rejects.toMatchObject({ code: 'token_invalid' })
  const elsewhere = { allowedOrigins: ['https://other.example'] }
  await expect(answer('createWalletToken', { body }, elsewhere)).rejects.toMatchObject({ code: 'token_invalid' })
})

test('number and cryptogram are in no column, no byte, no log line and no error', async () => {
  const { answer, send, session, token, vault, cryptograms } = await openWallets()
  await send('apple_pay', 'visa')
  await send('google_pay', 'visa')
  const forged = (await token('apple_pay', 'visa')).replace('"EC_v1"', '"EC_v2"')
  const body = { session, origin: SHOP_ORIGIN, wallet: 'apple_pay', token: forged }
  const error: unknown = await answer('createWalletToken', { body }).catch((thrown: unknown) => thrown)
  vault.services.log.error({ error }, 'all that there is to log')
  const tables = await vault.services.db.read("SELECT name FROM sqlite_master WHERE type = 'table'", [])
  const rows = await Promise.all(tables.map(({ name }) => vault.services.db.read(`SELECT * FROM ${name}`, [])))
  const text = JSON.stringify(rows) + vault.logged.join('') + inspect(error, { depth: null, showHidden: true })
  expect(cryptograms).toHaveLength(2)
  for (const secret of ['4242424242424242', ...cryptograms]) expect(text).not.toContain(secret)
})

test('Apple is asked at its documented hosts alone, for the host of the page', async () => {
  const asked: unknown[] = []
  const { answer, session, vault } = await openWallets({
    askApple: async (address, merchant) => {
      asked.push([address, merchant.domain, merchant.merchantIdentifier])
      return '{"merchantSessionIdentifier":"SSH1"}'
    },
  })
  const [apple] = bankSimulator.wallets.merchants
  const identity = { certificate: 'certificate', privateKey: 'key' }
  const own = { accountId: 'acc_1', settings: apple.settings, secrets: { ...apple.secrets, identity } }
  await vault.commit([keepWallet(own, { nowMs: 0, services: vault.services })])
  const ask = (validationUrl: string) =>
    answer('createAppleSession', { body: { session, origin: SHOP_ORIGIN, validationUrl } })
  expect(await ask(APPLE)).toEqual({ merchantSession: '{"merchantSessionIdentifier":"SSH1"}' })
  expect(asked).toEqual([[APPLE, 'shop.example', 'merchant.test.tillwright']])
  const elsewhere = [
    'http://apple-pay-gateway.apple.com/paymentservices/startSession',
    'https://apple-pay-gateway.apple.com.evil.example/paymentservices/startSession',
    'https://apple-pay-gateway.apple.com:8443/paymentservices/startSession',
    'https://user@apple-pay-gateway.apple.com/paymentservices/startSession',
    'https://apple-pay-gateway.apple.com/paymentservices/../metadata',
    'https://169.254.169.254/paymentservices/startSession',
    'https://apple.com/paymentservices/startSession',
    'file:///etc/passwd',
  ]
  for (const url of elsewhere) await expect(ask(url)).rejects.toMatchObject({ details: { param: 'validationUrl' } })
  expect(asked).toHaveLength(1)
})

type Operations = ReturnType<typeof wallets>

/** The vault with simulated wallets, a page that has read them, and the tokens of its sheets. */
async function openWallets(own: Partial<WalletServices> = {}) {
  const vault: TestVault = await openVault()
  const cryptograms: string[] = []
  const codes = testCodes(vault.services)
  const seal: typeof codes.seal = (code, owner) => (cryptograms.push(code), codes.seal(code, owner))
  const services = { codes: { ...codes, seal }, cardTries: uncounted, simulated, googleRootKeys: unreachable, ...own }
  const operations = wallets(services)

  async function answer<Name extends keyof Operations>(name: Name, parts: object, caller = {}) {
    // Each handler's request is what its test passes.
    const handler = operations[name] as unknown as Handler<never>
    const request = { body: undefined, query: undefined, params: undefined, ...parts } as never
    const reply: unknown = await handler(request, vault.call(caller))
    return committed(reply as Reply<unknown>)
  }

  async function committed(reply: Reply<unknown>) {
    if (!('body' in reply)) throw new Error('It answers a body.')
    await vault.commit(reply.writes)
    return reply.body
  }

  const { session } = (await answer('readWallets', { query: { origin: SHOP_ORIGIN } })) as { session: string }
  const token = async (wallet: string, card: string) => {
    const approved = { wallet, card, decimal: '19.99', currency: 'USD' }
    return (await simulated.makeToken(JSON.stringify(approved), vault.clock.now())) ?? ''
  }
  const send = async (wallet: string, card: string) => {
    const body = { session, origin: SHOP_ORIGIN, wallet, token: await token(wallet, card) }
    return (await answer('createWalletToken', { body })) as { serviceToken: string; wallet: string; card: object }
  }
  return { vault, codes, cryptograms, answer, session, token, send }
}
