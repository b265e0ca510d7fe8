/** A card that a shop has stored for its customer: what may be shown of it. */
export interface SavedCard {
  /** The id of the payment instrument: `pi_...`. */
  paymentInstrumentId: string
  /** Network name, as in the payment instrument. */
  brand: string
  /** The last four digits of the number. */
  last4: string
  /** 1 to 12. */
  expMonth: number
  /** Four digits. */
  expYear: number
}

/** How many saved cards a form lists. */
export const MAX_SAVED_CARDS = 10

/** The security code that a buyer has typed for a saved card: digits, or empty where payments go without one. */
export interface SavedCardCode {
  paymentInstrumentId: string
  cvc: string
}
