import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto'
import type { Randomness } from './randomness.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

/**
 * Encrypts values that must not be stored in plain text, under a master key that is never stored in the database.
 *
 * Boxes use AES-256-GCM (NIST SP 800-38D) with a key per purpose, derived by HKDF (RFC 5869), so that a box sealed for
 * one purpose cannot be opened for another.
 */
export interface SecretBox {
  /**
   * Identifies the master key in rows, so that they can be re-encrypted after a key change: the first 8 hex characters
   * of its SHA-256.
   */
  readonly keyId: string
  /** @param bound What the box belongs to, such as a row's id; it can be opened only with the same value. */
  seal(purpose: string, plaintext: Uint8Array, bound: string): string
  /** @throws {Error} If the box was sealed with another key, for another purpose or row, or was altered. */
  open(purpose: string, sealed: string, bound: string): Uint8Array
  /** HMAC-SHA256 under the purpose's own key, for fingerprints and signatures. */
  mac(purpose: string, text: string): Buffer
}

/**
 * @param masterKey 32 bytes.
 * @throws {RangeError} If the key has another length.
 */
export function secretBox(masterKey: Uint8Array, randomness: Randomness): SecretBox {
  if (masterKey.length !== KEY_BYTES) throw new RangeError(`The vault's key must have ${KEY_BYTES} bytes.`)
  const keys = new Map<string, Buffer>()
  function keyFor(purpose: string): Buffer {
    let key = keys.get(purpose)
    if (key === undefined) {
      key = Buffer.from(hkdfSync('sha256', masterKey, '', `tillwright ${purpose}`, KEY_BYTES))
      keys.set(purpose, key)
    }
    return key
  }
  return {
    keyId: createHash('sha256').update(masterKey).digest('hex').slice(0, 8),
    seal: (purpose, plaintext, bound) =>
      sealWith(keyFor(purpose), plaintext, { bound, nonce: randomness.bytes(NONCE_BYTES) }),
    open: (purpose, sealed, bound) => openWith(keyFor(purpose), sealed, bound),
    mac: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest(),
  }
}

/** Encrypts with AES-256-GCM. Returns base64 of nonce, ciphertext and tag. */
export function sealWith(
  key: Uint8Array,
  plaintext: Uint8Array,
  { bound, nonce }: { bound: string; nonce: Uint8Array },
): string {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(bound))
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]).toString('base64')
}

/** Decrypts the result of `sealWith`. */
export function openWith(key: Uint8Array, sealed: string, bound: string): Uint8Array {
  const bytes = Buffer.from(sealed, 'base64')
  const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(bound)).setAuthTag(bytes.subarray(-TAG_BYTES))
  return Buffer.concat([cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), cipher.final()])
}

/**
 * Why a key can be guessed, or `null`. Random bytes show none of these more often than once in 2^45 keys.
 */
export function weaknessOf(key: Uint8Array): string | null {
  const bytes = [...key]
  if (bytes.every((byte) => byte === bytes[0])) return 'repeats one byte'
  for (let period = 2; period <= bytes.length / 2; period += 1) {
    if (bytes.every((byte, index) => byte === bytes[index % period])) return `repeats its first ${period} bytes`
  }
  const step = (Number(bytes[1]) - Number(bytes[0])) & 255
  if (bytes.every((byte, index) => byte === ((Number(bytes[0]) + index * step) & 255))) return 'counts in equal steps'
  if (new Set(bytes).size < DISTINCT_BYTES_MIN) return `has fewer than ${DISTINCT_BYTES_MIN} different bytes`
  if (bytes.every((byte) => byte >= 0x20 && byte <= 0x7e)) return 'is the base64 of text'
  return null
}

/** Of 32 random bytes about 30 differ. */
const DISTINCT_BYTES_MIN = 13
