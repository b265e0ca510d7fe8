/** A card that a shop has stored for its customer: what may be shown of it. `expMonth` is 1 to 12, `expYear` has four digits. */
export interface SavedCard {
  paymentInstrumentId: string
  brand: string
  /** The last four digits of the number. */
  last4: string
  expMonth: number
  expYear: number
}

/** How many saved cards a form lists. */
export const MAX_SAVED_CARDS = 10

/** The security code that a buyer has typed for a saved card: digits, or empty where payments go without one. */
export interface SavedCardCode {
  paymentInstrumentId: string
  cvc: string
}
