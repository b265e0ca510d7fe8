import { digitsOf } from './ascii-digits.ts'
import { takesCvc, type Brand } from './brands.ts'
import { cvcError, type CheckedCard } from './check-card.ts'
import type { SavedCardCode } from './saved-card.ts'

/**
 * Judges the security code of a saved card.
 *
 * @param text The text of the input.
 */
export function checkSavedCode(text: string, paymentInstrumentId: string, brand: Brand): CheckedCard<SavedCardCode> {
  const cvc = takesCvc(brand) ? digitsOf(text) : ''
  const error = cvcError(cvc, brand)
  const errors = { number: null, expiry: null, cvc: error, name: null }
  return { brand, errors, card: error ? null : { paymentInstrumentId, cvc } }
}
