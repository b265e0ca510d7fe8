/**
 * Codes of errors that the SDK raises itself; all others come from the platform.
 * - `page_data_missing`: the document was not served by a platform or by `tillwright dev`.
 * - `network_failed`: there was no response after several attempts.
 * - `response_invalid`: the response does not come from the platform.
 * - `funnel_missing`: there is no step to leave, because the session has no funnel.
 * - `step_unreachable`: no known page shows the step.
 * - `checkout_unavailable`: the checkout did not load, or no card form is mounted.
 */
export type PageErrorCode =
  | 'page_data_missing'
  | 'network_failed'
  | 'response_invalid'
  | 'funnel_missing'
  | 'step_unreachable'
  | 'checkout_unavailable'

/** Details of an error, in addition to its code and message. */
export interface TillwrightErrorDetails {
  status?: number | null
  param?: string
  declineCode?: string
  paymentId?: string
  requestId?: string
  cause?: unknown
}

/** The only error class of this package; see `code`. */
export class TillwrightError extends Error {
  override readonly name = 'TillwrightError'
  /** The stable name of the error: branch on this, never on the message. */
  declare readonly code: PageErrorCode | (string & Record<never, never>)
  /** The HTTP status of the response; `null` if there was none. */
  declare readonly status: number | null
  /** The invalid field of the request, or `null`. */
  declare readonly param: string | null
  /** Why the bank declined the card, with a 402, or `null`. */
  declare readonly declineCode: string | null
  /** The payment that failed, with a 402, or `null`. */
  declare readonly paymentId: string | null
  /** Identifies the request in the platform's logs, or `null`. */
  declare readonly requestId: string | null

  constructor(code: TillwrightError['code'], message: string, details: TillwrightErrorDetails = {}) {
    super(message, { cause: details.cause })
    Object.assign(this, nothing, details, { code })
  }
}

const nothing = { status: null, param: null, declineCode: null, paymentId: null, requestId: null }
