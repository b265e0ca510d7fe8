/** The public key of who may read the message: a P-256 point in base64url, and the id of the private half. */
export interface RecipientKey {
  kty: 'EC'
  crv: 'P-256'
  x: string
  y: string
  kid: string
}

const curve = { name: 'ECDH', namedCurve: 'P-256' } as const
const IV_BYTES = 12
const TAG_BYTES = 16
const KEY_BITS = 256

/**
 * Encrypts a text for one recipient as a compact JWE: ECDH-ES used directly, then AES-256-GCM. Every call draws a new
 * key pair, so the sender cannot read the message afterwards. Sources: RFC 7516 section 5.1, RFC 7518 sections 4.6, 5.3.
 *
 * @param crypto The browser's, from a secure context.
 */
export async function encryptJwe(plaintext: string, recipient: RecipientKey, crypto: Crypto): Promise<string> {
  const { subtle } = crypto
  const { kid, ...point } = recipient
  const ephemeral = await subtle.generateKey(curve, false, ['deriveBits'])
  const { kty, crv, x, y } = await subtle.exportKey('jwk', ephemeral.publicKey)
  const header = base64url(utf8(JSON.stringify({ alg: 'ECDH-ES', enc: 'A256GCM', kid, epk: { kty, crv, x, y } })))

  const publicKey = await subtle.importKey('jwk', point, curve, false, [])
  const secret = await subtle.deriveBits({ name: 'ECDH', public: publicKey }, ephemeral.privateKey, KEY_BITS)
  const rawKey = await deriveContentKey(new Uint8Array(secret), subtle)
  const key = await subtle.importKey('raw', rawKey, 'AES-GCM', false, ['encrypt'])

  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const cipher = { name: 'AES-GCM', iv, additionalData: utf8(header) }
  const sealed = new Uint8Array(await subtle.encrypt(cipher, key, utf8(plaintext)))
  const body = sealed.subarray(0, -TAG_BYTES)
  const tag = sealed.subarray(-TAG_BYTES)
  // The second part would hold an encrypted key; with a directly agreed key it is empty.
  return [header, '', base64url(iv), base64url(body), base64url(tag)].join('.')
}

/** The one round of the Concat KDF that 256 bits need, without party info. Sources: RFC 7518 4.6.2, NIST SP 800-56A. */
function deriveContentKey(secret: Uint8Array, subtle: SubtleCrypto): Promise<ArrayBuffer> {
  const algorithm = utf8('A256GCM')
  const noPartyInfo = uint32(0)
  const otherInfo = [...uint32(algorithm.length), ...algorithm, ...noPartyInfo, ...noPartyInfo, ...uint32(KEY_BITS)]
  return subtle.digest('SHA-256', new Uint8Array([...uint32(1), ...secret, ...otherInfo]))
}

/** Four bytes, big-endian. */
function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

/** Encodes bytes as base64url without padding. Source: RFC 4648 section 5, RFC 7515 section 2. */
export function base64url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
