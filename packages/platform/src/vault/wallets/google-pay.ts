import {
  createDecipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
  verify,
} from 'node:crypto'
import { z } from 'zod'
import { readEci, type WalletCard, WalletTokenRefused } from './wallet-card.ts'

/** Keys by which Google signs, as `keys.json` has them. Those of other protocols are left out. */
export interface GoogleRootKey {
  /** SubjectPublicKeyInfo, base64. */
  keyValue: string
  expiresMs: number
}

/** Whom tokens are for. */
export interface GoogleRecipient {
  /** `merchant:` and the merchant's id at Google. */
  recipientId: string
  /** P-256. Former ones among them, for as long as tokens may be encrypted to them. */
  privateKeys: readonly KeyObject[]
}

/** When a token is looked at, and by which root keys. */
export interface GoogleTime {
  nowMs: number
  rootKeys: readonly GoogleRootKey[]
}

const PROTOCOL = 'ECv2'
const SENDER = 'Google'

/**
 * Verifies and decrypts a Google Pay token of protocol `ECv2`. Source: Google Pay, "Payment data cryptography for merchants".
 *
 * @param text `paymentMethodData.tokenizationData.token`.
 * @throws {WalletTokenRefused}
 */
export function openGoogleToken(text: string, recipient: GoogleRecipient, { nowMs, rootKeys }: GoogleTime): WalletCard {
  const token = readAs(tokenOf, text, 'It is no Google Pay token of protocol ECv2')
  const intermediate = verifyIntermediate(token.intermediateSigningKey, { nowMs, rootKeys })
  const signed = lengthsAndTexts(SENDER, recipient.recipientId, PROTOCOL, token.signedMessage)
  if (!isSigned(signed, token.signature, intermediate)) {
    throw new WalletTokenRefused('forged', "It is not signed by Google for this account's merchant.")
  }
  const sent = readAs(messageOf, token.signedMessage, 'The signed message of the token is not one')
  const payment = readAs(paymentOf, decrypt(sent, recipient.privateKeys), 'What the token holds is no card')
  if (Number(payment.messageExpiration) <= nowMs) {
    throw new WalletTokenRefused('expired', 'Its messageExpiration is over.')
  }
  return toCard(payment)
}

/**
 * Reads the keys that Google publishes at `https://payments.developers.google.com/paymentmethodtoken/keys.json`.
 *
 * @returns The keys for ECv2; `null` if it is not such a list.
 */
export function readGoogleRootKeys(text: string): GoogleRootKey[] | null {
  const read = rootKeysOf.safeParse(json(text))
  if (!read.success) return null
  return read.data.keys.flatMap(({ protocolVersion, keyValue, keyExpiration }) =>
    protocolVersion === PROTOCOL && keyExpiration !== undefined ? [{ keyValue, expiresMs: Number(keyExpiration) }] : [],
  )
}

const unixMs = z.string().regex(/^\d{1,16}$/)

const rootKeysOf = z.object({
  keys: z.array(z.object({ keyValue: z.base64(), protocolVersion: z.string(), keyExpiration: unixMs.optional() })),
})

const tokenOf = z.object({
  protocolVersion: z.literal(PROTOCOL),
  signature: z.base64(),
  intermediateSigningKey: z.object({ signedKey: z.string(), signatures: z.array(z.base64()).min(1).max(10) }),
  signedMessage: z.string(),
})

const signedKeyOf = z.object({ keyValue: z.base64(), keyExpiration: unixMs })

const messageOf = z.object({ encryptedMessage: z.base64(), ephemeralPublicKey: z.base64(), tag: z.base64() })

const paymentOf = z.object({
  messageExpiration: unixMs,
  messageId: z.string().min(1).max(500),
  paymentMethod: z.literal('CARD'),
  paymentMethodDetails: z.object({
    authMethod: z.enum(['PAN_ONLY', 'CRYPTOGRAM_3DS']),
    pan: z.string().regex(/^\d{12,19}$/),
    expirationMonth: z.int().min(1).max(12),
    expirationYear: z.int().min(2000).max(9999),
    cryptogram: z.base64().min(1).optional(),
    eciIndicator: z.string().optional(),
  }),
})

function readAs<Schema extends z.ZodType>(schema: Schema, text: string, problem: string): z.output<Schema> {
  const read = schema.safeParse(json(text))
  if (read.success) return read.data
  const fields = [...new Set(read.error.issues.map(({ path }) => path.join('.') || 'the whole'))].join(', ')
  throw new WalletTokenRefused('unreadable', `${problem}: ${fields} does not fit.`)
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The key that the token is signed with, which one of Google's root keys has signed. */
function verifyIntermediate(
  { signedKey, signatures }: z.output<typeof tokenOf>['intermediateSigningKey'],
  { nowMs, rootKeys }: GoogleTime,
): KeyObject {
  const good = rootKeys.filter(({ expiresMs }) => expiresMs > nowMs).map(({ keyValue }) => readSpki(keyValue))
  const signed = lengthsAndTexts(SENDER, PROTOCOL, signedKey)
  if (!signatures.some((signature) => good.some((key) => isSigned(signed, signature, key)))) {
    throw new WalletTokenRefused('forged', 'Its signing key is not signed by Google.')
  }
  const { keyValue, keyExpiration } = readAs(signedKeyOf, signedKey, 'The signing key of the token is not one')
  if (Number(keyExpiration) > nowMs) return readSpki(keyValue)
  throw new WalletTokenRefused('expired', 'The time of the key that it is signed with is over.')
}

function readSpki(base64: string): KeyObject {
  return readKey(() => createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' }))
}

/** Each text after its length in four bytes, the smallest first. */
function lengthsAndTexts(...texts: string[]): Buffer {
  return Buffer.concat(
    texts.flatMap((text) => {
      const bytes = Buffer.from(text)
      const length = Buffer.alloc(4)
      length.writeUInt32LE(bytes.length)
      return [length, bytes]
    }),
  )
}

function isSigned(content: Buffer, signature: string, key: KeyObject): boolean {
  return verify('sha256', content, key, Buffer.from(signature, 'base64'))
}

const KEY_BYTES = 32

/** ECIES-KEM with HKDF-SHA256, AES-256-CTR and HMAC-SHA256. Whichever key fits the tag is the one. */
function decrypt(sent: z.output<typeof messageOf>, privateKeys: readonly KeyObject[]): string {
  const encrypted = Buffer.from(sent.encryptedMessage, 'base64')
  const ephemeral = Buffer.from(sent.ephemeralPublicKey, 'base64')
  const tag = Buffer.from(sent.tag, 'base64')
  const publicKey = readPoint(ephemeral)
  for (const privateKey of privateKeys) {
    const secret = Buffer.concat([ephemeral, diffieHellman({ privateKey, publicKey })])
    const keys = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(KEY_BYTES), SENDER, 2 * KEY_BYTES))
    const expected = createHmac('sha256', keys.subarray(KEY_BYTES)).update(encrypted).digest()
    if (tag.length !== expected.length || !timingSafeEqual(tag, expected)) continue
    // The counter begins at zero: each key encrypts once.
    const decipher = createDecipheriv('aes-256-ctr', keys.subarray(0, KEY_BYTES), Buffer.alloc(16))
    return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString()
  }
  throw new WalletTokenRefused('unknown_key', 'It is encrypted to a key that this account does not have.')
}

/** An uncompressed point: 4, x, y. OpenSSL refuses one that is not on the curve. */
function readPoint(bytes: Buffer): KeyObject {
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map((part) => part.toString('base64url'))
  const isPoint = bytes.length === 65 && bytes[0] === 4 && x !== undefined && y !== undefined
  if (!isPoint) throw offCurve()
  return readKey(() => createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' }))
}

function readKey(read: () => KeyObject): KeyObject {
  try {
    const key = read()
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  } catch {
    // as below
  }
  throw offCurve()
}

function offCurve(): WalletTokenRefused {
  return new WalletTokenRefused('unreadable', 'A public key of the token is not on the curve P-256.')
}

function toCard({ messageId, paymentMethodDetails: details }: z.output<typeof paymentOf>): WalletCard {
  const { authMethod, pan: number, expirationMonth: expMonth, expirationYear: expYear, cryptogram } = details
  const ids = { wallet: 'google_pay' as const, messageId: `google_pay ${messageId}` }
  const card = { ...ids, number, expMonth, expYear, approved: null }
  if (authMethod === 'PAN_ONLY') return { ...card, kind: 'number', cryptogram: null, eci: null }
  if (cryptogram !== undefined)
    return { ...card, kind: 'network_token', cryptogram, eci: readEci(details.eciIndicator) }
  throw new WalletTokenRefused('unreadable', 'What the token holds is no card: a device number without a cryptogram.')
}
