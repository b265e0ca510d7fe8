import type { HttpBindings } from '@hono/node-server'
import { byteOperations, contract, type Operation } from '@tillwright/contract'
import type { Hono } from 'hono'
import { cors } from 'hono/cors'
import type { Handler } from '../../request-context.ts'
import { ApiError, newId } from '../../runtime/index.ts'
import { findsCardNumber } from '../../vault/index.ts'
import { decodedAddress } from '../bodies/index.ts'
import { errorBody, logFailure, toApiError } from './error-body.ts'
import type { AllHandlers } from './handlers.ts'
import type { HttpContext } from './admission.ts'
import { serveOperation } from './serve-operation.ts'
import type { ServerContext } from './server-context.ts'

/** A Hono app on the Node server. */
export type App = Hono<{ Bindings: HttpBindings }>

/** The audiences of the contract that an origin serves: the vault `frame` only, the API all others. */
export interface Routing {
  serverContext: ServerContext
  audiences: readonly Operation['audience'][]
}

/** Routes every operation of the audiences; anything else is 405 or 404. */
export function routeOperations(app: App, handlers: AllHandlers, { serverContext, audiences }: Routing): void {
  const routed: Operation[] = Object.values(byteOperations)
    .flatMap((group) => Object.values<Operation>(group))
    .filter(({ audience }) => audiences.includes(audience))
  for (const [operation, handler] of operationsWith(handlers)) {
    if (!audiences.includes(operation.audience)) continue
    app.on(
      operation.method,
      operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      serveOperation(operation, handler, serverContext),
    )
    routed.push(operation)
  }
  answerFailures(app, serverContext)
  app.notFound((c) => plainFailure(unrouted(c, routed, serverContext), serverContext))
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

/** An address that exists with another method is 405, any other 404; what another origin answers, the 404 says. */
function unrouted(c: HttpContext, routed: readonly Operation[], { docsUrl }: ServerContext): ApiError {
  const { method, path } = c.req
  const leadsTo = (each: Operation) => new RegExp(`^${each.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)
  const here = routed.filter(leadsTo)
  if (here.length === 0) {
    const elsewhere = Object.values(contract)
      .flatMap((group) => Object.values<Operation>(group))
      .find((each) => each.method === method && leadsTo(each))
    const host = elsewhere?.audience === 'frame' ? 'the vault' : 'the API'
    const problem = elsewhere === undefined ? 'There is no' : `This host is not that of ${host}, which answers`
    return new ApiError('route_not_found', `${problem} ${method} ${shown(path)}; ${docsUrl} lists every operation.`)
  }
  const allowed = here.map((operation) => operation.method).join(', ')
  return new ApiError('method_not_allowed', `This address answers ${allowed}, not ${method}.`, {
    headers: { Allow: allowed },
  })
}

/** An address is repeated to help, unless it holds a card number. */
function shown(path: string): string {
  return findsCardNumber(decodedAddress(path)) ? '(address with a card number)' : path
}

/** How long a browser may keep the answer to a preflight: as long as any does. */
const PREFLIGHT_MAX_AGE_S = 7_200

/**
 * Lets pages of any origin call the session API. A session is opened by a token that the page holds and not by a cookie
 * that a browser would add automatically, so that no origin gains anything by another's visit.
 */
export function allowPages(app: App): void {
  app.use(
    '/api/session/v1/*',
    cors({
      origin: '*',
      allowMethods: ['GET', 'POST', 'PUT', 'DELETE'],
      allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'Tillwright-Fault'],
      exposeHeaders: ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'Idempotent-Replayed'],
      maxAge: PREFLIGHT_MAX_AGE_S,
    }),
  )
}

/**
 * Lets pages of any origin ask for wallets: what the vault answers depends on the publishable key and on the session that
 * is bound to the page's origin, and never on a cookie.
 */
export function allowWallets(app: App): void {
  const allow = cors({
    origin: '*',
    allowMethods: ['GET', 'POST'],
    allowHeaders: ['Authorization', 'Content-Type'],
    exposeHeaders: ['X-Request-Id', 'Retry-After'],
    maxAge: PREFLIGHT_MAX_AGE_S,
  })
  for (const path of ['wallets', 'apple-pay-sessions', 'wallet-tokens']) app.use(`/api/vault/v1/${path}`, allow)
}

/** Answers failures outside of operations: of pages, probes, documents. People are shown the message alone. */
function answerFailures(app: App, serverContext: ServerContext): void {
  app.onError((thrown, c) => {
    const error = toApiError(thrown)
    if (error.status >= 500) logFailure(serverContext.services.log, error, { path: c.req.path })
    const isPage = c.req.header('accept')?.includes('text/html') === true && !c.req.path.startsWith('/api/')
    if (!isPage) return plainFailure(error, serverContext)
    const headers = { 'Content-Type': 'text/plain; charset=utf-8', ...error.details.headers }
    return new Response(error.message, { status: error.status, headers })
  })
}

/** The answer to a request that met no operation. */
export function plainFailure(error: ApiError, { services, docsUrl }: ServerContext): Response {
  const requestId = newId('req', services.clock.now(), services.randomness)
  return new Response(JSON.stringify(errorBody(error, requestId, docsUrl)), {
    status: error.status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'X-Request-Id': requestId, ...error.details.headers },
  })
}
