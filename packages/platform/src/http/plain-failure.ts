import type { ApiError } from '../ambient/api-error.ts'
import { newId } from '../ambient/ids.ts'
import { errorBody } from './error-body.ts'
import type { Serving } from './serving.ts'

/** The answer to a request that met no operation. */
export function plainFailure(error: ApiError, { parts, docsUrl }: Serving): Response {
  const requestId = newId('req', parts.clock.now(), parts.randomness)
  return new Response(JSON.stringify(errorBody(error, requestId, docsUrl)), {
    status: error.status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'X-Request-Id': requestId, ...error.details.headers },
  })
}
