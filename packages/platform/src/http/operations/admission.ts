import { setTimeout as delay } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import type { Operation } from '@tillwright/contract'
import type { Context } from 'hono'
import type { Caller } from '../../request-context.ts'
import { ApiError, newId } from '../../runtime/index.ts'
import { requirePermission } from './authenticate.ts'
import type { Bucket } from './limits.ts'
import type { ServerContext } from './server-context.ts'

/** A request of the Node server. */
export type HttpContext = Context<{ Bindings: HttpBindings }>

/** The facts known about a request so far, for the log and for its answer. */
export interface Progress {
  requestId: string
  nowMs: number
  /** When its client should have an answer: of `performance.now()`. */
  untilMs: number
  address: string
  caller: Caller | null
  bucket: Bucket | null
  /** The answer, if it is an error. */
  failed: { status: number; body: string } | null
}

/** The beginning of a request. */
export function newProgress({ services: { clock, randomness }, answerMs }: ServerContext): Progress {
  const nowMs = clock.now()
  return {
    requestId: newId('req', nowMs, randomness),
    nowMs,
    untilMs: performance.now() + answerMs,
    address: '',
    caller: null,
    bucket: null,
    failed: null,
  }
}

/** An operation that is asked for. */
interface Admitting {
  operation: Operation
  serverContext: ServerContext
  progress: Progress
}

/** Authenticates the caller, takes a token from their rate limit, and checks that they may call the operation. */
export async function admit(c: HttpContext, { operation, serverContext, progress }: Admitting): Promise<Caller> {
  const caller = await authenticate(c, { operation, serverContext, progress })
  progress.bucket = await serverContext.takeToken(caller, { address: progress.address, audience: operation.audience })
  if (!progress.bucket.quota.allowed) throw rateLimited(progress.bucket)
  requirePermission(operation, caller, serverContext)
  return caller
}

/**
 * Admits a caller to the next page of a file: each costs a token, as a request does, and none is sent for a key that has
 * been revoked in the meantime. Half of the bucket is left to the caller's other requests.
 */
export async function admitAgain(c: HttpContext, serve: Admitting, stopped: AbortSignal): Promise<Caller> {
  const { bucket } = serve.progress
  if (bucket !== null && bucket.quota.left < bucket.limit.burst / 2) {
    const { nextTokenS, retryAfterS } = bucket.quota
    await delay(Math.max(nextTokenS, retryAfterS) * 1_000, undefined, { signal: stopped })
  }
  try {
    return await admit(c, serve)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'rate_limit_exceeded') return admitAgain(c, serve, stopped)
    throw error
  }
}

/** Authenticates and checks the caller again, without taking a token: for a request that continues. */
export async function authenticateAgain(
  c: HttpContext,
  { operation, serverContext }: Pick<Admitting, 'operation' | 'serverContext'>,
): Promise<Caller> {
  const caller = await serverContext.authenticate(operation, credentialsOf(c))
  requirePermission(operation, caller, serverContext)
  return caller
}

/** How long a body may take to arrive before its caller is looked at again: as long as a key is trusted. */
const BODY_TRUST_MS = 1_000

/**
 * The caller of a request whose body has arrived: a client can hold it back for minutes, and who was shown the door meanwhile
 * does nothing with it.
 */
export async function callerOnArrival(
  c: HttpContext,
  { operation, serverContext, progress }: Admitting,
  admitted: Caller,
): Promise<Caller> {
  if (serverContext.services.clock.now() - progress.nowMs < BODY_TRUST_MS) return admitted
  return authenticateAgain(c, { operation, serverContext })
}

async function authenticate(c: HttpContext, { operation, serverContext, progress }: Admitting): Promise<Caller> {
  try {
    const caller = await serverContext.authenticate(operation, credentialsOf(c))
    progress.caller = caller
    return caller
  } catch (error) {
    if (error instanceof ApiError) {
      progress.bucket = await serverContext.takeAnonymousToken(progress.address)
      if (!progress.bucket.quota.allowed) throw rateLimited(progress.bucket)
    }
    throw error
  }
}

function credentialsOf(c: HttpContext) {
  const { headers, url = '' } = c.env.incoming
  return { authorization: headers.authorization, origin: headers.origin, url, page: pageOf(c) }
}

/** The parts of a request that show whether a page of the console sent it. */
export function pageOf(c: HttpContext) {
  return {
    method: c.req.method,
    cookie: c.env.incoming.headers.cookie,
    fetchSite: plainHeader(c, 'sec-fetch-site'),
    consoleHeader: plainHeader(c, 'tillwright-console'),
  }
}

type PlainHeader =
  | 'idempotency-key'
  | 'tillwright-fault'
  | 'sec-fetch-site'
  | 'tillwright-console'
  | 'if-match'
  | 'if-none-match'
  | 'last-event-id'

/** A header that was sent twice arrives as its values with ", " between them. */
export function plainHeader(c: HttpContext, name: PlainHeader): string | undefined {
  const header = c.env.incoming.headers[name]
  return Array.isArray(header) ? header.join(', ') : header
}

/** Where a client that was cut off goes on, as browsers send it. */
export function resumedAt(c: HttpContext, { eventStream }: Operation): { after?: string } {
  const after = eventStream === true ? plainHeader(c, 'last-event-id') : undefined
  return after === undefined || after === '' ? {} : { after }
}

function rateLimited({ quota: { retryAfterS } }: Bucket): ApiError {
  return new ApiError('rate_limit_exceeded', `Too many requests; try again in ${retryAfterS} s.`, {
    headers: { 'Retry-After': String(retryAfterS) },
  })
}
