import { TillwrightError } from '@tillwright/client'
import type { PaymentMethodType } from '@tillwright/contract'
import { PurchaseMalformed } from './read-purchase.ts'
import type { Texts } from './texts/index.ts'

/** Why a purchase was refused. With 400 and 402 nothing was charged; with 502 the outcome is unknown, so the page asks again. */
export interface Refusal {
  status: 400 | 402 | 502
  /** The shop's own words: the buyer never sees the platform's. */
  text: keyof Texts
  /** The field of the page that is to be corrected. */
  field: 'email' | 'card' | null
}

/** The refusal that an error stands for. */
export function refusal(error: Error): Refusal {
  if (error instanceof PurchaseMalformed || error instanceof SyntaxError) {
    return { status: 400, text: 'incomplete', field: null }
  }
  if (error instanceof TillwrightError && error.code === 'webhook_invalid') {
    return { status: 400, text: 'refused', field: null }
  }
  if (!(error instanceof TillwrightError) || error.status === null || error.status >= 500) return unconfirmed
  // Turned away before the platform has looked whether the purchase, which the page may send again, is paid already.
  if (TURNED_AWAY.has(error.type) || error.code === 'response_invalid') return unconfirmed
  // The bank has not seen the buyer yet, or another tab is at it.
  if (error.code === 'state_conflict' || error.code === 'idempotency_key_in_use') return unconfirmed
  if (error.type === 'card_error') return declined(error.declineCode ?? error.code, 'card', error.code)
  if (error.param === 'customerData.email' || error.param === 'email')
    return { status: 400, text: 'emailRefused', field: 'email' }
  if (error.code.startsWith('token_')) return { status: 400, text: 'cardUnread', field: 'card' }
  return { status: 400, text: 'refused', field: null }
}

const TURNED_AWAY: ReadonlySet<string | null> = new Set([
  'rate_limit_error',
  'authentication_error',
  'permission_error',
])

const unconfirmed: Refusal = { status: 502, text: 'unconfirmed', field: null }

/**
 * The refusal of a payment that was declined.
 *
 * @param declineCode The payment's: of the issuer, or how the authentication of the buyer ended.
 * @param method The payment method. An unknown reason is worded for the card if it is one, and for the payment
 *   otherwise.
 * @param code The error's, which groups many of them.
 */
export function declined(
  declineCode: string | null,
  method: PaymentMethodType,
  code: string = declineCode ?? '',
): Refusal {
  const unknown = method === 'card' ? 'declined' : 'unpaid' // banks find new reasons
  const text = declineTexts.get(declineCode ?? '') ?? declineTexts.get(code) ?? unknown
  return { status: 402, text, field: 'card' }
}

const declineTexts: ReadonlyMap<string, keyof Texts> = new Map([
  ['insufficient_funds', 'insufficientFunds'],
  ['expired_card', 'expiredCard'],
  ['incorrect_cvc', 'incorrectCode'],
  ['retry_limit_reached', 'declinedTooOften'],
  ['authentication_cancelled', 'cancelled'],
  ['authentication_timed_out', 'timedOut'],
  ['authentication_rejected', 'declined'],
  ['authentication_required', 'unauthenticated'],
  ['authentication_failed', 'unauthenticated'],
  ['authentication_unavailable', 'unauthenticated'],
  ['authentication_informational', 'unauthenticated'],
  ['buyer_canceled', 'paymentCancelled'],
  ['payment_expired', 'paymentTimedOut'],
  ['debit_refused', 'debitRefused'],
])
