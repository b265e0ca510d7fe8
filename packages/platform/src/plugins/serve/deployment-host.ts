import type { Randomness } from '../../ambient/randomness.ts'

/** RFC 4648's base32 in lower case: host names do not tell cases apart. */
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
const LABEL_CHARS = 26

/**
 * A new deployment's first name on the plugins' host: 26 base32 characters, 130 random bits. The id itself would not do,
 * for its letters differ by case and it has a `_`.
 */
export function newHostLabel(randomness: Randomness): string {
  return base32(randomness.bytes(LABEL_CHARS))
}

/** One lower-case base32 character for each byte, which gives it its five lowest bits. */
export function base32(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => BASE32[byte % BASE32.length]).join('')
}

/**
 * Where a deployment is.
 *
 * @param pluginsUrl Such as `http://plugins.localhost:4400`.
 */
export function deploymentUrl(label: string, pluginsUrl: string): string {
  const { protocol, host } = new URL(pluginsUrl)
  return `${protocol}//${label}.${host}`
}
