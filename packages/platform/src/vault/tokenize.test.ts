import { expect, test } from 'vitest'
import { openVault, SHOP_ORIGIN } from '../../test/vault/open-vault.ts'
import { takeCard } from '../../test/vault/take-card.ts'
import { CardGone, readCard } from './cards.ts'
import { newFrameSession } from './frame-sessions.ts'
import { readTaken, takeCode } from './sealed-codes.ts'
import { verifyServiceToken } from './service-tokens.ts'

test('a card becomes a signed token that shows what may be shown', async () => {
  const vault = await openVault()
  const { token } = await takeCard(vault)
  expect(token).toEqual({
    serviceToken: expect.any(String),
    card: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2030, funding: 'credit' },
    expiresAt: '2030-01-01T00:15:00.000Z',
  })
  expect(verifyServiceToken(token.serviceToken, vault.services.secrets, vault.clock.now())).toMatchObject({
    v: 1,
    type: 'card',
    provider: 'tillwright',
    nonSensitiveMetadata: {
      last4: '4242',
      brand: 'visa',
      bin: '424242',
      expMonth: 12,
      expYear: 2030,
      funding: 'credit',
    },
    exp: Date.UTC(2030, 0, 1, 0, 15) / 1_000,
  })
})

test('the number is stored encrypted, and read back for a processor', async () => {
  const vault = await openVault()
  const { token } = await takeCard(vault, { name: 'Ada Lovelace' })
  const { token: cardId } = verifyServiceToken(token.serviceToken, vault.services.secrets, vault.clock.now())
  expect(await readCard(cardId, 'acc_1', vault.services)).toEqual({
    id: cardId,
    brand: 'visa',
    last4: '4242',
    bin: '424242',
    expMonth: 12,
    expYear: 2030,
    funding: 'credit',
    segment: 'consumer',
    kind: 'number',
    wallet: null,
    number: '4242424242424242',
    name: 'Ada Lovelace',
  })
})

test('a card without a security code leaves nothing to wait for', async () => {
  const vault = await openVault()
  await takeCard(vault, { number: '6703444444444449', cvc: '' })
  expect(await vault.services.db.read('SELECT id FROM security_codes', [])).toEqual([])
})

test("another account's card cannot be read", async () => {
  const vault = await openVault()
  const { token } = await takeCard(vault)
  const { token: cardId } = verifyServiceToken(token.serviceToken, vault.services.secrets, vault.clock.now())
  await expect(readCard(cardId, 'acc_2', vault.services)).rejects.toThrow(CardGone)
})

test('the security code waits, sealed, for one payment', async () => {
  const vault = await openVault()
  const { token, codes } = await takeCard(vault)
  const { token: cardId } = verifyServiceToken(token.serviceToken, vault.services.secrets, vault.clock.now())
  const place = { accountId: 'acc_1', codeId: cardId }
  const [first = [], second = []] = await vault.commit([takeCode(place), takeCode(place)])
  const code = readTaken(first)
  expect(code && (await codes.open(code, { accountId: 'acc_1', cardId }))).toBe('123')
  expect(readTaken(second)).toBeNull()
})

test('an encrypted card that is sent again is refused, and nothing more is stored', async () => {
  const vault = await openVault()
  await takeCard(vault)
  await expect(takeCard(vault)).rejects.toMatchObject({ code: 'token_used' })
  expect(await vault.services.db.read('SELECT id FROM cards', [])).toHaveLength(1)
})

test('of two that are sent at once one is taken', async () => {
  const vault = await openVault()
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => takeCard(vault)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('one number has one fingerprint, and a different number another', async () => {
  const vault = await openVault()
  await takeCard(vault, { jti: 'A'.repeat(22) })
  await takeCard(vault, { jti: 'B'.repeat(22), expYear: 2031 })
  await takeCard(vault, { jti: 'C'.repeat(22), number: '5555555555554444' })
  const rows = await vault.services.db.read(
    'SELECT fingerprint, count(*) AS cards FROM cards GROUP BY fingerprint ORDER BY 2',
    [],
  )
  expect(rows.map((row) => row['cards'])).toEqual([1, 2])
})

test("a card typed in a page that is not the key's is refused", async () => {
  const vault = await openVault()
  const elsewhere = { allowedOrigins: ['https://other.example'] }
  await expect(takeCard(vault, {}, elsewhere)).rejects.toMatchObject({ code: 'token_invalid' })
})

const foreign = { code: 'token_invalid', message: expect.stringContaining('loaded with this publishable key') }

test('a card that was encrypted in the form of one key is refused with another, of its own account too', async () => {
  const vault = await openVault()
  const session = newFrameSession({ keyId: 'key_1', origin: SHOP_ORIGIN }, vault.services)
  await expect(takeCard(vault, { session }, { keyId: 'key_2' })).rejects.toMatchObject(foreign)
  await expect(takeCard(vault, { session }, { keyId: 'key_2', accountId: 'acc_2' })).rejects.toMatchObject(foreign)
  expect((await takeCard(vault, { session })).token.card.last4).toBe('4242')
})

test('a card that was encrypted in a form of one page is refused for another, though the key allows both', async () => {
  const vault = await openVault()
  const session = newFrameSession({ keyId: 'key_1', origin: SHOP_ORIGIN }, vault.services)
  const allowedOrigins = [SHOP_ORIGIN, 'https://other.example']
  const card = { session, origin: 'https://other.example' }
  await expect(takeCard(vault, card, { allowedOrigins })).rejects.toMatchObject(foreign)
})

test.each(['', 'none', `${'A'.repeat(22)}.${'A'.repeat(43)}`])(
  'a card with the session %j is refused',
  async (session) => {
    await expect(takeCard(await openVault(), { session })).rejects.toMatchObject(foreign)
  },
)

test('a card from a page that the key has allowed once, and allows no more, is refused', async () => {
  const vault = await openVault()
  await expect(takeCard(vault, {}, { allowedOrigins: [] })).rejects.toMatchObject({ code: 'token_invalid' })
})
