import type { HttpBindings } from '@hono/node-server'
import { contract, type Operation } from '@tillwright/contract'
import { Hono } from 'hono'
import { ApiError } from '../ambient/api-error.ts'
import { newId } from '../ambient/ids.ts'
import type { Handler } from '../call.ts'
import type { AllHandlers } from '../handlers/handlers.ts'
import { errorBody } from './error-body.ts'
import { serveOperation, type HttpContext } from './serve-operation.ts'
import type { Serving } from './serving.ts'

/** A Hono app on the Node server. */
export type App = Hono<{ Bindings: HttpBindings }>

/**
 * Routes every operation of the contract whose audience is served here; what is left over is 405 or 404.
 *
 * @param audiences The vault's origin serves `frame` alone, the API's everything else.
 */
export function routeOperations(app: App, handlers: AllHandlers, { serving, audiences }: { serving: Serving; audiences: readonly Operation['audience'][] }): void {
  const methods = new Map<string, string[]>()
  for (const [group, operations] of Object.entries<Record<string, Operation>>(contract)) {
    // The type of the handlers says that each operation has one; the table's keys are walked as plain strings.
    const groupHandlers = handlers[group as keyof AllHandlers] as unknown as Record<string, Handler<Operation>>
    for (const [name, operation] of Object.entries(operations)) {
      const handler = groupHandlers[name]
      if (handler === undefined || !audiences.includes(operation.audience)) continue
      const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1')
      app.on(operation.method, path, serveOperation(operation, handler, serving))
      methods.set(path, [...(methods.get(path) ?? []), operation.method])
    }
  }
  for (const [path, allowed] of methods) {
    app.all(path, (c) => {
      const message = `This address answers ${allowed.join(' and ')}, not ${c.req.method}.`
      return plainFailure(c, new ApiError('method_not_allowed', message, { headers: { Allow: allowed.join(', ') } }), serving)
    })
  }
  app.notFound((c) => {
    const error = new ApiError('route_not_found', `There is no ${c.req.method} ${c.req.path}; ${serving.docsUrl} lists every operation.`)
    return plainFailure(c, error, serving)
  })
}

/** The answer to a request that met no operation. */
function plainFailure(_: HttpContext, error: ApiError, { parts, docsUrl }: Serving): Response {
  const requestId = newId('req', parts.clock.now(), parts.randomness)
  return new Response(JSON.stringify(errorBody(error, requestId, docsUrl)), {
    status: error.status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'X-Request-Id': requestId, ...error.details.headers },
  })
}
