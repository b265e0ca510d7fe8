import { brandOf } from './brands.ts'
import { editDigits, type Edit, type Edited } from './edit-digits.ts'

/** Arranges a card number in the groups of its brand, `4242 4242` or `3782 822463`, with the caret kept. */
export function editNumber(edit: Edit): Edited {
  return editDigits(edit, (digits) => {
    const { lengths, breaks } = brandOf(digits)
    return { max: Math.max(...lengths), separator: ' ', breaks, separates: 'lazy' }
  })
}
