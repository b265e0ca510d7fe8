import type { IdPrefix } from '@tillwright/contract'
import type { Randomness } from './randomness.ts'

/** In ASCII order, so that ids sort by creation time. */
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const TIME_CHARS = 8
const RANDOM_CHARS = 14

/** No id is created after this time, in milliseconds: the last midnight that 8 characters can represent. */
export const IDS_END_MS = 62 ** TIME_CHARS - (62 ** TIME_CHARS % 86_400_000)

/**
 * Creates an id: the prefix, `_`, and 22 base62 characters: 8 for the time in milliseconds, 14 random (83 bits).
 *
 * @param nowMs Milliseconds since the Unix epoch.
 */
export function newId(prefix: IdPrefix, nowMs: number, randomness: Randomness): string {
  return `${prefix}_${base62Time(nowMs)}${base62(randomness, RANDOM_CHARS)}`
}

/**
 * Returns a lower bound for ids created from this time on: ids created earlier are smaller.
 *
 * @param timeMs Milliseconds since the Unix epoch, clamped to the range in which ids can be created.
 */
export function idsFrom(prefix: IdPrefix, timeMs: number): string {
  return `${prefix}_${base62Time(Math.min(Math.max(timeMs, 0), IDS_END_MS))}`
}

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

function base62Time(nowMs: number): string {
  let text = ''
  for (let rest = nowMs; text.length < TIME_CHARS; rest = Math.floor(rest / 62)) text = BASE62[rest % 62] + text
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
