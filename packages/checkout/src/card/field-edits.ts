import { passesLuhn } from '@tillwright/contract/card-rules'
import { asciiDigits, digitsOf } from './ascii-digits.ts'
import { brandOf } from './brands.ts'
import type { DigitFieldName } from './check-card.ts'
import { type Edit, editDigits, type Edited } from './edit-digits.ts'
import { monthFirst } from './parse-expiry.ts'

/**
 * Sentinels of magnetic stripe tracks, never part of a card number: the beginning of track 1, the separators of both
 * tracks, and their end. Source: ISO/IEC 7813.
 */
const stripeMarks = /[%^=?]/

/**
 * Arranges a card number in the groups of its brand, `4242 4242` or `3782 822463`, with the caret kept. What a stripe
 * reader types is dropped: it says more of the card than a shop may see or keep.
 */
export function editNumber(edit: Edit): Edited {
  if (stripeMarks.test(edit.text)) return { text: '', caret: 0 }
  return editDigits(edit, (digits) => {
    const { lengths, breaks } = brandOf(digits)
    return { max: Math.max(...lengths), separator: ' ', breaks, separates: 'lazy' }
  })
}

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

/** How many edits can be undone. */
const MAX_EDITS = 100

/**
 * Undo history of an input. Browsers discard their own when a script sets the text, so the form keeps one.
 */
export class EditHistory {
  #states: Edited[] = [{ text: '', caret: 0 }]
  #at = 0

  /** Notes what the input shows after an edit; what had been undone can no longer be redone. */
  record(state: Edited): void {
    this.#states = [...this.#states.slice(0, this.#at + 1), state].slice(-MAX_EDITS - 1)
    this.#at = this.#states.length - 1
  }

  /** @returns The input's state before the last edit; `null` if there is no earlier one. */
  undo(): Edited | null {
    return this.#go(-1)
  }

  /** @returns The input's state before the last `undo()`; `null` if nothing was undone. */
  redo(): Edited | null {
    return this.#go(1)
  }

  /** Forgets every edit. */
  clear(): void {
    this.#states = [{ text: '', caret: 0 }]
    this.#at = 0
  }

  #go(step: number): Edited | null {
    const state = this.#states[this.#at + step]
    if (!state) return null
    this.#at += step
    return state
  }
}
