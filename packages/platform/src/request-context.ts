import type {
  Environment,
  IdPrefix,
  Operation,
  Plan,
  RateLimit,
  RequestOf,
  ResponseOf,
  Role,
} from '@tillwright/contract'
import type { Logger } from 'pino'
import type { ApiError, Clock, Fault, Randomness, SecretBox } from './runtime/index.ts'
import type { Database, Statement } from './storage/index.ts'

/** What every part of the platform is handed at start, instead of reaching for it. */
export interface Services {
  db: Database
  clock: Clock
  randomness: Randomness
  secrets: SecretBox
  environment: Environment
  log: Logger
}

/** Whoever holds the key that a request carries. */
export interface Caller {
  accountId: string
  keyId: string
  /**
   * A publishable key lives in a shop's page and opens nothing but the frames' operations and new sessions; a session's
   * token opens that one session.
   */
  kind: 'secret' | 'publishable' | 'session'
  roles: readonly Role[]
  scopes: readonly string[]
  plan: Plan
  rateLimit: RateLimit
  /** Of a publishable key: the store it takes cards for, and the origins of the pages it may stand in. */
  storeId: string | null
  allowedOrigins: readonly string[]
  /** Of a session's token: the session that it opens. */
  sessionId?: string
  /** SHA-256 of that token, which is dead as soon as the session has another one. */
  sessionTokenHash?: string
  /** Whether the token is a preview's, of whom all events are drafts. */
  isPreview?: boolean
}

/** A statement of a unit, with the error to answer when it is refused. Without one a refusal is a bug. */
export interface Write extends Statement {
  onRefused?: (reason: 'expectation' | 'duplicate') => ApiError
}

/** One request, as its handler sees it. */
export interface RequestContext {
  services: Services
  caller: Caller
  requestId: string
  /** The request's time: all its rows carry the same. */
  nowMs: number
  /** The client's address. */
  address: string
  /** What the client's browser says in the headers of its request; absent where no request is behind the call. */
  browserHeaders?: { accept: string | undefined; userAgent: string | undefined }
  newId(prefix: IdPrefix): string
  /**
   * Commits writes before the answer, together with the claim on the request's `Idempotency-Key`: for operations that
   * call somebody outside. The answer's own writes follow in a unit of their own.
   */
  begin(writes: readonly Write[]): Promise<void>
  /** SHA-256 of the request's `Idempotency-Key`, or `null`. */
  idempotencyKey: string | null
  /** What shall go wrong behind this request, to try out its caller. Always `null` in production. */
  fault: Fault | null
}

/**
 * What a handler answers. `writes` are committed together with the stored answer, before it is sent. `rawJson` is a body
 * that lies in the database as it is sent: JSON text of the response's shape.
 */
export type Reply<Body> =
  | { body: Body; headers?: Readonly<Record<string, string>>; writes?: readonly Write[] }
  | { rawJson: string; headers?: Readonly<Record<string, string>>; writes?: never }
  | { failure: ApiError; writes?: readonly Write[] }

/** Does the work of one operation. Throws an `ApiError` for a request that must fail and has changed nothing. */
export type Handler<Op extends Operation> = (
  request: RequestOf<Op>,
  context: RequestContext,
) => Promise<Reply<ResponseOf<Op>>>

/** One handler for each operation of a group: a missing one does not compile. */
export type Handlers<Group extends Record<string, Operation>> = { [Name in keyof Group]: Handler<Group[Name]> }
