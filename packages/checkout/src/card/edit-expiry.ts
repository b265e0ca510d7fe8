import { editDigits, type Edit, type Edited } from './edit-digits.ts'

/**
 * Arranges an expiry date as `MM / YY`, or `MM / YYYY` for who types the century, with the caret kept. It understands
 * what browsers fill in (`12/2030`, `2030-12`) and what people type (`5`, `5/30`).
 */
export function editExpiry(edit: Edit): Edited {
  const text = edit.kind.startsWith('delete') ? edit.text : monthFirst(edit.text)
  const caret = text === edit.text ? edit.caret : text.length
  return editDigits({ ...edit, text, caret }, (digits) => ({
    // A two-digit year of 20 is long past, so these digits begin a century.
    max: digits.slice(2, 4) === '20' ? 6 : 4,
    separator: ' / ',
    breaks: [2],
    separates: 'eager',
  }))
}

/** Month in two digits, then the year, if the text shows a month of one digit or a year that stands first. */
function monthFirst(text: string): string {
  const yearFirst = /^\s*(\d{4})\s*[-/.]\s*(\d{1,2})\s*$/.exec(text)
  if (yearFirst) return `${yearFirst[2]?.padStart(2, '0')}/${yearFirst[1]}`
  const shortMonth = /^\s*(\d)\s*[-/.]\s*(\d{4}|\d{2})?\s*$/.exec(text)
  if (shortMonth) return `0${shortMonth[1]}/${shortMonth[2] ?? ''}`
  return /^[2-9]$/.test(text) ? `0${text}` : text
}
