import { IDEMPOTENCY_RETENTION_MS, type IdPrefix, type Operation, type Fault } from '@tillwright/contract'
import type { IdempotencyKey } from '../../accounts/index.ts'
import { CLAIM_LEASE_MS } from '../../cluster/index.ts'
import { recordCall } from '../../audit/index.ts'
import type { RequestContext, Caller, Handler, Reply } from '../../request-context.ts'
import { type ApiError, newId, readFault } from '../../runtime/index.ts'
import {
  admit,
  admitAgain,
  authenticateAgain,
  callerOnArrival,
  type HttpContext,
  newProgress,
  plainHeader,
  type Progress,
  resumedAt,
} from './admission.ts'
import { answerOf, failedAnswer, headersOf, unlessUnchanged } from './answers.ts'
import { inTime, type Work } from './begun-work.ts'
import { type Room, decodedAddress, refuseCardNumber, type ArrivedRequest, refuseEncoded } from '../bodies/index.ts'
import { clientAddress } from './client-address.ts'
import { asksForCsv, csvFile, textStream } from './csv.ts'
import { eventStreamBody, eventStreamHeaders } from './event-streams.ts'
import { logFailure, toApiError } from './error-body.ts'
import { readIdempotencyKey } from './idempotency.ts'
import { quotaHeaders } from './limits.ts'
import { withinStores } from './member-stores.ts'
import { noteFailed } from './note-failed.ts'
import type { ServerContext } from './server-context.ts'

/**
 * The way of a request: authenticate -> take from the bucket -> idempotency -> parse -> handler -> transaction -> response.
 */
export function serveOperation(
  operation: Operation,
  everywhere: Handler<Operation>,
  serverContext: ServerContext,
): (c: HttpContext) => Promise<Response> {
  const handler = withinStores(operation, everywhere)
  return async (c) => {
    const progress = newProgress(serverContext)
    try {
      progress.address = clientAddress(c.env.incoming, serverContext.trustedProxies)
      return await answer(c, { operation, handler, serverContext, progress })
    } catch (thrown) {
      return failure(toApiError(thrown), { operation, serverContext, progress })
    } finally {
      noteFailed(c, { operation, serverContext, progress })
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
  const caller = await admit(c, { operation, serverContext, progress })
  if (operation.body) refuseEncoded(incoming)
  const room = serverContext.bodies.enter(subjectOf(caller, progress))
  try {
    return await answerIn(room, c, { operation, handler, serverContext, progress, caller })
  } finally {
    await room.leave()
  }
}

/** The subject of the body budget: an account, or the address of a page. */
function subjectOf({ kind, accountId }: Caller, { address }: Progress): string {
  return kind === 'publishable' || kind === 'session' ? `address:${address}` : `account:${accountId}`
}

async function answerIn(
  room: Room,
  c: HttpContext,
  { operation, handler, serverContext, progress, caller: admitted }: Serve & { caller: Caller },
): Promise<Response> {
  const { incoming } = c.env
  const isRead = operation.body !== undefined || operation.idempotent !== undefined
  const body = isRead ? await serverContext.requests.receive(operation, incoming, room) : new Uint8Array()
  const caller = await callerOnArrival(c, { operation, serverContext, progress }, admitted)
  const raw = {
    params: c.req.param(),
    query: operation.query ? { ...c.req.query(), ...resumedAt(c, operation) } : {},
    contentType: incoming.headers['content-type'],
    body,
  }
  const hashedKey = operation.idempotent ? readIdempotencyKey(plainHeader(c, 'idempotency-key'), caller) : null
  const { accountId } = caller
  const ifMatch = operation.body && plainHeader(c, 'if-match')
  const path = hashedKey && (ifMatch === undefined ? c.req.path : `${c.req.path}\n${ifMatch}`)
  const arrived = serverContext.requests.read(operation, raw, { accountId, room, path })
  const streamed = { operation, handler, serverContext, progress, caller, arrived }
  if (operation.list !== undefined && asksForCsv(incoming.headers.accept)) return csvAnswer(c, streamed)
  if (operation.streamed === true) return streamedAnswer(c, streamed)
  if (operation.eventStream === true) return eventStreamAnswer(c, streamed)
  const key = hashedKey === null ? null : { accountId, key: hashedKey, fingerprint: await arrived.fingerprint() }
  const fault = operation.idempotent
    ? readFault(plainHeader(c, 'tillwright-fault'), serverContext.services.environment)
    : null
  const done = await serverContext.idempotency({
    key,
    secretAnswer: operation.secretAnswer === true,
    repeatable: operation.idempotent === 'repeatable',
    untilMs: progress.untilMs,
    leaseMs: operation.idempotent === 'repeatable' ? CLAIM_LEASE_MS : IDEMPOTENCY_RETENTION_MS,
    work: async (begin) => {
      // Work that is begun carries the id of this process, which others must still count on.
      if (operation.idempotent) await serverContext.services.cluster.certain()
      const { accept, 'user-agent': userAgent } = incoming.headers
      const context = {
        ...callOf({ serverContext, progress, caller, key, fault, begin }),
        browserHeaders: { accept, userAgent },
        ...(ifMatch !== undefined && { ifMatch }),
      }
      return work({ operation, handler, serverContext, progress, arrived, context })
    },
    failed: (error) => failedAnswer(error, { serverContext, progress }),
  })
  if (operation.emits) serverContext.wake(accountId)
  const headers: Readonly<Record<string, string>> = {
    ...done.headers,
    ...(done.replayed && { 'Idempotent-Replayed': 'true' }),
  }
  const sent = unlessUnchanged(done.answer, headers['ETag'], plainHeader(c, 'if-none-match'))
  return respond(sent, { operation, serverContext, progress, headers })
}

type Streamed = Serve & { caller: Caller; arrived: ArrivedRequest }

/** The reply of a handler whose answer is read while it is sent. */
async function replyInPieces({ handler, serverContext, progress, caller, arrived }: Streamed) {
  const { files: _, ...request } = await arrived.parse()
  // The schemas have made the request what the handler's type says.
  return handler(request as Parameters<Handler<Operation>>[0], callOf({ serverContext, progress, caller, ...reading }))
}

/** An answer that is read while it is sent. A failure in the middle breaks it off, so that a part is no whole JSON. */
async function streamedAnswer(c: HttpContext, streamed: Streamed): Promise<Response> {
  const { operation, serverContext, progress } = streamed
  const reply = await replyInPieces(streamed)
  if (!('pieces' in reply) || reply.pieces === undefined) throw new Error('A streamed operation answers in pieces.')
  await recordFile(c, streamed)
  const body = textStream(reply.pieces)
  return respond({ status: operation.status, body }, { operation, serverContext, progress, headers: {} })
}

/** An answer that goes on for as long as its client listens and may. */
async function eventStreamAnswer(c: HttpContext, streamed: Streamed): Promise<Response> {
  const { operation, serverContext, progress, caller } = streamed
  const { eventStreams, stopping, services } = serverContext
  const leave = eventStreams.enter(caller.accountId)
  try {
    const reply = await replyInPieces(streamed)
    if (!('messages' in reply) || reply.messages === undefined) throw new Error('An event stream answers messages.')
    const body = eventStreamBody(reply.messages, caller, {
      clock: services.clock,
      stopping,
      again: () => authenticateAgain(c, { operation, serverContext }),
      leave,
      cut: () => void c.env.outgoing.destroy(),
    })
    const sending = { operation, serverContext, progress, headers: eventStreamHeaders }
    return respond({ status: operation.status, body }, sending)
  } catch (error) {
    leave()
    throw error
  }
}

/** All pages of a list as one file, each read as the caller then is. */
async function csvAnswer(
  c: HttpContext,
  { operation, handler, serverContext, progress, caller, arrived }: Streamed,
): Promise<Response> {
  const { files: _, ...request } = await arrived.parse()
  const pagesFor = (reader: Caller) => (query: object) => {
    const context = callOf({ serverContext, progress, caller: reader, ...reading })
    // The schemas have made the request what the handler's type says.
    return handler({ ...request, query } as Parameters<Handler<Operation>>[0], context)
  }
  const file = await csvFile(operation, {
    query: Object(request.query),
    first: pagesFor(caller),
    next: async (stopped) => pagesFor(await admitAgain(c, { operation, serverContext, progress }, stopped)),
    breakOff(reason) {
      const error = toApiError(reason)
      if (error.status >= 500) logFailure(serverContext.services.log, error, { requestId: progress.requestId })
      c.env.outgoing.destroy()
    },
  })
  await recordFile(c, { operation, serverContext, progress, caller })
  const { stream: body, headers } = file
  return respond({ status: operation.status, body }, { operation, serverContext, progress, headers })
}

/**
 * Who takes a whole list, or all that is known of a person, as a file leaves an entry, though it changes nothing. What was
 * searched for may name a person, and is no part of it.
 */
async function recordFile(
  c: HttpContext,
  { operation, serverContext, progress, caller }: Omit<Streamed, 'handler' | 'arrived'>,
): Promise<void> {
  const browserHeaders = { accept: undefined, userAgent: c.env.incoming.headers['user-agent'] }
  const context = { ...callOf({ serverContext, progress, caller, ...reading }), browserHeaders }
  const call = { operation, request: { params: c.req.param() }, reply: null, status: operation.status }
  await serverContext.services.db.write(recordCall(call, context))
}

interface CallParts {
  serverContext: ServerContext
  progress: Progress
  caller: Caller
  key: IdempotencyKey | null
  fault: Fault | null
  begin: RequestContext['begin']
}

/** Of a call whose answer is read while it is sent. */
const reading = {
  key: null,
  fault: null,
  begin: () => Promise.reject(new Error('What is streamed writes nothing.')),
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
    const headers = headersOf(reply, operation, replied)
    const done = { answer: replied, ...(headers && { headers }) }
    // Requests that change nothing leave no entry, unless they hand out a secret.
    if (writes.length === 0 && operation.secretAnswer !== true) return { ...done, writes }
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
  { status, body }: { status: number; body: string | ReadableStream<Uint8Array> | null },
  { operation, serverContext, progress, headers }: Sending,
): Response {
  const { caller, bucket, requestId, nowMs } = progress
  const { requestLog, services } = serverContext
  if (status >= 400 && typeof body === 'string') progress.failed = { status, body }
  const { method, path } = operation
  requestLog.info(
    { requestId, method, path, status, ms: services.clock.now() - nowMs, accountId: caller?.accountId },
    'request',
  )
  return new Response(body, {
    status,
    headers: {
      ...(body !== null && { 'Content-Type': 'application/json; charset=utf-8' }),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
      ...(operation.list && { Vary: 'Accept' }),
      ...(bucket !== null && quotaHeaders(bucket)),
      ...headers,
    },
  })
}
