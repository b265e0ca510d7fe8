import { hash } from 'node:crypto'

/** How long the hash in a file's name is: 40 bits, as esbuild has it, so that a map's columns stay right. */
const TOKEN_CHARS = 8
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The part of a built file's name that changes with its content: before the last dot, behind a `-`. */
export const tokenInName = /(?<=-)[A-Z2-7]{8}(?=\.)/g

/** The hash in a file's name; null if it has none. */
export function tokenIn(path: string): string | null {
  return path.match(tokenInName)?.at(-1) ?? null
}

/** The first 40 bits of a SHA-256, in base32 (RFC 4648 section 6). */
export function hashToken(text: string): string {
  const bits = hash('sha256', text, 'buffer').readBigUInt64BE() >> 24n
  return Array.from({ length: TOKEN_CHARS }, (_, index) =>
    alphabet.charAt(Number((bits >> BigInt(5 * (TOKEN_CHARS - 1 - index))) & 31n)),
  ).join('')
}
