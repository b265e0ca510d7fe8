import { createCipheriv, createHash, hash, randomFillSync } from 'node:crypto'

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
