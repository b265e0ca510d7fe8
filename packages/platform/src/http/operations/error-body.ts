import { type ErrorBody, errorKinds } from '@tillwright/contract'
import type { Logger } from 'pino'
import type { Answer } from '../../accounts/index.ts'
import type { Services } from '../../request-context.ts'
import { ApiError, newId } from '../../runtime/index.ts'
import { DatabaseUnavailable } from '../../storage/index.ts'

/**
 * Turns whatever was thrown into the error that the caller may see. What is not an `ApiError` is a fault of ours, and
 * its text stays here.
 */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof DatabaseUnavailable) {
    return new ApiError('unavailable', 'The service cannot reach its database; try again in a moment.', {
      headers: { 'Retry-After': '1' },
      cause: thrown,
    })
  }
  return new ApiError('internal', 'Internal error; it is logged under the request id.', { cause: thrown })
}

/** One line, without a stack: where the error was thrown says nothing of why the database is away. */
export function logUnavailable(log: Logger, { message }: DatabaseUnavailable, about: object = {}): void {
  log.warn({ ...about, reason: message }, 'the database is unavailable')
}

/** Logs answers of 500 and more: bugs as errors, failures of another server as warnings. */
export function logFailure(log: Logger, error: ApiError, about: object = {}): void {
  const cause = error.details.cause ?? error
  if (cause instanceof DatabaseUnavailable) logUnavailable(log, cause, about)
  else if (error.code === 'internal') log.error({ err: cause, ...about }, 'request failed')
  else log.warn({ err: cause, ...about }, 'request failed')
}

/** The answer to a repeated request whose stored answer named a customer who was erased since. */
export function erasedAnswer(docsUrl: string, { clock, randomness }: Pick<Services, 'clock' | 'randomness'>): Answer {
  const error = new ApiError(
    'state_conflict',
    'This request was carried out, and its answer named a customer who was erased since. It is not carried out again.',
  )
  const requestId = newId('req', clock.now(), randomness)
  return { status: error.status, body: JSON.stringify(errorBody(error, requestId, docsUrl)) }
}

/**
 * The body of an error: shapes A and B of the reference at once.
 *
 * @param docsUrl The reference; its page of errors has an anchor for every code.
 */
export function errorBody({ code, message, details }: ApiError, requestId: string, docsUrl: string): ErrorBody {
  const { type, class: errorClass } = errorKinds[code]
  const { param, declineCode, paymentId, conflict } = details
  return {
    error: {
      type,
      code,
      message,
      ...(param !== undefined && { param }),
      ...(declineCode !== undefined && { declineCode }),
      ...(paymentId !== undefined && { paymentId }),
      ...conflict,
      docUrl: `${docsUrl}/errors#${code}`,
      requestId,
    },
    message,
    code: errorClass,
    issues: [...(details.issues ?? [{ message, path: param ?? '', code }])],
  }
}
