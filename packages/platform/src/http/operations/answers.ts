import { contract, isReadById, type Operation, type Payment } from '@tillwright/contract'
import type { Answer } from '../../accounts/index.ts'
import type { Reply, Services } from '../../request-context.ts'
import { type ApiError, entityTag, isUnchanged, newId } from '../../runtime/index.ts'
import type { Progress } from './admission.ts'
import { errorBody } from './error-body.ts'
import type { ServerContext } from './server-context.ts'

interface Answering {
  operation: Operation
  serverContext: ServerContext
  progress: Progress
}

/** Status and body of what a handler replied. */
export function answerOf(reply: Reply<unknown>, { operation, ...failing }: Answering): Answer {
  if ('failure' in reply) return failedAnswer(reply.failure, failing)
  const created = !('created' in reply)
  const status = created ? operation.status : (operation.existingStatus ?? operation.status)
  return { status, body: 'rawJson' in reply ? reply.rawJson : JSON.stringify(reply.body) }
}

/** Status and body of a request that must fail. */
export function failedAnswer(
  error: ApiError,
  { serverContext, progress }: Pick<Answering, 'serverContext' | 'progress'>,
): Answer {
  return { status: error.status, body: JSON.stringify(errorBody(error, progress.requestId, serverContext.docsUrl)) }
}

/**
 * The headers of a handler's reply, besides those that every response has. A read by id has the entity tag of its exact
 * text, and only if it is answered: a caller without access to an object learns nothing of it by a tag. A read that
 * writes tells something once, so that no tag may withhold it.
 */
export function headersOf(
  reply: Reply<unknown>,
  operation: Operation,
  { body }: Answer,
): Readonly<Record<string, string>> | undefined {
  if ('failure' in reply) return reply.failure.details.headers
  if (!isReadById(operation) || (reply.writes ?? []).length > 0) return reply.headers
  const { revision } = 'rawJson' in reply ? reply : Object(reply.body)
  return { ...reply.headers, ETag: entityTag(body, revision) }
}

/** 304 without a body in the place of an answer that the client has already. Source: RFC 9110 section 13.2.2. */
export function unlessUnchanged(
  answer: Answer,
  etag: string | undefined,
  ifNoneMatch: string | undefined,
): Answer | { status: 304; body: null } {
  return etag !== undefined && isUnchanged(ifNoneMatch, etag) ? { status: 304, body: null } : answer
}

interface AnsweringLate {
  services: Services
  docsUrl: string
  /** Selects the fields of the payment that the caller may see; all of them unless given. */
  shown?: (payment: Payment) => object
}

/** The answer that a payment's request gets when it is completed after the process that took it has died. */
export function replyAnswer(reply: Reply<Payment>, { services, docsUrl, shown }: AnsweringLate): Answer {
  if ('rawJson' in reply) return { status: contract.payments.create.status, body: reply.rawJson }
  if ('body' in reply)
    return { status: requestOf(reply.body).status, body: JSON.stringify(shown?.(reply.body) ?? reply.body) }
  const requestId = newId('req', services.clock.now(), services.randomness)
  return { status: reply.failure.status, body: JSON.stringify(errorBody(reply.failure, requestId, docsUrl)) }
}

/**
 * A payment with a 3-D Secure session comes to a processor by being continued; until then it has been created alone. A
 * renewal has a request only where one was made for it.
 */
function requestOf({ status, threedsSessionId, subscriptions }: Payment) {
  if (subscriptions.some(({ requested }) => requested)) return contract.subscriptions.retry
  const isCreated = threedsSessionId === null || status === 'requires_action'
  return isCreated ? contract.payments.create : contract.payments.continue
}
