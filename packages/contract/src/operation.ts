import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import { BODY_MAX_BYTES, BODY_MAX_VALUES, PAGE_BODY_MAX_BYTES, PAGE_BODY_MAX_VALUES } from './limits.ts'
import type { EventType } from './resources/event-types.ts'
import type { Scope } from './scopes.ts'

/**
 * The callers of an operation. `key`: an account's secret API key; `admin`: a secret key with the role org:admin;
 * `page`: a buyer's page without a session, with a publishable key from one of its origins; `session`: a buyer's
 * session token, in the browser; `frame`: the card and 3DS frames, with a publishable key; `console`: a signed-in
 * member of the account alone, by the cookie of the console. Members may also call what `key` and `admin` may, as far as
 * their role has the operation's scope.
 */
export type Audience = 'key' | 'admin' | 'page' | 'session' | 'frame' | 'console'

/** Audiences that call the API's own origin from pages on any origin. */
export const pageAudiences: readonly Audience[] = ['page', 'session']

/**
 * One operation of the API.
 *
 * `operator` marks what only the account of the platform's operator may call: its members by the scope, its keys by the
 * role org:admin or the scope, each named.
 * `path` has its parameters in braces. `description` is Markdown that the reference adds to the summary; audience,
 * scope, events and idempotency are documented from their fields. `headers` are those of the successful response only.
 * `existingStatus` is the status of a success that created nothing, because what it asks for existed or is not complete.
 * `idempotent` says how an `Idempotency-Key` is handled: `transaction` if all effects and the response are stored
 * in one; `lease` if the operation calls an external service, so the key is claimed before and the response stored
 * after; `repeatable` if that call may be made again, so a claim left by a dead process is taken over. `secretAnswer`
 * marks responses with a secret, which are stored encrypted. `limit` is the maximum body size in bytes and `maxValues`
 * the maximum number of values in it, if they differ from those of the audience (`bodyLimitsOf`). `decided` says of fields
 * that the body does not have who decides them (`decidedElsewhere`). `files` names the body field whose items are files:
 * their `content` may be code or an image. `bytes` marks a body of raw bytes of any type; such operations are in
 * `byte-operations.ts`. `list` marks a list (`listOf`), which is also answered as CSV. `streamed` marks a response that is
 * sent piece by piece, because it can be large. `eventStream` marks Server-Sent Events that go on until either side ends
 * them: `response` is the `data` of one message, and the header `Last-Event-ID` takes the place of the query's `after`.
 * `errors` lists the errors specific to the operation; general ones
 * (401, 429, ...) always apply.
 */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/api/${string}`
  audience: Audience
  scope?: Scope
  operator?: true
  summary: string
  description?: string
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  decided?: Readonly<Record<string, string>>
  status: 200 | 201
  existingStatus?: 200
  response: z.ZodType
  headers?: readonly 'Link'[]
  errors: readonly ErrorCode[]
  emits?: readonly EventType[]
  idempotent?: 'transaction' | 'lease' | 'repeatable'
  secretAnswer?: true
  limit?: number
  maxValues?: number
  files?: string
  bytes?: true
  list?: { entry: z.ZodType }
  streamed?: true
  eventStream?: true
}

/**
 * Whether an operation reads one object by the id in its path, and answers 304 if the client has it already. What is
 * sent piece by piece, or as pages of a list, is not kept as a whole by anybody.
 */
export function isReadById({ method, params, list, streamed }: Operation): boolean {
  return method === 'GET' && params !== undefined && list === undefined && streamed !== true
}

/** Limits of a request body. */
export interface BodyLimits {
  bytes: number
  /** Objects, arrays and their members; names are not counted. */
  values: number
}

/** Audiences in a buyer's browser, where anyone may be the caller. */
const inBrowsers: readonly Audience[] = [...pageAudiences, 'frame']

/** The limits of the body of an operation. */
export function bodyLimitsOf({ audience, limit, maxValues }: Operation): BodyLimits {
  const ofPages = inBrowsers.includes(audience)
  return {
    bytes: limit ?? (ofPages ? PAGE_BODY_MAX_BYTES : BODY_MAX_BYTES),
    values: maxValues ?? (ofPages ? PAGE_BODY_MAX_VALUES : BODY_MAX_VALUES),
  }
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** The input of an operation's handler: parsed, with defaults filled in. */
export interface RequestOf<Op extends Operation> {
  params: Parsed<Op['params']>
  query: Parsed<Op['query']>
  body: Parsed<Op['body']>
}

type Sent<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined

/** The input of an operation's caller, with only the parts that the operation has. */
export type CallOf<Op extends Operation> = {
  [Part in 'params' | 'query' | 'body' as Op[Part] extends z.ZodType ? Part : never]: Sent<Op[Part]>
}

/** The body of the operation's successful response. */
export type ResponseOf<Op extends Operation> = z.output<Op['response']>

/** The filters of a list, without the fields that choose a page of it. */
export type FiltersOf<Op extends Operation> = Omit<RequestOf<Op>['query'], 'limit' | 'after' | 'order'>

/** One entry of a list; `never` for an operation that is no list. */
export type EntryOf<Op extends Operation> = Op extends { list: { entry: infer Entry extends z.ZodType } }
  ? z.output<Entry>
  : never
