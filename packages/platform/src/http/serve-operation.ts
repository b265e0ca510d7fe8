import type { HttpBindings } from '@hono/node-server'
import { IDEMPOTENCY_RETENTION_MS, type IdPrefix, type Operation, type Fault, PAGE_MAX } from '@tillwright/contract'
import type { Context } from 'hono'
import { type Answer, CLAIM_LEASE_MS, type IdempotencyKey } from '../accounts/index.ts'
import { recordCall } from '../audit/index.ts'
import type { RequestContext, Caller, Handler, Reply } from '../request-context.ts'
import { ApiError, newId, readFault } from '../runtime/index.ts'
import { requirePermission } from './authenticate.ts'
import { inTime, type Work } from './begun-work.ts'
import type { Room } from './body-budget.ts'
import { decodedAddress, refuseCardNumber } from './card-numbers.ts'
import { clientAddress } from './client-address.ts'
import { asksForCsv, csvColumns, csvStream } from './csv.ts'
import { errorBody, logFailure, toApiError } from './error-body.ts'
import { readIdempotencyKey } from './idempotency.ts'
import type { ArrivedRequest } from './large-bodies.ts'
import { type Bucket, quotaHeaders } from './limits.ts'
import { withinStores } from './member-stores.ts'
import { refuseEncoded } from './read-body.ts'
import type { ServerContext } from './server-context.ts'

/** A request of the Node server. */
export type HttpContext = Context<{ Bindings: HttpBindings }>

/** The facts known about a request so far, for the log and for its answer. */
interface Progress {
  requestId: string
  nowMs: number
  /** When its client should have an answer: of `performance.now()`. */
  untilMs: number
  address: string
  caller: Caller | null
  bucket: Bucket | null
}

/**
 * The way of a request: authenticate -> take from the bucket -> once -> parse -> handler -> unit of writes -> response.
 */
export function serveOperation(
  operation: Operation,
  everywhere: Handler<Operation>,
  serverContext: ServerContext,
): (c: HttpContext) => Promise<Response> {
  const handler = withinStores(operation, everywhere)
  return async (c) => {
    const { clock, randomness } = serverContext.services
    const nowMs = clock.now()
    const progress: Progress = {
      requestId: newId('req', nowMs, randomness),
      nowMs,
      untilMs: performance.now() + serverContext.answerMs,
      address: '',
      caller: null,
      bucket: null,
    }
    try {
      progress.address = clientAddress(c.env.incoming, serverContext.trustedProxies)
      return await answer(c, { operation, handler, serverContext, progress })
    } catch (thrown) {
      return failure(toApiError(thrown), { operation, serverContext, progress })
    }
  }
}

interface Serve {
  operation: Operation
  handler: Handler<Operation>
  serverContext: ServerContext
  progress: Progress
}

async function answer(c: HttpContext, { operation, handler, serverContext, progress }: Serve): Promise<Response> {
  const { incoming } = c.env
  refuseCardNumber(decodedAddress(incoming.url ?? ''), 'address')
  const caller = await authenticate(c, { operation, serverContext, progress })
  progress.bucket = await serverContext.takeToken(caller, { address: progress.address, audience: operation.audience })
  if (!progress.bucket.quota.allowed) throw rateLimited(progress.bucket)
  requirePermission(operation, caller)
  if (operation.body) refuseEncoded(incoming)
  const room = serverContext.bodies.enter(subjectOf(caller, progress))
  try {
    return await answerIn(room, c, { operation, handler, serverContext, progress, caller })
  } finally {
    await room.leave()
  }
}

/** Whose share of the budget for bodies a request takes: an account's, or that of a page's address. */
function subjectOf({ kind, accountId }: Caller, { address }: Progress): string {
  return kind === 'publishable' || kind === 'session' ? `address:${address}` : `account:${accountId}`
}

async function answerIn(
  room: Room,
  c: HttpContext,
  { operation, handler, serverContext, progress, caller }: Serve & { caller: Caller },
): Promise<Response> {
  const { incoming } = c.env
  const isRead = operation.body !== undefined || operation.idempotent !== undefined
  const body = isRead ? await serverContext.requests.receive(operation, incoming, room) : new Uint8Array()
  const raw = {
    params: c.req.param(),
    query: operation.query ? c.req.query() : {},
    contentType: incoming.headers['content-type'],
    body,
  }
  const hashedKey = operation.idempotent ? readIdempotencyKey(plainHeader(c, 'idempotency-key'), caller) : null
  const { accountId } = caller
  const arrived = serverContext.requests.read(operation, raw, { accountId, room, path: hashedKey && c.req.path })
  if (operation.list !== undefined && asksForCsv(incoming.headers.accept)) {
    const begin = () => Promise.reject(new Error('A list writes nothing.'))
    const context = callOf({ serverContext, progress, caller, key: null, fault: null, begin })
    return csvAnswer({ operation, handler, serverContext, progress, arrived, context })
  }
  const key = hashedKey === null ? null : { accountId, key: hashedKey, fingerprint: await arrived.fingerprint() }
  const fault = operation.idempotent
    ? readFault(plainHeader(c, 'tillwright-fault'), serverContext.services.environment)
    : null
  const done = await serverContext.once({
    key,
    secretAnswer: operation.secretAnswer === true,
    repeatable: operation.idempotent === 'repeatable',
    untilMs: progress.untilMs,
    leaseMs: operation.idempotent === 'repeatable' ? CLAIM_LEASE_MS : IDEMPOTENCY_RETENTION_MS,
    work: async (begin) => {
      // What is begun carries the id of this process, which others must still count on.
      if (operation.idempotent) await serverContext.services.cluster.certain()
      const { accept, 'user-agent': userAgent } = incoming.headers
      const context = {
        ...callOf({ serverContext, progress, caller, key, fault, begin }),
        browserHeaders: { accept, userAgent },
      }
      return work({ operation, handler, serverContext, progress, arrived, context })
    },
    failed: (error) => failedAnswer(error, { serverContext, progress }),
  })
  if (operation.emits) serverContext.wake()
  const headers = { ...done.headers, ...(done.replayed && { 'Idempotent-Replayed': 'true' }) }
  return respond(done.answer, { operation, serverContext, progress, headers })
}

/** All pages of a list as one file, from the cursor that was sent on. The first one is read before anything is answered. */
async function csvAnswer({
  operation,
  handler,
  arrived,
  context,
  ...sending
}: Serve & { arrived: ArrivedRequest; context: RequestContext }): Promise<Response> {
  const { files: _, ...read } = await arrived.parse()
  const page = async (after: string | undefined) => {
    const query = { ...Object(read.query), limit: PAGE_MAX, ...(after !== undefined && { after }) }
    // The schemas have made the request what the handler's type says, and the answer a page.
    const reply = await handler({ ...read, query } as Parameters<Handler<Operation>>[0], context)
    return Object('body' in reply ? reply.body : null) as Parameters<typeof csvStream>[1]
  }
  const stream = csvStream(csvColumns(operation.list?.entry ?? operation.response), await page(undefined), page)
  const name = operation.path.split('/').at(-1)
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': `attachment; filename="${name}.csv"`,
  }
  return respond({ status: operation.status, body: stream }, { operation, ...sending, headers })
}

async function authenticate(
  c: HttpContext,
  { operation, serverContext, progress }: Omit<Serve, 'handler'>,
): Promise<Caller> {
  const { headers, url = '' } = c.env.incoming
  try {
    const caller = await serverContext.authenticate(operation, {
      authorization: headers.authorization,
      origin: headers.origin,
      url,
      page: pageOf(c),
    })
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

/** What tells a page of the console from another. */
export function pageOf(c: HttpContext) {
  return {
    method: c.req.method,
    cookie: c.env.incoming.headers.cookie,
    fetchSite: plainHeader(c, 'sec-fetch-site'),
    consoleHeader: plainHeader(c, 'tillwright-console'),
  }
}

type PlainHeader = 'idempotency-key' | 'tillwright-fault' | 'sec-fetch-site' | 'tillwright-console'

/** A header that was sent twice arrives as its values with ", " between them. */
function plainHeader(c: HttpContext, name: PlainHeader): string | undefined {
  const header = c.env.incoming.headers[name]
  return Array.isArray(header) ? header.join(', ') : header
}

interface CallParts {
  serverContext: ServerContext
  progress: Progress
  caller: Caller
  key: IdempotencyKey | null
  fault: Fault | null
  begin: RequestContext['begin']
}

function callOf({ serverContext, progress, caller, key, fault, begin }: CallParts): RequestContext {
  const { services } = serverContext
  const { nowMs, requestId, address } = progress
  const makeId = (prefix: IdPrefix) => newId(prefix, nowMs, services.randomness)
  return { services, caller, requestId, nowMs, address, newId: makeId, begin, idempotencyKey: key?.key ?? null, fault }
}

async function work({
  operation,
  handler,
  serverContext,
  progress,
  arrived,
  context,
}: Serve & { arrived: ArrivedRequest; context: RequestContext }): Promise<Work> {
  // The schemas have made the request what the handler's type says.
  const { files, ...read } = await arrived.parse()
  const request = read as Parameters<Handler<Operation>>[0]
  const pending = await handler(request, {
    ...context,
    files,
    async begin(early, change) {
      const recorded = recordCall({ operation, request, reply: null, change }, context)
      return (await context.begin([...early, ...recorded])).slice(0, early.length)
    },
  })
  const workOf = (reply: Reply<unknown>): Work => {
    const { writes = [], change } = reply
    const replied = answerOf(reply, { operation, serverContext, progress })
    const headers = headersOf(reply)
    const done = { answer: replied, ...(headers && { headers }) }
    // What changes nothing leaves no entry.
    if (writes.length === 0) return { ...done, writes }
    const call = { operation, request, reply, change, status: replied.status }
    return { ...done, writes: [...writes, ...recordCall(call, context)] }
  }
  if (!('end' in pending)) return workOf(pending)
  const { meanwhile, end } = pending
  const reply = await inTime(end, progress.untilMs - performance.now())
  if (reply !== null) return workOf(reply)
  const interim = await meanwhile().catch(() => null)
  // Where it cannot even be told how things stand, the client waits for the end.
  if (interim === null) return workOf(await end)
  return { ...workOf(interim), later: end.then((last) => workOf(last).writes) }
}

function headersOf(reply: Reply<unknown>): Work['headers'] {
  if ('failure' in reply) return reply.failure.details.headers
  return reply.headers
}

function answerOf(reply: Reply<unknown>, { operation, ...failing }: Omit<Serve, 'handler'>): Answer {
  if ('failure' in reply) return failedAnswer(reply.failure, failing)
  const created = !('created' in reply)
  const status = created ? operation.status : (operation.existingStatus ?? operation.status)
  return { status, body: 'rawJson' in reply ? reply.rawJson : JSON.stringify(reply.body) }
}

function failedAnswer(error: ApiError, { serverContext, progress }: Pick<Serve, 'serverContext' | 'progress'>): Answer {
  return { status: error.status, body: JSON.stringify(errorBody(error, progress.requestId, serverContext.docsUrl)) }
}

function failure(error: ApiError, { operation, serverContext, progress }: Omit<Serve, 'handler'>): Response {
  const { requestId } = progress
  if (error.status >= 500) logFailure(serverContext.services.log, error, { requestId })
  return respond(failedAnswer(error, { serverContext, progress }), {
    operation,
    serverContext,
    progress,
    headers: error.details.headers ?? {},
  })
}

type Sending = Omit<Serve, 'handler'> & { headers: Readonly<Record<string, string>> }

function respond(
  { status, body }: { status: number; body: string | ReadableStream<Uint8Array> },
  { operation, serverContext, progress, headers }: Sending,
): Response {
  const { caller, bucket, requestId, nowMs } = progress
  const { requestLog, services } = serverContext
  const { method, path } = operation
  requestLog.info(
    { requestId, method, path, status, ms: services.clock.now() - nowMs, accountId: caller?.accountId },
    'request',
  )
  return new Response(body, {
    status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
      ...(operation.list && { Vary: 'Accept' }),
      ...(bucket !== null && quotaHeaders(bucket)),
      ...headers,
    },
  })
}

function rateLimited({ quota: { retryAfterS } }: Bucket): ApiError {
  return new ApiError('rate_limit_exceeded', `Too many requests; try again in ${retryAfterS} s.`, {
    headers: { 'Retry-After': String(retryAfterS) },
  })
}
