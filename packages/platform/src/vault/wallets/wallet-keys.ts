import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'

/** A file of a key that cannot be used: what is wrong, and what to do. */
export class WalletKeyFault extends Error {}

/** A key, and what may be shown of it. */
export interface WalletKey {
  /** Apple: SHA-256 of the public key. Google: the public key. Base64, as the wallet's tokens and console have them. */
  id: string
  /** PKCS #8, PEM. */
  privateKey: string
  /** Until when its certificate is good, ISO 8601; `null` where it has none. */
  expiresAt: string | null
}

/**
 * Reads a payment processing certificate with its private key.
 *
 * @param pem Both, in any order.
 * @throws {WalletKeyFault}
 */
export function readProcessingKey(pem: string, merchantIdentifier: string): WalletKey {
  const { certificate, privateKey } = readPair(pem, 'payment processing certificate')
  if (curveOf(privateKey) !== 'prime256v1') {
    throw new WalletKeyFault('The key is not on the curve P-256; make the request with "Key pair: ECC, 256 bits".')
  }
  const named = merchantHashOf(certificate)
  const expected = createHash('sha256').update(merchantIdentifier).digest('hex').toUpperCase()
  if (named !== null && named !== expected) {
    throw new WalletKeyFault(
      `The certificate is for another merchant identifier than ${merchantIdentifier}; download the one that Apple made for it.`,
    )
  }
  const spki = certificate.publicKey.export({ format: 'der', type: 'spki' })
  return {
    id: createHash('sha256').update(spki).digest('base64'),
    privateKey: pkcs8(privateKey),
    expiresAt: new Date(certificate.validTo).toISOString(),
  }
}

/**
 * Reads a merchant identity certificate with its private key.
 *
 * @param pem Both, in any order.
 * @throws {WalletKeyFault}
 */
export function readIdentity(pem: string): { certificate: string; privateKey: string; expiresAt: string } {
  const { certificate, privateKey } = readPair(pem, 'merchant identity certificate')
  return {
    certificate: certificate.toString(),
    privateKey: pkcs8(privateKey),
    expiresAt: new Date(certificate.validTo).toISOString(),
  }
}

/**
 * Reads the private key whose public half is registered in Google's console.
 *
 * @param pem PKCS #8 or SEC 1.
 * @throws {WalletKeyFault}
 */
export function readGoogleKey(pem: string): WalletKey {
  const privateKey = readPrivateKey(pem)
  if (curveOf(privateKey) !== 'prime256v1') {
    throw new WalletKeyFault(
      'The key is not on the curve P-256; make one with `openssl ecparam -name prime256v1 -genkey -noout`.',
    )
  }
  return { id: uncompressedPoint(privateKey), privateKey: pkcs8(privateKey), expiresAt: null }
}

function uncompressedPoint(privateKey: KeyObject): string {
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  return spki.subarray(-65).toString('base64')
}

function readPair(pem: string, what: string): { certificate: X509Certificate; privateKey: KeyObject } {
  const [block] = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(pem) ?? []
  if (block === undefined) {
    throw new WalletKeyFault(
      `There is no certificate in it. Convert the ${what} with \`openssl x509 -inform der -in FILE.cer\`, and put certificate and key into one file.`,
    )
  }
  const certificate = readCertificate(block)
  const privateKey = readPrivateKey(pem)
  if (certificate.checkPrivateKey(privateKey)) return { certificate, privateKey }
  throw new WalletKeyFault(`The private key is not that of the ${what}; use the key of the request that Apple signed.`)
}

function readCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch {
    throw new WalletKeyFault('The certificate in it cannot be read; download it again.')
  }
}

function readPrivateKey(pem: string): KeyObject {
  const [block] = /-----BEGIN (?:EC |RSA )?PRIVATE KEY-----[^-]+-----END (?:EC |RSA )?PRIVATE KEY-----/.exec(pem) ?? []
  try {
    if (block !== undefined) return createPrivateKey(block)
  } catch {
    throw new WalletKeyFault('The private key in it cannot be read; export it again, without a password.')
  }
  throw new WalletKeyFault('There is no private key in it that is not encrypted; export it as PEM, without a password.')
}

function curveOf(key: KeyObject): string | undefined {
  return key.asymmetricKeyDetails?.namedCurve
}

function pkcs8(key: KeyObject): string {
  return key.export({ format: 'pem', type: 'pkcs8' })
}

/** The extension by which Apple names the merchant: the SHA-256 of its identifier, as text. */
const MERCHANT_OID = Buffer.from('2a864886f763640620', 'hex')

function merchantHashOf({ raw }: X509Certificate): string | null {
  const at = raw.indexOf(MERCHANT_OID)
  const [hash] = at === -1 ? [] : (/[0-9A-F]{64}/.exec(raw.subarray(at, at + 100).toString('latin1')) ?? [])
  return hash ?? null
}
