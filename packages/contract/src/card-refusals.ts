/** What the charge of a card may be refused for. Source: decisions, "Errors" and "Payment flows". */
export const cardRefusals = [
  'card_declined',
  'insufficient_funds',
  'expired_card',
  'incorrect_cvc',
  'processing_error',
  'authentication_required',
  'no_eligible_processor',
] as const
