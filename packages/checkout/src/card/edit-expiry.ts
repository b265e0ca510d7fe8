import { asciiDigits } from './ascii-digits.ts'
import { editDigits, type Edit, type Edited } from './edit-digits.ts'
import { monthFirst } from './month-first.ts'

/**
 * Arranges an expiry date as `MM / YY`, or `MM / YYYY` for who types the century, with the caret kept. It understands
 * what browsers fill in (`12/2030`, `2030-12`) and what people type (`5`, `5/30`).
 */
export function editExpiry(edit: Edit): Edited {
  const typed = asciiDigits(edit.text)
  const text = edit.kind.startsWith('delete') ? typed : monthFirst(typed)
  const caret = text === typed ? asciiDigits(edit.text.slice(0, edit.caret)).length : text.length
  return editDigits({ ...edit, text, caret }, (digits) => ({
    // A two-digit year of 20 is long past, so these digits begin a century.
    max: digits.slice(2, 4) === '20' ? 6 : 4,
    separator: ' / ',
    breaks: [2],
    separates: 'eager',
  }))
}
