import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Environment } from '@tillwright/contract'
import { base62 } from '../ambient/ids.ts'
import type { Randomness } from '../ambient/randomness.ts'

/** `sk`: a secret key, for servers; `pk`: a publishable key, for the checkout widget in a page. */
export type KeyKind = 'secret' | 'publishable'

const RANDOM_CHARS = 30
const CHECKSUM_CHARS = 6
const form = /^(test|live)_(sk|pk)_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

/**
 * A new key: `test_sk_`, `test_pk_`, `live_sk_` or `live_pk_`, 30 random base62 characters (178 bits) and their CRC-32
 * in 6 more, so that scanners and we reject garbage without a look-up.
 */
export function newKeyText(kind: KeyKind, environment: Environment, randomness: Randomness): string {
  const random = prefixOf(kind, environment) + base62(randomness, RANDOM_CHARS)
  return random + checksum(random)
}

/** How a key is shown once its text is gone: `test_sk_…w3Qz`. */
export function shownKeyText(kind: KeyKind, environment: Environment, last4: string): string {
  return `${prefixOf(kind, environment)}…${last4}`
}

function prefixOf(kind: KeyKind, environment: Environment): string {
  return `${environment === 'production' ? 'live' : 'test'}_${kind === 'secret' ? 'sk' : 'pk'}_`
}

/** What a key says of itself, or `null` for text that cannot be a key: wrong form or a checksum that does not hold. */
export function readKeyText(text: string): { kind: KeyKind; live: boolean } | null {
  const [, prefix, kind, , sum] = form.exec(text) ?? []
  if (sum === undefined || sum !== checksum(text.slice(0, -CHECKSUM_CHARS))) return null
  return { kind: kind === 'sk' ? 'secret' : 'publishable', live: prefix === 'live' }
}

/** What is stored in a key's place: SHA-256 as hex. The key has 178 random bits, so that no slower hash is needed. */
export function hashKeyText(text: string): string {
  return hash('sha256', text)
}

function checksum(text: string): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let sum = ''
  for (let rest = crc32(text); sum.length < CHECKSUM_CHARS; rest = Math.floor(rest / 62))
    sum = digits.charAt(rest % 62) + sum
  return sum
}
