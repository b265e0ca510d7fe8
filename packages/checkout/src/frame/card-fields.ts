import { digitsOf } from '../card/ascii-digits.ts'
import { brandOf, type Brand } from '../card/brands.ts'
import type { FieldName } from '../card/check-card.ts'
import { editDigits } from '../card/edit-digits.ts'
import { editExpiry } from '../card/edit-expiry.ts'
import { editNumber } from '../card/edit-number.ts'
import { isWholeExpiry, isWholeNumber } from '../card/is-whole.ts'
import { splitCardLine } from '../card/split-card-line.ts'
import { CardField } from './card-field.ts'

/** The fields of the card form. */
export type CardFields = Record<FieldName, CardField>

/**
 * Finds the fields in the document.
 *
 * @param isChoiceOpen Whether the number leaves a choice of networks: the keyboard then does not pass over it by itself.
 * @param savedBrand The brand of the saved card that the security code is for; without one the number tells it.
 */
export function findCardFields(isChoiceOpen: () => boolean, savedBrand: () => Brand | undefined): CardFields {
  const cvc = new CardField('cvc', {
    edit: (edit) => {
      const { cvcLengths } = savedBrand() ?? brandOf(digitsOf(number.text))
      // Where one network of a card takes no code, another one may: it has three digits at least.
      const max = Math.max(3, ...cvcLengths)
      return editDigits(edit, () => ({ max, separator: '', breaks: [], separates: 'lazy' }))
    },
  })
  const expiry = new CardField('expiry', { edit: editExpiry, isWhole: isWholeExpiry, next: cvc })
  const number = new CardField('number', {
    edit: (edit) => {
      const line = splitCardLine(edit.text)
      if (!line) return editNumber(edit)
      const edited = editNumber({ ...edit, text: line.number, caret: line.number.length })
      number.input.value = edited.text // before the security code, whose length follows from it
      expiry.fill(line.expiry)
      if (line.cvc) cvc.fill(line.cvc)
      return edited
    },
    isWhole: (text) => isWholeNumber(text) && !isChoiceOpen(),
    next: expiry,
  })
  const name = new CardField('name', { edit: ({ text, caret }) => ({ text, caret }) })
  return { number, expiry, cvc, name }
}
