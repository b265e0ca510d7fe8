import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'

/** The key pair of a recipient of messages. The private half exists in this process's memory alone. */
export interface KeyPair {
  /** The 32 bytes of the X25519 public key. */
  publicKey: Uint8Array
  privateKey: KeyObject
}

/** Parameters that both sides of a message agree on beforehand. */
export interface Agreed {
  /** Purpose of the message: `info` of RFC 9180. */
  info: string
  /** Associated data (`aad`): the message opens only with the same. */
  bound: string
  /** A secret of at least 32 bytes that proves to each side that the other one holds it. */
  psk: Uint8Array
  pskId: string
  /** AES-256-GCM unless given; the other one is for the standard's own examples. */
  cipher?: Cipher
}

type Cipher = keyof typeof ciphers

const ciphers = {
  'aes-128-gcm': { id: 1, keyBytes: 16 },
  'aes-256-gcm': { id: 2, keyBytes: 32 },
} as const

const TAG_BYTES = 16
/** The length of an encapsulated key, an X25519 public key. */
const ENC_BYTES = 32

/** Makes a key pair from the machine's own randomness, whatever seed the platform has: it must never come back. */
export function newKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  return { publicKey: rawPublicKey(publicKey), privateKey }
}

/**
 * Encrypts one message to a public key. Source: RFC 9180, mode_psk with DHKEM(X25519, HKDF-SHA256) and HKDF-SHA256.
 *
 * @returns The encapsulated key, followed by ciphertext and tag.
 */
export function sealTo(recipient: Uint8Array, plaintext: Uint8Array, agreed: Agreed): Buffer {
  const { publicKey: enc, privateKey } = newKeyPair()
  const dh = diffieHellman({ privateKey, publicKey: publicKeyOf(recipient) })
  const { cipher, key, nonce } = keySchedule(sharedSecret(dh, enc, recipient), agreed)
  const sealing = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(agreed.bound))
  const sealed = Buffer.concat([enc, sealing.update(plaintext), sealing.final(), sealing.getAuthTag()])
  key.fill(0)
  return sealed
}

/**
 * Decrypts the result of `sealTo`.
 *
 * @throws {Error} If it was altered, is for another recipient, or the two sides do not agree.
 */
export function openFrom(sealed: Uint8Array, { publicKey, privateKey }: KeyPair, agreed: Agreed): Buffer {
  const enc = sealed.subarray(0, ENC_BYTES)
  const dh = diffieHellman({ privateKey, publicKey: publicKeyOf(enc) })
  const { cipher, key, nonce } = keySchedule(sharedSecret(dh, enc, publicKey), agreed)
  const opening = createDecipheriv(cipher, key, nonce, { authTagLength: TAG_BYTES })
  opening.setAAD(Buffer.from(agreed.bound)).setAuthTag(sealed.subarray(-TAG_BYTES))
  const plaintext = Buffer.concat([opening.update(sealed.subarray(ENC_BYTES, -TAG_BYTES)), opening.final()])
  key.fill(0)
  return plaintext
}

/** DHKEM(X25519, HKDF-SHA256). Source: RFC 9180, 4.1. */
const KEM = Buffer.from('KEM\x00\x20', 'latin1')

/** Source: RFC 9180, 4.1, ExtractAndExpand. */
function sharedSecret(dh: Uint8Array, enc: Uint8Array, recipient: Uint8Array): Buffer {
  const prk = labeledExtract(KEM, { salt: EMPTY, label: 'eae_prk', from: dh })
  return labeledExpand(KEM, { prk, label: 'shared_secret', info: Buffer.concat([enc, recipient]), bytes: 32 })
}

const MODE_PSK = Buffer.of(1)
const NONCE_BYTES = 12
const EMPTY = Buffer.alloc(0)

/** Source: RFC 9180, 5.1, KeySchedule. */
function keySchedule(shared: Buffer, { info, psk, pskId, cipher = 'aes-256-gcm' }: Agreed) {
  const { id, keyBytes } = ciphers[cipher]
  const suite = Buffer.from(`HPKE\x00\x20\x00\x01\x00${String.fromCodePoint(id)}`, 'latin1')
  const pskIdHash = labeledExtract(suite, { salt: EMPTY, label: 'psk_id_hash', from: Buffer.from(pskId) })
  const infoHash = labeledExtract(suite, { salt: EMPTY, label: 'info_hash', from: Buffer.from(info) })
  const context = Buffer.concat([MODE_PSK, pskIdHash, infoHash])
  const prk = labeledExtract(suite, { salt: shared, label: 'secret', from: psk })
  shared.fill(0)
  return {
    cipher,
    key: labeledExpand(suite, { prk, label: 'key', info: context, bytes: keyBytes }),
    nonce: labeledExpand(suite, { prk, label: 'base_nonce', info: context, bytes: NONCE_BYTES }),
  }
}

const VERSION = Buffer.from('HPKE-v1')

interface Extract {
  salt: Uint8Array
  label: string
  from: Uint8Array
}

function labeledExtract(suite: Uint8Array, { salt, label, from }: Extract): Buffer {
  const labeled = Buffer.concat([VERSION, suite, Buffer.from(label), from])
  return createHmac('sha256', salt).update(labeled).digest()
}

interface Expand {
  prk: Uint8Array
  label: string
  info: Uint8Array
  /** At most 32, the length of one block. */
  bytes: number
}

function labeledExpand(suite: Uint8Array, { prk, label, info, bytes }: Expand): Buffer {
  const labeled = Buffer.concat([Buffer.of(0, bytes), VERSION, suite, Buffer.from(label), info, Buffer.of(1)])
  return createHmac('sha256', prk).update(labeled).digest().subarray(0, bytes)
}

function rawPublicKey(key: KeyObject): Buffer {
  return Buffer.from(String(key.export({ format: 'jwk' }).x), 'base64url')
}

function publicKeyOf(raw: Uint8Array): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: base64url(raw) }, format: 'jwk' })
}

/** A key pair from its raw halves, for the standard's examples. */
export function keyPairOf(publicKey: Uint8Array, secret: Uint8Array): KeyPair {
  const jwk = { kty: 'OKP', crv: 'X25519', x: base64url(publicKey), d: base64url(secret) }
  return { publicKey, privateKey: createPrivateKey({ key: jwk, format: 'jwk' }) }
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
