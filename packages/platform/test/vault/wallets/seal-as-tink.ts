import {
  createCipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { tinkKeys } from './published-google-token.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** Deviations from a valid token. */
interface Sealed {
  nowMs: number
  sender?: string
  keyExpiresMs?: number
  messageExpiresMs?: number
  badSignatureFirst?: boolean
  details?: object
}

/** Makes a token of ECv2 as the tests of Tink do: by their keys, for `someRecipient`. */
export function sealAsTink({ nowMs, sender = 'Google', ...parts }: Sealed): string {
  const { keyExpiresMs = nowMs + DAY_MS, messageExpiresMs = nowMs + DAY_MS, badSignatureFirst = false } = parts
  const message = {
    messageExpiration: String(messageExpiresMs),
    messageId: 'AH2EjtdXWjOxGkyAxyLlyakvWxUc',
    paymentMethod: 'CARD',
    paymentMethodDetails: {
      authMethod: 'CRYPTOGRAM_3DS',
      pan: '4444444444444444',
      expirationMonth: 10,
      expirationYear: 2035,
      cryptogram: 'AgAAAAAAAIR8CQrXcIhbQAAAAAA=',
      ...parts.details,
    },
  }
  const root = privateKeyOf(tinkKeys.root.privateKey)
  const intermediate = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keyValue = intermediate.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  const signedKey = JSON.stringify({ keyValue, keyExpiration: String(keyExpiresMs) })
  const signedMessage = JSON.stringify(encrypt(JSON.stringify(message)))
  const good = sign('sha256', framed([sender, 'ECv2', signedKey]), root).toString('base64')
  const ofMessage = framed([sender, 'someRecipient', 'ECv2', signedMessage])
  return JSON.stringify({
    protocolVersion: 'ECv2',
    signature: sign('sha256', ofMessage, intermediate.privateKey).toString('base64'),
    intermediateSigningKey: { signedKey, signatures: badSignatureFirst ? ['AAAA', good] : [good] },
    signedMessage,
  })
}

function privateKeyOf(base64: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' })
}

function framed(texts: readonly string[]): Buffer {
  return Buffer.concat(
    texts.flatMap((text) => [Buffer.from(Uint32Array.of(Buffer.byteLength(text)).buffer), Buffer.from(text)]),
  )
}

function encrypt(text: string) {
  const merchant = createPublicKey(privateKeyOf(tinkKeys.merchantPrivateKey))
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const point = publicKey.export({ format: 'der', type: 'spki' }).subarray(-65)
  const secret = Buffer.concat([point, diffieHellman({ privateKey, publicKey: merchant })])
  const key = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(32), 'Google', 64))
  const cipher = createCipheriv('aes-256-ctr', key.subarray(0, 32), Buffer.alloc(16))
  const encrypted = Buffer.concat([cipher.update(text), cipher.final()])
  const tag = createHmac('sha256', key.subarray(32)).update(encrypted).digest()
  return {
    encryptedMessage: encrypted.toString('base64'),
    ephemeralPublicKey: point.toString('base64'),
    tag: tag.toString('base64'),
  }
}
