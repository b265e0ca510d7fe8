import { hash } from 'node:crypto'
import type { Randomness } from '../runtime/index.ts'

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
function base32(bytes: Uint8Array): string {
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

/** The origin of a plugin's host or domain: the scheme and port of the plugins' own. In `local` every host is on the platform's port. */
export function pageOrigin(hostname: string, pluginsUrl: string): string {
  const { protocol, port } = new URL(pluginsUrl)
  return `${protocol}//${hostname}${port === '' ? '' : `:${port}`}`
}

/**
 * The default origin of plugins in `local`: `plugins.localhost`, which every browser resolves to this machine (RFC 6761
 * section 6.3), and whose pages cannot set cookies for `localhost`.
 */
export function pluginsUrlOf(apiUrl: string): string {
  const { protocol, port } = new URL(apiUrl)
  return `${protocol}//plugins.localhost${port === '' ? '' : `:${port}`}`
}

/** 130 bits: as many as tell stores apart for good. */
const STORE_CHARS = 26

/**
 * The first name of an alias on the plugins' host: the alias, `--`, and 26 base32 characters of a hash of account and
 * store. The store's id itself would not do: its letters differ by case, it may be long, and two accounts may use one.
 */
export function aliasHost(alias: string, { accountId, storeId }: { accountId: string; storeId: string }): string {
  const digest = hash('sha256', JSON.stringify([accountId, storeId]), 'buffer')
  return `${alias}--${base32(digest.subarray(0, STORE_CHARS))}`
}
