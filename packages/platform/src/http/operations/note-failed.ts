import type { ErrorBody, Operation } from '@tillwright/contract'
import { type HttpContext, plainHeader, type Progress } from './admission.ts'
import type { ServerContext } from './server-context.ts'

interface Failed {
  operation: Operation
  serverContext: ServerContext
  progress: Progress
}

/** Notes a request that was answered with an error, if an account made it. Costs next to nothing where it was not. */
export function noteFailed(c: HttpContext, { operation, serverContext, progress }: Failed): void {
  const { caller, failed, nowMs, requestId, untilMs } = progress
  if (caller === null || failed === null) return
  const durationMs = Math.round(performance.now() - untilMs + serverContext.answerMs)
  serverContext.failedRequests.note(caller, nowMs, () => {
    // Every answer of 400 and more has this body, also one that is given again.
    const { error } = JSON.parse(failed.body) as ErrorBody
    const pathParams = c.req.param()
    const queried = operation.query !== undefined && 'storeId' in operation.query.shape ? c.req.query('storeId') : null
    return {
      requestId,
      operation,
      pathParams,
      status: failed.status,
      error,
      // A store that was not found belongs to no account here.
      storeId: error.param === 'storeId' ? null : (pathParams['storeId'] ?? queried ?? null),
      idempotencyKey: plainHeader(c, 'idempotency-key') ?? null,
      durationMs,
    }
  })
}
