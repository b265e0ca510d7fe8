import { hasExpired, lastExpiryYear } from '@tillwright/contract/card-rules'
import { asciiDigits, digitsOf } from './ascii-digits.ts'

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

/**
 * Puts the month first and in two digits, if the text shows a month of one digit or a year that stands first: `1/34`
 * becomes `01/34`, `2034-12` becomes `12/2034`, and `5` can only be May. Any other text comes back as it is.
 *
 * @param text Its digits are those of ASCII.
 */
export function monthFirst(text: string): string {
  const yearFirst = /^\s*(\d{4})\s*[-/.]\s*(\d{1,2})\s*$/.exec(text)
  if (yearFirst) return `${yearFirst[2]?.padStart(2, '0')}/${yearFirst[1]}`
  const shortMonth = /^\s*(\d)\s*[-/.]\s*(\d{4}|\d{2})?\s*$/.exec(text)
  if (shortMonth) return `0${shortMonth[1]}/${shortMonth[2] ?? ''}`
  return /^[2-9]$/.test(text) ? `0${text}` : text
}
