import { type ErrorBody, errorKinds } from '@tillwright/contract'
import { ApiError } from '../runtime/index.ts'
import { DatabaseUnavailable } from '../storage/index.ts'

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

/**
 * The body of an error: shapes A and B of the reference at once.
 *
 * @param docsUrl The reference; its page of errors has an anchor for every code.
 */
export function errorBody({ code, message, details }: ApiError, requestId: string, docsUrl: string): ErrorBody {
  const { type, class: errorClass } = errorKinds[code]
  const { param, declineCode, paymentId } = details
  return {
    error: {
      type,
      code,
      message,
      ...(param !== undefined && { param }),
      ...(declineCode !== undefined && { declineCode }),
      ...(paymentId !== undefined && { paymentId }),
      docUrl: `${docsUrl}/errors#${code}`,
      requestId,
    },
    message,
    code: errorClass,
    issues: [...(details.issues ?? [{ message, path: param ?? '', code }])],
  }
}
