import { hasExpired, lastExpiryYear } from '@tillwright/contract/card-rules'
import { asciiDigits, digitsOf } from './ascii-digits.ts'
import { monthFirst } from './month-first.ts'

/** An expiry date, or why there is none yet. `month` is 1 to 12, `year` has four digits. */
export type Expiry =
  | { outcome: 'valid'; month: number; year: number }
  | { outcome: 'required' | 'incomplete' | 'invalid' | 'expired' }

/**
 * Reads `MM / YY` or `MM / YYYY`, and what `monthFirst()` makes one of them.
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
  if (hasExpired(month, year, nowMs)) return { outcome: 'expired' }
  if (year > lastExpiryYear(nowMs)) return { outcome: 'invalid' }
  return { outcome: 'valid', month, year }
}
