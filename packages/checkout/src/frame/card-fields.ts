import { brandOf } from '../card/brands.ts'
import type { FieldName } from '../card/check-card.ts'
import { digitsOf, editDigits } from '../card/edit-digits.ts'
import { editExpiry } from '../card/edit-expiry.ts'
import { editNumber } from '../card/edit-number.ts'
import { CardField } from './card-field.ts'

/** The three fields of the card form. */
export type CardFields = Record<FieldName, CardField>

/** Finds the fields in the document; how long a security code may be follows from the number's brand. */
export function findCardFields(): CardFields {
  const number = new CardField('number', editNumber)
  const expiry = new CardField('expiry', editExpiry)
  const cvc = new CardField('cvc', (edit) => {
    const max = Math.max(...brandOf(digitsOf(number.text)).cvcLengths)
    return editDigits(edit, () => ({ max, separator: '', breaks: [], separates: 'lazy' }))
  })
  return { number, expiry, cvc }
}
