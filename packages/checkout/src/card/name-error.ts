import { NAME_LENGTHS, NAME_MAX_DIGITS } from '@tillwright/contract/card-rules'
import { digitsOf } from './ascii-digits.ts'

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
    length >= min && length <= max && digitsOf(text).length <= NAME_MAX_DIGITS && !/\p{Cc}/u.test(tidyName(text))
  return isName ? null : 'invalid'
}
