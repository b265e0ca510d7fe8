import { type ErrorCode, type ErrorIssue, errorKinds } from '@tillwright/contract'

/** Optional details of an error. */
export interface ApiErrorDetails {
  /** The offending parameter, dotted with indexes: `variants[0].prices[1].currencyOptions.USD.amount`. */
  param?: string
  /** Every problem found, when there may be more than one. */
  issues?: readonly ErrorIssue[]
  /** Why the issuer or the processor said no: `do_not_honor`. */
  declineCode?: string
  /** The payment that failed, so that it can be read. */
  paymentId?: string
  /** Further response headers, such as `Retry-After`. */
  headers?: Readonly<Record<string, string>>
  cause?: unknown
}

/** A request that must fail. The HTTP layer, and only it, turns this into a response. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly details: ApiErrorDetails

  /** @param message What is wrong, then what to do about it. Never a secret, a card number or SQL. */
  constructor(code: ErrorCode, message: string, details: ApiErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.code = code
    this.details = details
  }

  /** The HTTP status. */
  get status(): number {
    return errorKinds[this.code].status
  }
}

/**
 * An object that does not exist, or belongs to another account: the caller cannot tell the two apart.
 *
 * @param what The kind of object, as the reference calls it: `product`.
 */
export function missing(what: string, id: string, param?: string): ApiError {
  return new ApiError(
    'resource_missing',
    `There is no ${what} '${id}' in this account.`,
    param === undefined ? {} : { param },
  )
}

/** An id that the caller brought for a new object, and that another one has. */
export function taken(what: string, id: string): ApiError {
  return new ApiError('resource_exists', `The ${what} '${id}' exists already; send another id, or none.`, {
    param: 'id',
  })
}

/**
 * A problem that the operator can fix: a setting, a port, a database. The message says all they need, so it is shown as
 * is, without a stack trace.
 */
export class OperatorError extends Error {
  /** Tells it in a program that has another copy of this class. */
  readonly isForOperator = true
}
