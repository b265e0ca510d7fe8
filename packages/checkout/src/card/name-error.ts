import { digitsOf } from './ascii-digits.ts'

/** How long a cardholder's name is. Source: EMV 3-D Secure 2.2, Cardholder Name. */
export const NAME_LENGTHS = { min: 2, max: 45 }

/** More digits are a number in the wrong field; as many as this may be known of a card by anybody (PCI DSS 3.4.1). */
const MAX_DIGITS = 6

/** A name as it is sent: without space around it, and with single spaces inside. */
export function tidyName(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}

/** Why a name cannot be sent: empty, of an impossible length, or with a number in it; `null` where nothing is wrong. */
export function nameError(text: string): 'required' | 'invalid' | null {
  const { length } = tidyName(text)
  if (length === 0) return 'required'
  const { min, max } = NAME_LENGTHS
  const isName =
    length >= min && length <= max && digitsOf(text).length <= MAX_DIGITS && !/\p{Cc}/u.test(tidyName(text))
  return isName ? null : 'invalid'
}
