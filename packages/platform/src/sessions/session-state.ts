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
  /** The last payment that was asked for, and the step it was asked for at; `null` before the first. */
  paying: { paymentId: string; orderId: string; stepId: string } | null
  /** The steps at which earlier orders were paid, and the instruments that paid them. */
  paidAtStepIds: readonly string[]
  paidWithIds: readonly string[]
  /** Whether the preview's test card has had its payment. */
  isPresetSpent: boolean
  /** Whether the buyer has come to the end of the funnel. */
  isCompleted: boolean
}

/** A session in which nothing has happened yet. */
export const untouched: SessionState = {
  currency: null,
  lines: [],
  promotionCodes: [],
  shippingOptionId: null,
  shippedWith: null,
  buyer: { email: '', firstName: '', lastName: '', phone: null, billingAddress: null, shippingAddress: null },
  paying: null,
  paidAtStepIds: [],
  paidWithIds: [],
  isPresetSpent: false,
  isCompleted: false,
}
