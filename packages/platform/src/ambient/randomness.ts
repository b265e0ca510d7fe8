import { createCipheriv, createHash, randomFillSync } from 'node:crypto'

/** The platform's only source of randomness, so that one seed repeats every id, draw and simulated outcome. */
export interface Randomness {
  /** `length` fresh random bytes. The caller may keep them. */
  bytes(length: number): Uint8Array
}

/** Bytes drawn from the operating system at a time: a system call for each id would be the dearest part of it. */
const POOL_BYTES = 4096

/** Cryptographically strong bytes of the operating system. */
export function systemRandomness(): Randomness {
  return pooled((pool) => randomFillSync(pool))
}

/** Bytes that depend on the seed alone: AES-256-CTR under the seed's SHA-256. Not for production. */
export function seededRandomness(seed: string): Randomness {
  const key = createHash('sha256').update(seed).digest()
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  return pooled((pool) => pool.set(stream.update(Buffer.alloc(pool.length))))
}

/** A number in [0, 1) with 48 random bits. */
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
