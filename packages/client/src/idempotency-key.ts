import { IDEMPOTENCY_RETENTION_MS } from '@tillwright/contract'
import { TillwrightError } from './tillwright-error.ts'

/** Before the platform forgets a key, so that clocks may differ. */
const MARGIN_MS = 60 * 60 * 1_000

/** The age from which this client sends no request with a key of its own any more: 23 hours. */
export const KEY_AGE_MAX_MS = IDEMPOTENCY_RETENTION_MS - MARGIN_MS

/**
 * Makes an `Idempotency-Key` that tells its age. Store it with your order before the first request, and use it for every
 * repetition: a queue that repeats a request after days is then refused by this client, instead of paying twice.
 *
 * @param prefix Visible ASCII characters of your own, such as the id of an order; at most 218.
 * @param nowMs The time, in Unix milliseconds.
 * @returns A UUID of version 7 (RFC 9562, 5.7), after the prefix and a `_`: `order-7_01983f0c-...`.
 */
export function newIdempotencyKey(prefix = '', nowMs = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const time = Math.floor(nowMs).toString(16).padStart(12, '0')
  const random = Array.from(bytes.subarray(6), (byte) => byte.toString(16).padStart(2, '0')).join('')
  const variant = (8 + (Number(bytes[0]) & 3)).toString(16)
  const uuid = `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(1, 4)}-${variant}${random.slice(5, 8)}-${random.slice(8)}`
  return prefix === '' ? uuid : `${prefix}_${uuid}`
}

/** A UUID of version 7 at the end of a key: its first 48 bits are the time. */
const TIMED = /(?:^|_)([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/**
 * Refuses a key that the platform may have forgotten: under it the same request would be executed again.
 *
 * @throws {TillwrightError} `idempotency_key_expired`. Keys that do not tell their age are sent.
 */
export function refuseOldKey(key: string, nowMs: number): void {
  const [, high, low] = TIMED.exec(key) ?? []
  if (high === undefined || low === undefined) return
  const ageMs = nowMs - Number.parseInt(high + low, 16)
  if (ageMs <= KEY_AGE_MAX_MS) return
  throw new TillwrightError(
    'idempotency_key_expired',
    `The idempotencyKey is ${Math.floor(ageMs / 3_600_000)} hours old, and the platform keeps keys for ${IDEMPOTENCY_RETENTION_MS / 3_600_000}: sent again, the request could be executed twice. Look up whether it was executed; if it was not, send it with a new key.`,
    { param: 'idempotencyKey' },
  )
}
