import { brandOf } from './brands.ts'
import { editDigits, type Edit, type Edited } from './edit-digits.ts'

/**
 * What marks the tracks of a magnetic stripe, and no card number: the beginning of track 1, the separators of both
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
