import { createCipheriv, createDecipheriv, hash, hkdfSync } from 'node:crypto'
import type { Randomness } from './randomness.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

/**
 * Encrypts values that must not be stored in plain text, and signs.
 *
 * Boxes use AES-256-GCM (NIST SP 800-38D) with a key per purpose, derived by HKDF (RFC 5869), so that a box sealed for
 * one purpose cannot be opened for another. A box begins with the version of its data key, `3:`, so that keys can be
 * replaced one after the other.
 */
export interface SecretBox {
  /** @param bound The owner of the box, such as a row's id. It opens only with the same value. */
  seal(purpose: string, plaintext: Uint8Array, bound: string): string
  /** @throws {Error} If the box was sealed with another key, for another purpose or row, or was altered. */
  open(purpose: string, sealed: string, bound: string): Uint8Array
  /** Seals a box under the newest data key. One that already is comes back unchanged. */
  reseal(purpose: string, sealed: string, bound: string): string
  /** A signature, HMAC-SHA256 under the newest data key: for tokens that expire. */
  sign(purpose: string, text: string): Buffer
  /** The signatures that count for a text: under every data key that is still kept, the newest first. */
  signatures(purpose: string, text: string): Buffer[]
  /**
   * HMAC-SHA256 under a key that is never replaced: for values that must stay the same, such as fingerprints. Base64url,
   * because Node makes bytes of a hash in twice the time.
   */
  mac(purpose: string, text: string): string
}

/** The keys behind a box. */
export interface BoxKeys {
  /** The version that new boxes are sealed under. */
  active: number
  /** All data keys that are kept, by version. */
  kept: ReadonlyMap<number, Uint8Array>
  /** The key of MACs that stay the same. */
  mac: Uint8Array
}

/** Operations with a key that are counted as its uses. */
export type KeyOperation = 'seal' | 'open' | 'sign' | 'verify' | 'mac'

/** A key was used: `version` is 0 for the key of MACs. */
export type NoteKeyUse = (operation: KeyOperation, purpose: string, version: number) => void

/**
 * A box over keys that may be replaced while it is in use.
 *
 * @param keys Read before each use.
 */
export function boxOf(keys: () => BoxKeys, randomness: Randomness, note: NoteKeyUse = () => {}): SecretBox {
  const derived = new WeakMap<Uint8Array, Map<string, DerivedKey>>()
  function derive(key: Uint8Array, purpose: string): DerivedKey {
    const ofKey = derived.get(key) ?? new Map<string, DerivedKey>()
    derived.set(key, ofKey)
    const found =
      ofKey.get(purpose) ?? derivedKey(Buffer.from(hkdfSync('sha256', key, '', `tillwright ${purpose}`, KEY_BYTES)))
    ofKey.set(purpose, found)
    return found
  }
  const keyFor = (key: Uint8Array, purpose: string) => derive(key, purpose).bytes
  function dataKey(version: number): Uint8Array {
    const key = keys().kept.get(version)
    if (key !== undefined) return key
    throw new UnknownDataKey(`It was sealed under data key ${version}, which this process does not have.`)
  }
  const hmac = (key: Uint8Array, purpose: string, text: string) =>
    hash('sha256', hmacOuter(derive(key, purpose), text), 'buffer')
  const box: SecretBox = {
    seal(purpose, plaintext, bound) {
      const version = keys().active
      note('seal', purpose, version)
      const nonce = randomness.bytes(NONCE_BYTES)
      return `${version}:${sealWith(keyFor(dataKey(version), purpose), plaintext, { bound, nonce })}`
    },
    open(purpose, sealed, bound) {
      const { version, rest } = versioned(sealed)
      note('open', purpose, version)
      return openWith(keyFor(dataKey(version), purpose), rest, bound)
    },
    reseal(purpose, sealed, bound) {
      return isSealedUnder(sealed, keys().active) ? sealed : box.seal(purpose, box.open(purpose, sealed, bound), bound)
    },
    sign(purpose, text) {
      const version = keys().active
      note('sign', purpose, version)
      return hmac(dataKey(version), purpose, text)
    },
    signatures(purpose, text) {
      const versions = [...keys().kept.keys()].toSorted((a, b) => b - a)
      for (const version of versions) note('verify', purpose, version)
      return versions.map((version) => hmac(dataKey(version), purpose, text))
    },
    mac(purpose, text) {
      note('mac', purpose, 0)
      return hash('sha256', hmacOuter(derive(keys().mac, purpose), text), 'base64url')
    },
  }
  return box
}

/** A key for one purpose, and the blocks that begin the two hashes of an HMAC under it. */
interface DerivedKey {
  bytes: Buffer
  inner: Buffer
  outer: Buffer
}

const HMAC_BLOCK_BYTES = 64

/** @param bytes At most a block. */
function derivedKey(bytes: Buffer): DerivedKey {
  const block = Buffer.alloc(HMAC_BLOCK_BYTES)
  bytes.copy(block)
  return {
    bytes,
    inner: Buffer.from(block.map((byte) => byte ^ 0x36)),
    outer: Buffer.from(block.map((byte) => byte ^ 0x5c)),
  }
}

/** Where the inputs of the hashes are put together, so that a MAC of a usual text allocates nothing but its result. */
const hmacInput = Buffer.alloc(16_384)
const outerInput = Buffer.alloc(HMAC_BLOCK_BYTES + 32)

/**
 * The input of the second hash of an HMAC, until the next one. Two hashes instead of Node's `createHmac`, whose object and
 * its finalizer cost a request more than everything else that the audit log computes. Source: RFC 2104.
 */
function hmacOuter({ inner, outer }: DerivedKey, text: string): Buffer {
  outer.copy(outerInput)
  outerInput.write(hash('sha256', innerInput(inner, text), 'latin1'), HMAC_BLOCK_BYTES, 'latin1')
  return outerInput
}

function innerInput(inner: Buffer, text: string): Buffer {
  // A UTF-16 unit becomes three bytes at most.
  if (inner.length + text.length * 3 > hmacInput.length) return Buffer.concat([inner, Buffer.from(text)])
  inner.copy(hmacInput)
  return hmacInput.subarray(0, inner.length + hmacInput.write(text, inner.length, 'utf8'))
}

/** A box was sealed under a data key that a process does not have: it was destroyed, or is too new. */
class UnknownDataKey extends Error {
  override readonly name = 'UnknownDataKey'
}

/** Whether a box was sealed under this version of the data key. */
function isSealedUnder(sealed: string, version: number): boolean {
  return sealed.startsWith(`${version}:`)
}

function versioned(sealed: string): { version: number; rest: string } {
  const end = sealed.indexOf(':')
  if (end < 1) throw new Error('This is not a sealed value: it does not begin with the version of a data key.')
  return { version: Number(sealed.slice(0, end)), rest: sealed.slice(end + 1) }
}

/**
 * A box over one key that is never replaced.
 *
 * @param key 32 bytes.
 * @throws {RangeError} If the key has another length.
 */
export function secretBox(key: Uint8Array, randomness: Randomness): SecretBox {
  if (key.length !== KEY_BYTES) throw new RangeError(`The vault's key must have ${KEY_BYTES} bytes.`)
  const keys: BoxKeys = { active: 1, kept: new Map([[1, key]]), mac: key }
  return boxOf(() => keys, randomness)
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
