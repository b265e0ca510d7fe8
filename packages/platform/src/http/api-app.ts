import type { HttpBindings } from '@hono/node-server'
import { byteOperations, contract, type Operation } from '@tillwright/contract'
import type { Hono } from 'hono'
import { ApiError } from '../ambient/api-error.ts'
import type { Handler } from '../call.ts'
import type { AllHandlers } from '../handlers/handlers.ts'
import { findsCardNumber } from '../vault/finds-card-number.ts'
import { plainFailure } from './plain-failure.ts'
import { serveOperation, type HttpContext } from './serve-operation.ts'
import { decodedAddress } from './refuse-card-number.ts'
import type { Serving } from './serving.ts'

/** A Hono app on the Node server. */
export type App = Hono<{ Bindings: HttpBindings }>

/** Which of the contract's audiences an origin serves: the vault's `frame` alone, the API's everything else. */
export interface Routing {
  serving: Serving
  audiences: readonly Operation['audience'][]
}

/** Routes every operation of the contract whose audience is served here; what is left over is 405 or 404. */
export function routeOperations(app: App, handlers: AllHandlers, { serving, audiences }: Routing): void {
  const routed: Operation[] = Object.values(byteOperations)
    .flatMap((group) => Object.values<Operation>(group))
    .filter(({ audience }) => audiences.includes(audience))
  for (const [operation, handler] of operationsWith(handlers)) {
    if (!audiences.includes(operation.audience)) continue
    app.on(
      operation.method,
      operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      serveOperation(operation, handler, serving),
    )
    routed.push(operation)
  }
  app.notFound((c) => plainFailure(unrouted(c, routed, serving), serving))
}

function* operationsWith(handlers: AllHandlers): Generator<[Operation, Handler<Operation>]> {
  for (const [group, operations] of Object.entries<Record<string, Operation>>(contract)) {
    // The type of the handlers says that each operation has one; the table's keys are walked as plain strings.
    const byName = handlers[group as keyof AllHandlers] as unknown as Record<string, Handler<Operation>>
    for (const [name, operation] of Object.entries(operations)) {
      const handler = byName[name]
      if (handler !== undefined) yield [operation, handler]
    }
  }
}

/** An address that exists with another method is 405, any other 404. */
function unrouted(c: HttpContext, routed: readonly Operation[], { docsUrl }: Serving): ApiError {
  const here = routed.filter(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(c.req.path))
  const { method, path } = c.req
  if (here.length === 0)
    return new ApiError('route_not_found', `There is no ${method} ${shown(path)}; ${docsUrl} lists every operation.`)
  const allowed = here.map((operation) => operation.method).join(', ')
  return new ApiError('method_not_allowed', `This address answers ${allowed}, not ${method}.`, {
    headers: { Allow: allowed },
  })
}

/** An address is repeated to help, unless it holds a card number. */
function shown(path: string): string {
  return findsCardNumber(decodedAddress(path)) ? '(address with a card number)' : path
}
