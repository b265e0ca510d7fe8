import { createDecipheriv, createHash, createPublicKey, diffieHellman, type KeyObject } from 'node:crypto'
import { currencyOfNumber } from '@tillwright/contract'
import { z } from 'zod'
import { verifyAppleSignature } from './apple-signature.ts'
import { readEci, type WalletCard, WalletTokenRefused } from './wallet-card.ts'

/** A key of a payment processing certificate. */
export interface AppleProcessingKey {
  /** SHA-256 of the public key's SubjectPublicKeyInfo, base64, by which tokens name it. */
  publicKeyHash: string
  privateKey: KeyObject
}

/** The merchant whose tokens are decrypted. */
export interface AppleMerchant {
  /** Such as `merchant.com.example.shop`. */
  merchantIdentifier: string
  /** Former ones among them, for as long as tokens may name them. */
  keys: readonly AppleProcessingKey[]
}

/** When a token is looked at, and by which root. */
export interface AppleTime {
  nowMs: number
  /** Another root than Apple's, PEM: that of a simulated wallet. */
  root?: string | undefined
}

/** How long after its signature a token is taken, and how far a device's clock may be ahead. */
const FRESH_MS = 5 * 60 * 1_000

/**
 * Verifies and decrypts an Apple Pay payment token of version `EC_v1`. Source: Apple, "Payment token format reference".
 *
 * @param text The JSON of `payment.token.paymentData`.
 * @throws {WalletTokenRefused}
 */
export async function openAppleToken(
  text: string,
  { merchantIdentifier, keys }: AppleMerchant,
  { nowMs, root = APPLE_ROOT_CA_G3 }: AppleTime,
): Promise<WalletCard> {
  const { data, signature, header } = readToken(text)
  const ephemeral = fromBase64(header.ephemeralPublicKey)
  const encrypted = fromBase64(data)
  const content = Buffer.concat([
    ephemeral,
    encrypted,
    Buffer.from(header.transactionId, 'hex'),
    Buffer.from(header.applicationData ?? '', 'hex'),
  ])
  const signedMs = await verifyAppleSignature({
    signature: fromBase64(signature),
    content: Uint8Array.from(content),
    root,
  })
  if (Math.abs(nowMs - signedMs) > FRESH_MS) {
    throw new WalletTokenRefused('expired', 'It was made more than five minutes ago, or in the future.')
  }
  const key = keys.find(({ publicKeyHash }) => publicKeyHash === header.publicKeyHash)
  if (key === undefined) {
    const why = `It is encrypted to a payment processing certificate that this account does not have.`
    throw new WalletTokenRefused('unknown_key', why)
  }
  return toCard(decrypt(encrypted, symmetricKey(ephemeral, { merchantIdentifier, key })), header.transactionId)
}

type Bytes = Buffer<ArrayBuffer>

const HEX_256 = /^[0-9a-f]{64}$/i

const tokenOf = z.object({
  version: z.literal('EC_v1'),
  data: z.base64(),
  signature: z.base64(),
  header: z.object({
    ephemeralPublicKey: z.base64(),
    publicKeyHash: z.base64(),
    transactionId: z.string().regex(HEX_256),
    applicationData: z.string().regex(HEX_256).optional(),
  }),
})

function readToken(text: string): z.output<typeof tokenOf> {
  const read = tokenOf.safeParse(json(text))
  if (read.success) return read.data
  const fields = [...new Set(read.error.issues.map(({ path }) => path.join('.') || 'the whole'))].join(', ')
  throw new WalletTokenRefused('unreadable', `It is no Apple Pay token of version EC_v1: ${fields} does not fit.`)
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function fromBase64(text: string): Bytes {
  return Buffer.from(text, 'base64')
}

/** The key derivation of NIST SP 800-56A, section 5.8.1, with Apple's parameters. */
function symmetricKey(
  ephemeral: Bytes,
  { merchantIdentifier, key }: { merchantIdentifier: string; key: AppleProcessingKey },
): Buffer {
  const secret = diffieHellman({ privateKey: key.privateKey, publicKey: readPoint(ephemeral) })
  return createHash('sha256')
    .update(Buffer.from([0, 0, 0, 1]))
    .update(secret)
    .update('\x0Did-aes256-GCMApple')
    .update(createHash('sha256').update(merchantIdentifier).digest())
    .digest()
}

/** OpenSSL refuses a point that is not on the curve. */
function readPoint(der: Bytes): KeyObject {
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  } catch {
    // as below
  }
  throw new WalletTokenRefused('unreadable', 'Its ephemeral public key is not on the curve P-256.')
}

const TAG_BYTES = 16

function decrypt(encrypted: Bytes, key: Buffer): unknown {
  // The nonce is 16 bytes of zeros: each key encrypts once.
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.alloc(16), { authTagLength: TAG_BYTES })
  try {
    decipher.setAuthTag(encrypted.subarray(-TAG_BYTES))
    return json(Buffer.concat([decipher.update(encrypted.subarray(0, -TAG_BYTES)), decipher.final()]).toString())
  } catch {
    throw new WalletTokenRefused('forged', 'It does not decrypt: it was made for another merchant identifier.')
  }
}

const paymentOf = z.object({
  applicationPrimaryAccountNumber: z.string().regex(/^\d{12,19}$/),
  /** YYMMDD */
  applicationExpirationDate: z.string().regex(/^\d{6}$/),
  /** One that is not known is refused: what the buyer has approved would bound nothing. */
  currencyCode: z.string().transform(currencyOfNumber).pipe(z.string()),
  transactionAmount: z.int().min(0),
  paymentDataType: z.literal('3DSecure'),
  paymentData: z.object({
    onlinePaymentCryptogram: z.base64().min(1),
    eciIndicator: z.string().optional(),
  }),
})

function toCard(payment: unknown, transactionId: string): WalletCard {
  const read = paymentOf.safeParse(payment)
  if (!read.success) {
    const fields = [...new Set(read.error.issues.map(({ path }) => path.join('.') || 'the whole'))].join(', ')
    throw new WalletTokenRefused('unreadable', `Its payment data is not of the type 3DSecure: ${fields} does not fit.`)
  }
  const { applicationPrimaryAccountNumber: number, applicationExpirationDate: expiry, paymentData } = read.data
  const { transactionAmount: amount, currencyCode: currency } = read.data
  return {
    wallet: 'apple_pay',
    kind: 'network_token',
    number,
    expMonth: Number(expiry.slice(2, 4)),
    expYear: 2000 + Number(expiry.slice(0, 2)),
    cryptogram: paymentData.onlinePaymentCryptogram,
    eci: readEci(paymentData.eciIndicator),
    approved: { amount, currency },
    messageId: `apple_pay ${transactionId.toLowerCase()}`,
  }
}

/**
 * Apple Root CA - G3, valid until 2039, to which the signatures of Apple Pay lead. Source: apple.com/certificateauthority,
 * SHA-256 63343ABFB89A6A03EBB57E9B3F5FA7BE7C4F5C756F3017B3A8C488C3653E9179.
 */
export const APPLE_ROOT_CA_G3 = `-----BEGIN CERTIFICATE-----
MIICQzCCAcmgAwIBAgIILcX8iNLFS5UwCgYIKoZIzj0EAwMwZzEbMBkGA1UEAwwS
QXBwbGUgUm9vdCBDQSAtIEczMSYwJAYDVQQLDB1BcHBsZSBDZXJ0aWZpY2F0aW9u
IEF1dGhvcml0eTETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UEBhMCVVMwHhcN
MTQwNDMwMTgxOTA2WhcNMzkwNDMwMTgxOTA2WjBnMRswGQYDVQQDDBJBcHBsZSBS
b290IENBIC0gRzMxJjAkBgNVBAsMHUFwcGxlIENlcnRpZmljYXRpb24gQXV0aG9y
aXR5MRMwEQYDVQQKDApBcHBsZSBJbmMuMQswCQYDVQQGEwJVUzB2MBAGByqGSM49
AgEGBSuBBAAiA2IABJjpLz1AcqTtkyJygRMc3RCV8cWjTnHcFBbZDuWmBSp3ZHtf
TjjTuxxEtX/1H7YyYl3J6YRbTzBPEVoA/VhYDKX1DyxNB0cTddqXl5dvMVztK517
IDvYuVTZXpmkOlEKMaNCMEAwHQYDVR0OBBYEFLuw3qFYM4iapIqZ3r6966/ayySr
MA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMAoGCCqGSM49BAMDA2gA
MGUCMQCD6cHEFl4aXTQY2e3v9GwOAEZLuN+yRhHFD/3meoyhpmvOwgPUnPWTxnS4
at+qIxUCMG1mihDK1A3UT82NQz60imOlM27jbdoXt2QfyFMm+YhidDkLF1vLUagM
6BgD56KyKA==
-----END CERTIFICATE-----
`
