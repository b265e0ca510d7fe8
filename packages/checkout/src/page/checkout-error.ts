import type { FieldName } from '../card/check-card.ts'

/**
 * Why a call could not be answered. These never change their meaning:
 * - `argument_invalid`, `element_not_found`: the page's own call is wrong; the message names the argument and the fix.
 * - `page_insecure`: the page has no HTTPS (or no origin), so the browser offers no cryptography.
 * - `not_mounted`, `already_mounted`, `destroyed`: the card is not in the state that the call needs.
 * - `frame_unavailable`: the card form did not load or was refused (`loaderror`), or went away (`error`): `retry()` brings an
 *   empty one. Of `authenticate()`: the 3-D Secure frame did not load or went away; it may be called again.
 * - `card_incomplete`, `card_invalid`: the buyer has to type on; the form shows where.
 * - `method_incomplete`, `method_invalid`: the same of a method that is no card.
 * - `network_failed`: the vault, or the API, could not be reached; trying again is safe.
 * - `challenge_required`: so many cards were sent from here that the vault wants a challenge to be solved first.
 * - `tokenize_rejected`: the vault refused; `requestId` finds the reason in its log.
 * - `methods_refused`: the API did not say what can be paid with; the message has its reason.
 */
export type CheckoutErrorCode =
  | 'argument_invalid'
  | 'element_not_found'
  | 'page_insecure'
  | 'not_mounted'
  | 'already_mounted'
  | 'destroyed'
  | 'frame_unavailable'
  | 'card_incomplete'
  | 'card_invalid'
  | 'method_incomplete'
  | 'method_invalid'
  | 'network_failed'
  | 'tokenize_rejected'
  | 'challenge_required'
  | 'methods_refused'

/** The inputs of methods that are no card. */
export type MethodField = 'iban' | 'holderName' | 'mandate'

/** Details of an error, in addition to its code and message. */
export interface CheckoutErrorDetails {
  field?: FieldName | MethodField | null
  requestId?: string | null
}

/** Every error that this package throws, rejects with, or hands to a listener of `loaderror` or `error`. */
export class CheckoutError extends Error {
  override readonly name = 'CheckoutError'
  // Declared alone: the constructor makes them, and each loader is spared their names.
  declare readonly code: CheckoutErrorCode
  /** The input that the buyer has to correct first, or `null`. */
  declare readonly field: FieldName | MethodField | null
  /** The id of the refused request, or `null`. */
  declare readonly requestId: string | null

  constructor(code: CheckoutErrorCode, message: string, { field = null, requestId = null }: CheckoutErrorDetails = {}) {
    super(message)
    this.code = code
    this.field = field
    this.requestId = requestId
  }
}
