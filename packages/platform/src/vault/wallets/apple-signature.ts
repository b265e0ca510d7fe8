import { X509Certificate } from 'node:crypto'
import type { UTCTime as Asn1Time } from 'asn1js'
import type { Certificate, ContentInfo as CmsContent, SignedData as CmsSignedData } from 'pkijs'
import { WalletTokenRefused } from './wallet-card.ts'

/** Extensions by which Apple marks the certificates that sign payment tokens. Source: Apple, "Payment token format reference". */
const LEAF_OID = '1.2.840.113635.100.6.29'
const INTERMEDIATE_OID = '1.2.840.113635.100.6.2.14'

/** Of a signed attribute of CMS. Source: RFC 5652, section 11.3. */
const SIGNING_TIME_OID = '1.2.840.113549.1.9.5'

/** A signature, and what it is about. */
export interface AppleSignature {
  /** The detached PKCS #7 signature, DER or BER. */
  signature: Uint8Array
  /** The signed bytes. */
  content: Uint8Array<ArrayBuffer>
  /** The root that its certificates have to lead to, PEM. */
  root: string
}

/**
 * Verifies the signature of a payment token: made by a certificate that Apple has marked for it, below an intermediate one
 * that it has marked too, below the root; each good at the time of signing.
 *
 * @returns When it was signed, in Unix milliseconds.
 * @throws {WalletTokenRefused} `unreadable` or `forged`.
 */
export async function verifyAppleSignature({ signature, content, root }: AppleSignature): Promise<number> {
  // Loaded when the first token comes: a platform without wallets never does.
  const [{ UTCTime }, { ContentInfo, SignedData }] = await Promise.all([import('asn1js'), import('pkijs')])
  const signed = parseSignature(signature, { ContentInfo, SignedData })
  // The library would judge what the signature brings along, in place of what the token holds.
  if (signed.encapContentInfo.eContent !== undefined) throw forged('Its signature is not a detached one.')
  const certificates = (signed.certificates ?? []).filter((each): each is Certificate => 'subjectPublicKeyInfo' in each)
  const leaf = markedWith(LEAF_OID, certificates)
  const intermediate = markedWith(INTERMEDIATE_OID, certificates)
  const signedMs = signingTime(signed, UTCTime)
  checkChain([leaf, intermediate].map(toX509), new X509Certificate(root), signedMs)
  const result = await signed
    .verify({ signer: 0, data: content.buffer, checkChain: false, extendedMode: true })
    .catch((error: unknown) => {
      throw forged('Its signature does not fit.', { cause: error })
    })
  // The one signer must be the certificate that was judged, and no other that was sent along.
  if (result.signatureVerified !== true || result.signerCertificate !== leaf || signed.signerInfos.length !== 1) {
    throw forged('Its signature does not fit.')
  }
  return signedMs
}

function parseSignature(
  signature: Uint8Array,
  { ContentInfo, SignedData }: { ContentInfo: typeof CmsContent; SignedData: typeof CmsSignedData },
): CmsSignedData {
  try {
    return new SignedData({ schema: ContentInfo.fromBER(Uint8Array.from(signature)).content })
  } catch (error) {
    throw new WalletTokenRefused('unreadable', 'Its signature is not PKCS #7.', { cause: error })
  }
}

function markedWith(oid: string, certificates: readonly Certificate[]): Certificate {
  const [found, ...more] = certificates.filter(({ extensions }) => extensions?.some(({ extnID }) => extnID === oid))
  if (found !== undefined && more.length === 0) return found
  throw forged(`Its signature has no one certificate with the extension ${oid}, which Apple's have.`)
}

function signingTime({ signerInfos }: CmsSignedData, UTCTime: typeof Asn1Time): number {
  const [attribute] = (signerInfos[0]?.signedAttrs?.attributes ?? []).filter(({ type }) => type === SIGNING_TIME_OID)
  const value: unknown = attribute?.values[0]
  // A GeneralizedTime is one, too.
  if (value instanceof UTCTime) return value.toDate().getTime()
  throw forged('Its signature does not say when it was made.')
}

function toX509(certificate: Certificate): X509Certificate {
  try {
    return new X509Certificate(Buffer.from(certificate.toSchema(true).toBER()))
  } catch (error) {
    throw forged('A certificate of its signature cannot be read.', { cause: error })
  }
}

/** @param chain From the signer's certificate upwards, without the root. */
function checkChain(chain: readonly X509Certificate[], root: X509Certificate, atMs: number): void {
  for (const [index, certificate] of chain.entries()) {
    const issuer = chain[index + 1] ?? root
    const isIssued = issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
    const isGood = Date.parse(certificate.validFrom) <= atMs && atMs <= Date.parse(certificate.validTo)
    if (!isIssued || !isGood) throw forged("The certificates of its signature do not lead to Apple's root.")
  }
}

function forged(message: string, options?: ErrorOptions): WalletTokenRefused {
  return new WalletTokenRefused('forged', message, options)
}
