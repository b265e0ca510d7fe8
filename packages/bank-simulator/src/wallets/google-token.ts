import {
  createCipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import type { ApprovedPayment } from './approved-payment.ts'
import { GOOGLE_MERCHANT_ID, GOOGLE_MERCHANT_KEY, GOOGLE_ROOT_KEY } from './test-keys.ts'

/** The simulated Google's root key, as `keys.json` has the real ones. */
export function googleRootKey(): { keyValue: string; expiresMs: number } {
  return { keyValue: spki(createPublicKey(GOOGLE_ROOT_KEY)), expiresMs: Date.UTC(2096, 0, 1) }
}

/** The simulated merchant's public key: an uncompressed point, base64. */
export function googleMerchantKey(): string {
  return pointOf(createPublicKey(GOOGLE_MERCHANT_KEY)).toString('base64')
}

const DAY_MS = 24 * 60 * 60 * 1_000

/**
 * Makes a token of protocol `ECv2` as Google makes it. Source: Google Pay, "Payment data cryptography for merchants".
 *
 * @returns `paymentMethodData.tokenizationData.token`.
 */
export function makeGoogleToken({ card, nowMs }: ApprovedPayment): string {
  const details = {
    authMethod: card.kind === 'number' ? 'PAN_ONLY' : 'CRYPTOGRAM_3DS',
    pan: card.number,
    expirationMonth: card.expMonth,
    expirationYear: card.expYear,
    ...(card.kind === 'cryptogram' && { cryptogram: randomBytes(20).toString('base64') }),
    ...(card.eci !== null && { eciIndicator: card.eci }),
  }
  const message = {
    messageExpiration: String(nowMs + DAY_MS),
    messageId: randomBytes(24).toString('base64url'),
    paymentMethod: 'CARD',
    paymentMethodDetails: details,
  }
  const intermediate = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signedKey = JSON.stringify({
    keyValue: spki(intermediate.publicKey),
    keyExpiration: String(nowMs + 7 * DAY_MS),
  })
  const signedMessage = JSON.stringify(encrypt(JSON.stringify(message)))
  const ofMessage = framed('Google', `merchant:${GOOGLE_MERCHANT_ID}`, 'ECv2', signedMessage)
  return JSON.stringify({
    protocolVersion: 'ECv2',
    signature: sign('sha256', ofMessage, intermediate.privateKey).toString('base64'),
    intermediateSigningKey: {
      signedKey,
      signatures: [sign('sha256', framed('Google', 'ECv2', signedKey), GOOGLE_ROOT_KEY).toString('base64')],
    },
    signedMessage,
  })
}

function encrypt(text: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ephemeral = pointOf(publicKey)
  const secret = diffieHellman({ privateKey, publicKey: createPublicKey(GOOGLE_MERCHANT_KEY) })
  const keys = Buffer.from(hkdfSync('sha256', Buffer.concat([ephemeral, secret]), '', 'Google', 64))
  const cipher = createCipheriv('aes-256-ctr', keys.subarray(0, 32), Buffer.alloc(16))
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  const tag = createHmac('sha256', keys.subarray(32)).update(encrypted).digest()
  return {
    encryptedMessage: encrypted.toString('base64'),
    ephemeralPublicKey: ephemeral.toString('base64'),
    tag: tag.toString('base64'),
  }
}

function framed(...texts: readonly string[]): Buffer {
  return Buffer.concat(
    texts.map((text) => {
      const length = Buffer.alloc(4)
      length.writeUInt32LE(Buffer.byteLength(text))
      return Buffer.concat([length, Buffer.from(text)])
    }),
  )
}

function spki(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).toString('base64')
}

function pointOf(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'spki' }).subarray(-65)
}
