/** A card as a processor receives it. It exists in memory for the length of one call. */
export interface PresentedCard {
  number: string
  expMonth: number
  expYear: number
  /** Absent when the card is used again later: a CVC is never stored. */
  cvc: string | null
}

/** One try to charge a card. `id` is the idempotency key towards the processor: a repeated id is never a second charge. */
export interface Charge {
  id: string
  processorId: string
  /** In the currency's minor unit. */
  amount: number
  currency: string
  card: PresentedCard
}

/** Why an issuer says no, in the field's own words. */
export type DeclineCode =
  | 'generic_decline'
  | 'do_not_honor'
  | 'insufficient_funds'
  | 'lost_card'
  | 'stolen_card'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'processing_error'

/** What a processor answers: the money is taken, or it is not and this is why. */
export type ChargeOutcome = { outcome: 'succeeded' } | { outcome: 'declined'; declineCode: DeclineCode }

/** Somebody who can charge cards. A rejected promise means that the outcome is unknown: ask again with the same id. */
export interface Processor {
  charge(charge: Charge): Promise<ChargeOutcome>
}
