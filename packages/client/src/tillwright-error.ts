import type { ErrorCode, ErrorIssue, ErrorType } from '@tillwright/contract'

/** Codes of errors that this client raises itself. */
export type LocalErrorCode =
  | 'idempotency_key_expired'
  | 'network_failed'
  | 'options_invalid'
  | 'response_invalid'
  | 'timed_out'
  | 'webhook_invalid'

/** The platform's codes, this client's, and any code of a newer platform. */
export type TillwrightErrorCode = ErrorCode | LocalErrorCode | (string & Record<never, never>)

/** Details of an error, in addition to its code and message. */
export interface TillwrightErrorDetails {
  status?: number | null
  type?: ErrorType | (string & Record<never, never>) | null
  param?: string | undefined
  issues?: readonly ErrorIssue[]
  declineCode?: string | undefined
  paymentId?: string | undefined
  expectedRevision?: number | undefined
  currentRevision?: number | undefined
  current?: Readonly<Record<string, unknown>> | undefined
  requestId?: string | null
  docUrl?: string | undefined
  cause?: unknown
}

/** The only error class of this package; see `code`. */
export class TillwrightError extends Error {
  override readonly name = 'TillwrightError'
  /** The stable name of the error: branch on this, never on the message. */
  readonly code: TillwrightErrorCode
  /** The HTTP status of the response; `null` if there was none. */
  readonly status: number | null
  /** The category of the platform's error, such as `card_error`; `null` if there is none. */
  readonly type: ErrorType | (string & Record<never, never>) | null
  /** The invalid parameter, dotted with indexes: `variants[0].prices[1].currencyOptions.USD.amount`. */
  readonly param: string | null
  /** All problems with the request. */
  readonly issues: readonly ErrorIssue[]
  /** Why the card's issuer or the processor declined, such as `do_not_honor`. */
  readonly declineCode: string | null
  /** The id of the declined payment. */
  readonly paymentId: string | null
  /** The revision that was sent, with `revision_conflict`. */
  readonly expectedRevision: number | null
  /** The revision that the object has, with `revision_conflict`. */
  readonly currentRevision: number | null
  /** The object as it is now, with `revision_conflict`. */
  readonly current: Readonly<Record<string, unknown>> | null
  /** Identifies the request in the platform's logs. */
  readonly requestId: string | null
  /** The documentation of the code. */
  readonly docUrl: string | null

  constructor(code: TillwrightErrorCode, message: string, details: TillwrightErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause })
    this.code = code
    this.status = details.status ?? null
    this.type = details.type ?? null
    this.param = details.param ?? null
    this.issues = details.issues ?? []
    this.declineCode = details.declineCode ?? null
    this.paymentId = details.paymentId ?? null
    this.expectedRevision = details.expectedRevision ?? null
    this.currentRevision = details.currentRevision ?? null
    this.current = details.current ?? null
    this.requestId = details.requestId ?? null
    this.docUrl = details.docUrl ?? null
  }
}
