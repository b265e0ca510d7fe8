import { TillwrightError } from '@tillwright/client'
import { PurchaseMalformed } from './read-purchase.ts'

/** What the buyer is told. With 400 and 402 nothing was charged; with 502 nobody knows yet, so the page asks again. */
export interface Refusal {
  status: 400 | 402 | 502
  message: string
  /** The field of the page that is to be corrected. */
  field: 'email' | 'card' | null
}

/** The shop's own words for what went wrong. The buyer never sees the platform's. */
export function refusal(error: Error): Refusal {
  if (error instanceof PurchaseMalformed || error instanceof SyntaxError) {
    return { status: 400, message: 'This order is not complete. Please reload the page.', field: null }
  }
  if (error instanceof TillwrightError && error.code === 'webhook_invalid') {
    return { status: 400, message: error.message, field: null }
  }
  if (!(error instanceof TillwrightError) || error.status === null || error.status >= 500) return unconfirmed
  if (error.type === 'card_error') return { status: 402, message: cardMessage(error.code), field: 'card' }
  if (error.param === 'customerData.email') {
    return { status: 400, message: 'Please check your e-mail address.', field: 'email' }
  }
  if (error.code.startsWith('token_')) {
    return { status: 400, message: 'Your card could not be read. Please pay again.', field: 'card' }
  }
  return { status: 400, message: 'We cannot take this order right now. You were not charged.', field: null }
}

const unconfirmed: Refusal = {
  status: 502,
  message: 'Something did not work. Please try again: you will not be charged twice.',
  field: null,
}

function cardMessage(code: string): string {
  switch (code) {
    case 'insufficient_funds':
      return 'There is not enough money on this card. Try another one; you were not charged.'
    case 'expired_card':
      return 'This card has expired. Try another one; you were not charged.'
    case 'incorrect_cvc':
      return 'The security code is not right. Check it and pay again; you were not charged.'
    case 'authentication_required':
      return 'Your bank could not confirm that it is you. Pay again, or try another card; you were not charged.'
    default: // the codes are an open set: banks find new reasons
      return 'Your bank declined this card. Try another one; you were not charged.'
  }
}
