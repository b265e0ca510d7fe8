import { type ErrorCode, type ErrorIssue, errorKinds } from '@tillwright/contract'

/** Optional details of an error, in addition to its code and message. */
export interface ApiErrorDetails {
  /** The offending parameter, dotted with indexes: `variants[0].prices[1].currencyOptions.USD.amount`. */
  param?: string
  /** Every problem found, when there may be more than one. */
  issues?: readonly ErrorIssue[]
  /** Why the issuer or the processor declined: `do_not_honor`. */
  declineCode?: string
  /** The payment that failed, so that the caller can retrieve it. */
  paymentId?: string
  /** For a change that is based on an old revision: both revisions, and the resource as it is now. */
  conflict?: { expectedRevision: number; currentRevision: number; current: Readonly<Record<string, unknown>> }
  /** Additional response headers, such as `Retry-After`. */
  headers?: Readonly<Record<string, string>>
  cause?: unknown
}

/** An error response. Only the HTTP layer turns it into one. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly details: ApiErrorDetails

  /** @param message The problem, then how to fix it. Never contains a secret, a card number or SQL. */
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

/** Where an object was looked for: the parameter that names it, and the place if that is narrower than the account. */
export interface Sought {
  param: string
  /** Continues the sentence: `in the store 'store_1'`. */
  place: string
}

/**
 * Builds the error for an object that does not exist or belongs to another account; callers cannot tell these apart.
 *
 * @param what The kind of object, as the API reference calls it: `product`.
 * @param sought The parameter that names the object, with the place if only a part of the account was searched.
 */
export function missing(what: string, id: string, sought?: string | Sought): ApiError {
  const { param, place } = typeof sought === 'object' ? sought : { param: sought, place: 'in this account' }
  return new ApiError('resource_missing', `There is no ${what} '${id}' ${place}.`, param === undefined ? {} : { param })
}

/** The place of an object that was looked for in one store. */
export function inStore(storeId: string, param: string): Sought {
  return { param, place: `in the store '${storeId}'` }
}

/** Builds the error for a new object whose caller-supplied id is already in use. */
export function taken(what: string, id: string): ApiError {
  return new ApiError('resource_exists', `The ${what} '${id}' already exists; send another id, or none.`, {
    param: 'id',
  })
}

/**
 * Refuses an archived resource for something new.
 *
 * @param what The kind of resource: `product`.
 * @param param The parameter that names it.
 * @throws {ApiError} `state_conflict`.
 */
export function requireUnarchived(
  what: string,
  { id, archived }: { id: string; archived?: boolean | undefined },
  param: string,
): void {
  if (archived !== true) return
  const message = `The ${what} '${id}' is archived and cannot be used for anything new; unarchive it, or choose another.`
  throw new ApiError('state_conflict', message, { param })
}

/**
 * A problem that the operator of the platform can fix: a setting, a port, a database. Printed as its message alone,
 * without a stack trace.
 */
export class OperatorError extends Error {
  /** Identifies the error across multiple copies of this class in one program. */
  readonly isForOperator = true
}
