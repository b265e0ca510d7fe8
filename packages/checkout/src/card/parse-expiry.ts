import { asciiDigits, digitsOf } from './ascii-digits.ts'
import { monthFirst } from './month-first.ts'

/** The furthest year that is believed; a later one is a slip of the finger. */
export const MAX_EXPIRY_YEARS = 20

/** How far the first time zone is ahead of UTC: 14 hours. */
const EASTERNMOST_MS = 14 * 60 * 60 * 1_000

/** An expiry date, or why there is none yet. `month` is 1 to 12, `year` has four digits. */
export type Expiry =
  | { outcome: 'valid'; month: number; year: number }
  | { outcome: 'required' | 'incomplete' | 'invalid' | 'expired' }

/**
 * Reads `MM / YY` or `MM / YYYY`, and what `monthFirst()` makes one of them. A card is good through the last day of its
 * month, wherever on earth that day ends last (UTC-12), and its furthest year counts from where the next year begins
 * first (UTC+14): the bank, not the form, has the final word.
 *
 * @param nowMs The time, in milliseconds since 1970.
 */
export function parseExpiry(text: string, nowMs: number): Expiry {
  const digits = digitsOf(monthFirst(asciiDigits(text)))
  if (digits === '') return { outcome: 'required' }
  if (digits.length !== 4 && digits.length !== 6) return { outcome: 'incomplete' }
  const month = Number(digits.slice(0, 2))
  const year = digits.length === 6 ? Number(digits.slice(2)) : 2000 + Number(digits.slice(2))
  if (month < 1 || month > 12) return { outcome: 'invalid' }
  const endsMs = Date.UTC(year, month, 1, 12)
  if (endsMs <= nowMs) return { outcome: 'expired' }
  const thisYear = new Date(nowMs + EASTERNMOST_MS).getUTCFullYear()
  if (year > thisYear + MAX_EXPIRY_YEARS) return { outcome: 'invalid' }
  return { outcome: 'valid', month, year }
}
