import { createCipheriv, createHash, hash, randomFillSync } from 'node:crypto'
import { BASE62, type IdPrefix, idsFrom } from '@tillwright/contract'

/** The platform's only source of randomness, so that a seed reproduces every id, draw and simulated outcome. */
export interface Randomness {
  /** Returns `length` fresh random bytes. The caller may keep the buffer. */
  bytes(length: number): Uint8Array
}

/** Bytes fetched from the operating system at a time; a system call per id would dominate its cost. */
const POOL_BYTES = 4096

/** Cryptographically strong bytes from the operating system. */
export function systemRandomness(): Randomness {
  return pooled((pool) => randomFillSync(pool))
}

/** Bytes derived from the seed alone: AES-256-CTR with the seed's SHA-256 as the key. Not for production. */
export function seededRandomness(seed: string): Randomness {
  const key = createHash('sha256').update(seed).digest()
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  return pooled((pool) => pool.set(stream.update(Buffer.alloc(pool.length))))
}

/** Returns a number in [0, 1) with 48 random bits. */
export function fraction(randomness: Randomness): number {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = randomness.bytes(6)
  return (((a << 16) | (b << 8) | c) * 2 ** 24 + ((d << 16) | (e << 8) | f)) / 2 ** 48
}

function pooled(fill: (pool: Uint8Array) => unknown): Randomness {
  const pool = new Uint8Array(POOL_BYTES)
  let used = POOL_BYTES
  return {
    bytes(length) {
      if (length > POOL_BYTES) throw new RangeError(`At most ${POOL_BYTES} random bytes can be drawn at once.`)
      if (used + length > POOL_BYTES) {
        fill(pool)
        used = 0
      }
      used += length
      return pool.slice(used - length, used)
    },
  }
}

/**
 * Derives a draw from a text, such as an id: 48 bits of its SHA-256, so that a choice can be replayed from the id
 * alone.
 *
 * @returns A number in [0, 1).
 */
export function drawOf(text: string): number {
  return hash('sha256', text, 'buffer').readUIntBE(0, 6) / 2 ** 48
}

/**
 * Picks an entry at random by weight: 3 is picked three times as often as 1, 0 never. If all weights are 0, they count
 * as equal.
 *
 * @param draw A number in [0, 1).
 * @returns `null` if there are no entries.
 */
export function pickByWeight<Entry extends { weight: number }>(entries: readonly Entry[], draw: number): Entry | null {
  const total = entries.reduce((sum, { weight }) => sum + weight, 0)
  const weightOf = (entry: Entry) => (total === 0 ? 1 : entry.weight)
  let remaining = draw * (total === 0 ? entries.length : total)
  let picked: Entry | null = null
  for (const entry of entries) {
    if (weightOf(entry) === 0) continue
    picked = entry // falls back to the last one if rounding leaves a remainder
    remaining -= weightOf(entry)
    if (remaining < 0) break
  }
  return picked
}

const RANDOM_CHARS = 14

/**
 * Creates an id: the prefix, `_`, and 22 base62 characters: 8 for the time in milliseconds, 14 random (83 bits).
 *
 * @param nowMs Milliseconds since the Unix epoch.
 */
export function newId(prefix: IdPrefix, nowMs: number, randomness: Randomness): string {
  if (nowMs !== lastTime.atMs) lastTime = { atMs: nowMs, text: idsFrom('req', nowMs).slice('req'.length) }
  return prefix + lastTime.text + base62(randomness, RANDOM_CHARS)
}

/** The part of an id that tells its time. A request makes ten ids or so of one moment. */
let lastTime = { atMs: Number.NaN, text: '' }

/** Returns `length` unbiased random base62 characters: bytes over 247 are drawn again. */
export function base62(randomness: Randomness, length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomness.bytes(length - text.length)) {
      if (byte < 248) text += BASE62[byte % 62]
    }
  }
  return text
}

/**
 * Formats 16 bytes as a version 4 UUID.
 *
 * @param bytes 16 or more, random or a digest; six bits are overwritten by version and variant. Source: RFC 9562, 5.4.
 */
export function uuidOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.subarray(0, 16)).toString('hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0b0011) | 0b1000).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
