import {
  createCipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  randomBytes,
} from 'node:crypto'
import type { ApprovedPayment } from './approved-payment.ts'
import {
  APPLE_INTERMEDIATE,
  APPLE_LEAF,
  APPLE_LEAF_KEY,
  APPLE_MERCHANT_IDENTIFIER,
  APPLE_MERCHANT_KEY,
} from './test-keys.ts'

/** The SHA-256 of the simulated merchant's public key, base64, by which a token names it. */
export function appleKeyHash(): string {
  return createHash('sha256').update(merchantSpki()).digest('base64')
}

function merchantSpki(): Buffer {
  return createPublicKey(APPLE_MERCHANT_KEY).export({ format: 'der', type: 'spki' })
}

/**
 * Makes a payment token of version `EC_v1` as an iPhone makes it. Source: Apple, "Payment token format reference".
 *
 * @returns The JSON of `payment.token.paymentData`.
 */
export async function makeAppleToken({ card, amount, currencyNumber, nowMs }: ApprovedPayment): Promise<string> {
  const payment = {
    applicationPrimaryAccountNumber: card.number,
    applicationExpirationDate: `${String(card.expYear).slice(2)}${String(card.expMonth).padStart(2, '0')}28`,
    currencyCode: currencyNumber,
    transactionAmount: amount,
    deviceManufacturerIdentifier: '050110030273',
    paymentDataType: '3DSecure',
    paymentData: {
      onlinePaymentCryptogram: randomBytes(20).toString('base64'),
      ...(card.eci !== null && { eciIndicator: card.eci }),
    },
  }
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ephemeral = publicKey.export({ format: 'der', type: 'spki' })
  const secret = diffieHellman({ privateKey, publicKey: createPublicKey(APPLE_MERCHANT_KEY) })
  const encrypted = encrypt(JSON.stringify(payment), secret)
  const transactionId = randomBytes(32)
  return JSON.stringify({
    version: 'EC_v1',
    data: encrypted.toString('base64'),
    signature: (await sign(Buffer.concat([ephemeral, encrypted, transactionId]), nowMs)).toString('base64'),
    header: {
      ephemeralPublicKey: ephemeral.toString('base64'),
      publicKeyHash: appleKeyHash(),
      transactionId: transactionId.toString('hex'),
    },
  })
}

function encrypt(payment: string, secret: Buffer): Buffer {
  const merchant = createHash('sha256').update(APPLE_MERCHANT_IDENTIFIER).digest()
  const info = Buffer.concat([Buffer.from([13]), Buffer.from('id-aes256-GCM'), Buffer.from('Apple'), merchant])
  const key = createHash('sha256')
    .update(Buffer.concat([Buffer.from('00000001', 'hex'), secret, info]))
    .digest()
  const cipher = createCipheriv('aes-256-gcm', key, Buffer.alloc(16))
  return Buffer.concat([cipher.update(payment, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

const DATA = '1.2.840.113549.1.7.1'
const SIGNED_DATA = '1.2.840.113549.1.7.2'
const CONTENT_TYPE = '1.2.840.113549.1.9.3'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const SIGNING_TIME = '1.2.840.113549.1.9.5'

/** A detached PKCS #7 signature with the time it was made at. */
async function sign(content: Buffer, nowMs: number): Promise<Buffer> {
  const [asn1, pki] = await Promise.all([import('asn1js'), import('pkijs')])
  const { Attribute, Certificate, ContentInfo, EncapsulatedContentInfo, SignedData, SignerInfo } = pki
  const certificates = [APPLE_LEAF, APPLE_INTERMEDIATE].map((pem) => Certificate.fromBER(derOf(pem)))
  const [leaf] = certificates
  if (leaf === undefined) throw new Error('There are two certificates.')
  const attribute = (type: string, value: unknown) => new Attribute({ type, values: [value] })
  const digest = createHash('sha256').update(content).digest()
  const signed = new SignedData({
    version: 1,
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: DATA }),
    certificates,
    signerInfos: [
      new SignerInfo({
        version: 1,
        sid: new pki.IssuerAndSerialNumber({ issuer: leaf.issuer, serialNumber: leaf.serialNumber }),
        signedAttrs: new pki.SignedAndUnsignedAttributes({
          type: 0,
          attributes: [
            attribute(CONTENT_TYPE, new asn1.ObjectIdentifier({ value: DATA })),
            attribute(SIGNING_TIME, new asn1.UTCTime({ valueDate: new Date(Math.floor(nowMs / 1_000) * 1_000) })),
            attribute(MESSAGE_DIGEST, new asn1.OctetString({ valueHex: Uint8Array.from(digest) })),
          ],
        }),
      }),
    ],
  })
  const pkcs8 = createPrivateKey(APPLE_LEAF_KEY).export({ format: 'der', type: 'pkcs8' })
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const key = await crypto.subtle.importKey('pkcs8', Uint8Array.from(pkcs8), algorithm, false, ['sign'])
  await signed.sign(key, 0, 'SHA-256', Uint8Array.from(content))
  const info = new ContentInfo({ contentType: SIGNED_DATA, content: signed.toSchema(true) })
  return Buffer.from(info.toSchema().toBER())
}

function derOf(pem: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64'))
}
