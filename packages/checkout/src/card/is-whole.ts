import { digitsOf } from './ascii-digits.ts'
import { brandOf } from './brands.ts'
import { passesLuhn } from '@tillwright/contract/card-rules'

/** Whether nearly every number that begins like this ends here, so that the form may move on to the next field. */
export function isWholeNumber(text: string): boolean {
  const digits = digitsOf(text)
  const { lengths, usualLength, luhn } = brandOf(digits)
  return digits.length === (usualLength ?? Math.max(...lengths)) && (!luhn || passesLuhn(digits))
}

/** Whether month and year are both there; a year that begins with 20 has four digits. */
export function isWholeExpiry(text: string): boolean {
  const digits = digitsOf(text)
  const month = Number(digits.slice(0, 2))
  return month >= 1 && month <= 12 && digits.length === (digits.slice(2, 4) === '20' ? 6 : 4)
}
