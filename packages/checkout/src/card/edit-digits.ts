import { digitsOf } from './ascii-digits.ts'

/** An edit as the browser has applied it to an input. */
export interface Edit {
  /** The input's text before the edit, as this module had arranged it. */
  previous: string
  text: string
  /** The caret's place in `text`, in UTF-16 units. */
  caret: number
  /** The event's `inputType`; empty when the browser filled the field by itself. */
  kind: string
}

/** The text and caret to show instead. */
export interface Edited {
  text: string
  caret: number
}

/** How digits are laid out in an input. */
export interface DigitLayout {
  /** The most digits that fit. */
  max: number
  separator: string
  /** Digits before which the separator stands. */
  breaks: readonly number[]
  /** `eager` shows a separator as soon as the digits before it are typed, `lazy` with the next digit. */
  separates: 'eager' | 'lazy'
}

/**
 * Keeps only the digits of an edited input, arranges them, and keeps the caret behind the digit that it stood behind.
 *
 * @param layoutOf The layout for the digits that are there now: a card's brand shows only while it is typed.
 */
export function editDigits(edit: Edit, layoutOf: (digits: string) => DigitLayout): Edited {
  const { digits, before } = deleteBesideSeparator(edit)
  const layout = layoutOf(digits)
  const isFull = digitsOf(edit.previous).length >= layout.max
  if (digits.length > layout.max && edit.kind === 'insertText' && isFull) {
    // Refused, because otherwise a digit typed in the middle would silently push out the last one.
    return { text: edit.previous, caret: edit.caret - (edit.text.length - edit.previous.length) }
  }
  const text = arrange(digits.slice(0, layout.max), layout, edit.kind)
  return { text, caret: before >= Math.min(digits.length, layout.max) ? text.length : caretAfter(text, before) }
}

/** Deleting a separator also deletes the adjacent digit; otherwise the separator would reappear. */
function deleteBesideSeparator({ previous, text, caret, kind }: Edit): { digits: string; before: number } {
  const digits = digitsOf(text)
  const before = digitsOf(text.slice(0, caret)).length
  if (!kind.startsWith('delete') || digits !== digitsOf(previous)) return { digits, before }
  const deleted = kind.endsWith('Backward') ? Math.max(0, before - 1) : before
  return { digits: digits.slice(0, deleted) + digits.slice(deleted + 1), before: deleted }
}

function arrange(digits: string, { breaks, separator, separates }: DigitLayout, kind: string): string {
  const text = Array.from(digits)
    .map((digit, index) => (breaks.includes(index) ? separator + digit : digit))
    .join('')
  const isTrailing = separates === 'eager' && breaks.includes(digits.length) && !kind.startsWith('delete')
  return isTrailing ? text + separator : text
}

function caretAfter(text: string, digitCount: number): number {
  let caret = 0
  for (let seen = 0; seen < digitCount; caret += 1) if (/[0-9]/.test(text.charAt(caret))) seen += 1
  return caret
}
