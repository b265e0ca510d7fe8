import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { bankSimulator } from '@tillwright/bank-simulator'
import { expect, test } from 'vitest'
import { publishedAppleToken as published } from '../../../test/vault/wallets/published-apple-token.ts'
import { appleMerchant, walletSettings } from '../wallet-settings.ts'
import { APPLE_ROOT_CA_G3, openAppleToken } from './apple-pay.ts'

const merchant = {
  merchantIdentifier: published.merchantIdentifier,
  keys: [keyOf(createPrivateKey(published.privateKey))],
}
const { signedMs: nowMs } = published
const text = JSON.stringify(published.paymentData)

test("the root is Apple's, by its published fingerprint", () => {
  const { fingerprint256 } = new X509Certificate(APPLE_ROOT_CA_G3)
  const expected = '63343ABFB89A6A03EBB57E9B3F5FA7BE7C4F5C756F3017B3A8C488C3653E9179'
  expect(fingerprint256.replaceAll(':', '')).toBe(expected)
})

test('a token that an iPhone made and Apple signed opens', async () => {
  await expect(openAppleToken(text, merchant, { nowMs })).resolves.toEqual(published.card)
})

test.each([
  ['five minutes old', 5 * 60_000, 'resolved'],
  ['older than that', 5 * 60_000 + 1, 'expired'],
  ['from a clock five minutes ahead', -5 * 60_000, 'resolved'],
  ['from further ahead', -5 * 60_000 - 1, 'expired'],
])('a token that is %s is %s', async (_, laterMs, outcome) => {
  expect(await outcomeOf(openAppleToken(text, merchant, { nowMs: nowMs + laterMs }))).toBe(outcome)
})

test('a token of another key, merchant or root is distinguished', async () => {
  const [key] = merchant.keys
  const stranger = { ...merchant, keys: [{ ...key, publicKeyHash: 'AAAA' } as typeof key & object] }
  const cases = [
    openAppleToken(text, stranger, { nowMs }),
    openAppleToken(text, { ...merchant, merchantIdentifier: 'merchant.other' }, { nowMs }),
    openAppleToken(text, merchant, { nowMs, root: bankSimulator.wallets.appleRoot }),
  ]
  expect(await Promise.all(cases.map(outcomeOf))).toEqual(['unknown_key', 'forged', 'forged'])
})

test.each(['data', 'signature', 'header.ephemeralPublicKey', 'header.transactionId', 'header.applicationData'])(
  'a token whose %s was changed is refused',
  async (path) => {
    expect(await outcomeOf(openAppleToken(changed(path), merchant, { nowMs }))).not.toBe('resolved')
  },
)

// An attacker who has paid once could otherwise have the same cryptogram taken as that of another payment, or of
// another card.
test('a token that was changed is refused, though its signature brings along what was signed', async () => {
  const { signature, ...token } = JSON.parse(changed('header.transactionId'))
  const attached = { ...token, signature: await attach(signature, signedContent()) }
  expect(await outcomeOf(openAppleToken(JSON.stringify(attached), merchant, { nowMs }))).toBe('forged')
})

test('wherever a signature is damaged, what is said of it is what is said of a token', async () => {
  const { signature, ...token } = published.paymentData
  const bytes = Buffer.from(signature, 'base64')
  const places = Array.from({ length: Math.ceil(bytes.length / 31) }, (_, i) => i * 31)
  for (const place of places) {
    const damaged = Buffer.from(bytes)
    damaged.writeUInt8(damaged.readUInt8(place) ^ 0x20, place)
    const sent = JSON.stringify({ ...token, signature: damaged.toString('base64') })
    expect(['resolved', 'expired', 'unreadable', 'forged'], `byte ${place}`).toContain(
      await outcomeOf(openAppleToken(sent, merchant, { nowMs })),
    )
  }
})

test.each([
  ['no JSON', 'token'],
  ['RSA_v1', JSON.stringify({ ...published.paymentData, version: 'RSA_v1' })],
  ['no PKCS #7', JSON.stringify({ ...published.paymentData, signature: 'AAAA' })],
  ['nothing', '{}'],
])('%s is unreadable, and the message repeats nothing of it', async (_, given) => {
  const refused = await openAppleToken(given, merchant, { nowMs }).catch((error: unknown) => error)
  expect(refused).toMatchObject({ reason: 'unreadable' })
  expect(String(refused)).not.toContain(published.paymentData.data.slice(0, 20))
})

// Apple publishes no token with its keys; what it does not show is made by the simulator, whose code shares none with ours.
test('the tokens of the simulated wallet open by its own root alone', async () => {
  const { appleRoot: root, makeToken, merchants } = bankSimulator.wallets
  const at = Date.UTC(2030, 0, 1)
  const approved = { wallet: 'apple_pay', card: 'visa', decimal: '19.99', currency: 'USD' }
  const token = (await makeToken(JSON.stringify(approved), at)) ?? ''
  const [stored] = merchants
  const settings = walletSettings.parse(stored?.settings)
  if (settings.wallet !== 'apple_pay' || stored === undefined) throw new Error('The first merchant is of Apple Pay.')
  const simulated = appleMerchant({ accountId: 'acc_1', settings, secrets: stored.secrets })
  await expect(openAppleToken(token, simulated, { nowMs: at, root })).resolves.toMatchObject({
    kind: 'network_token',
    number: '4242424242424242',
    expMonth: 12,
    eci: '05',
    approved: { amount: 1999, currency: 'USD' },
  })
  expect(await outcomeOf(openAppleToken(token, simulated, { nowMs: at }))).toBe('forged')
})

function keyOf(privateKey: KeyObject) {
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  return { privateKey, publicKeyHash: createHash('sha256').update(spki).digest('base64') }
}

/** The published token with one bit of one field changed, or with a field that it has not. */
function changed(path: string): string {
  const { header, ...token } = published.paymentData
  const [name = '', inner] = path.split('.')
  if (inner === undefined)
    return JSON.stringify({ ...published.paymentData, [name]: flip(String(Object(token)[name])) })
  const value = inner === 'applicationData' ? 'ab'.repeat(32) : flip(String(Object(header)[inner]))
  return JSON.stringify({ ...token, header: { ...header, [inner]: value } })
}

/** The signed content of the published token. */
function signedContent(): Buffer {
  const { data, header } = published.paymentData
  const parts = [header.ephemeralPublicKey, data].map((each) => Buffer.from(each, 'base64'))
  return Buffer.concat([...parts, Buffer.from(header.transactionId, 'hex')])
}

/** A detached signature with the content in it. */
async function attach(signature: string, content: Buffer): Promise<string> {
  const [{ OctetString }, { ContentInfo, EncapsulatedContentInfo, SignedData }] = await Promise.all([
    import('asn1js'),
    import('pkijs'),
  ])
  const info = ContentInfo.fromBER(Uint8Array.from(Buffer.from(signature, 'base64')))
  const signed = new SignedData({ schema: info.content })
  const { eContentType } = signed.encapContentInfo
  const eContent = new OctetString({ valueHex: Uint8Array.from(content) })
  signed.encapContentInfo = new EncapsulatedContentInfo({ eContentType, eContent })
  info.content = signed.toSchema(true)
  return Buffer.from(info.toSchema().toBER()).toString('base64')
}

function flip(value: string): string {
  const at = Math.floor(value.length / 2)
  return value.slice(0, at) + (value[at] === 'a' ? 'b' : 'a') + value.slice(at + 1)
}

async function outcomeOf(opening: Promise<unknown>): Promise<unknown> {
  return opening.then(
    () => 'resolved',
    (error: { reason: unknown }) => error.reason,
  )
}
