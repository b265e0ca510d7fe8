import type { NewQuote, OrderBuyer } from '@tillwright/contract'

/** What a buyer's page has put together in a session, as it is kept. */
export interface SessionState {
  /** `null` until a page has said: then it is the preview's, or the store's own. */
  currency: string | null
  lines: NewQuote['lines']
  promotionCodes: readonly string[]
  /** The shipping option that the buyer has chosen; `null` before. */
  shippingOptionId: string | null
  /** How the last order that was placed is shipped, and where to; `null` where nothing was shipped. */
  shippedWith: { optionId: string; to: OrderBuyer['shippingAddress'] } | null
  buyer: OrderBuyer
  /** The variants of open lines that the session was handed over with, until the buyer confirms them. */
  broughtAlong: readonly string[]
  /** What of the buyer was said before the session was last handed over. */
  saidElsewhere: readonly ('contact' | 'address')[]
  /** How often the session was handed over. */
  handOvers: number
  /**
   * The last payment that was asked for, and the step it was asked for at; `null` before the first. `card`: what holds of
   * its card once it is paid.
   */
  paying: { paymentId: string; orderId: string; stepId: string; card?: GivenCard } | null
  /** The steps at which earlier orders were paid, and the instruments that paid them. */
  paidAtStepIds: readonly string[]
  paidWithIds: readonly string[]
  /** How those cards were given, or last proven. */
  cards: readonly GivenCard[]
  /** Whether the preview's test card has had its payment. */
  isPresetSpent: boolean
  /** Whether the buyer has come to the end of the funnel. */
  isCompleted: boolean
}

/** The circumstances in which a buyer has given a card, or has proven again that it is theirs. */
export interface GivenCard {
  paymentInstrumentId: string
  /** What the buyer has agreed to then, in minor units of `currency`. */
  amount: number
  currency: string
  /** SHA-256 of e-mail address and addresses. */
  buyer: string
  /** SHA-256 of what is known of the buyer's device. */
  device: string
  /** How often the session had been handed over by then. */
  handOvers: number
}

/** A session in which nothing has happened yet. */
export const untouched: SessionState = {
  currency: null,
  lines: [],
  promotionCodes: [],
  shippingOptionId: null,
  shippedWith: null,
  buyer: { email: '', firstName: '', lastName: '', phone: null, billingAddress: null, shippingAddress: null },
  broughtAlong: [],
  saidElsewhere: [],
  handOvers: 0,
  paying: null,
  paidAtStepIds: [],
  paidWithIds: [],
  cards: [],
  isPresetSpent: false,
  isCompleted: false,
}
