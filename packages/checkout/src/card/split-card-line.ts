import { brandOf } from './brands.ts'
import type { DigitFieldName } from './check-card.ts'
import { asciiDigits, digitsOf } from './ascii-digits.ts'
import { passesLuhn } from '@tillwright/contract/card-rules'

/** A longer text is no card's. */
const MAX_LINE_LENGTH = 120

/** Number, expiry with a sign between month and year, and a security code if there is one, with anything between. */
const line = /^\D*((?:\d[ -]?){12,19})\D+?(\d{1,2})\s*[-/.|]\s*(\d{4}|\d{2})(?:\D+(\d{3,4}))?\D*$/

/**
 * Takes a whole card apart that was pasted as one line, `4242 4242 4242 4242 12/34 123`, from a password manager or a
 * list of test cards.
 *
 * @returns The text for each field, `cvc` empty where the line has none; `null` for anything that is not a whole card.
 */
export function splitCardLine(text: string): Record<DigitFieldName, string> | null {
  if (text.length > MAX_LINE_LENGTH) return null
  const [, typed = '', month = '', year = '', cvc = ''] = line.exec(asciiDigits(text)) ?? []
  const number = digitsOf(typed)
  const { lengths, luhn } = brandOf(number)
  if (!lengths.includes(number.length) || (luhn && !passesLuhn(number))) return null
  return { number, expiry: `${month.padStart(2, '0')}/${year}`, cvc }
}
