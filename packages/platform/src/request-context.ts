import type {
  Environment,
  HookFailure,
  IdPrefix,
  Operation,
  Plan,
  RateLimit,
  RequestOf,
  ResponseOf,
  Role,
  Fault,
  MemberRole,
} from '@tillwright/contract'
import type { Logger } from 'pino'
import type { Cluster } from './cluster/index.ts'
import type { ApiError, Clock, Randomness, SecretBox } from './runtime/index.ts'
import type { Database, Row, Statement } from './storage/index.ts'
import type { Telemetry } from './telemetry/index.ts'

/** Dependencies that every part of the platform receives at start instead of importing. */
export interface Services {
  db: Database
  clock: Clock
  randomness: Randomness
  /** Seals what the platform must read again, and signs its tokens. It cannot open a card. */
  secrets: SecretBox
  /** Seals and opens card numbers, under a key that nothing outside the vault can reach. */
  cardVault: CardVault
  environment: Environment
  log: Logger
  telemetry: Telemetry
  /** The live processes of the platform, including this one. */
  cluster: Cluster
  /** The way to merchants' own servers, for questions that a request waits for. */
  callHook: CallHook
}

/** Posts a signed question to a merchant's own server once. Never rejects. */
export type CallHook = (call: HookCall) => Promise<HookReply>

export interface HookCall {
  accountId: string
  /** Whether a page asks for a price: whoever visits it can have any number of them asked. */
  isForPage: boolean
  url: string
  /** From now to the end of the answer, waiting in line included. */
  timeoutMs: number
  headers: Readonly<Record<string, string>>
  /** The exact bytes that were signed. */
  body: string
}

/** The body of a 200, or why there is none. */
export type HookReply = { text: string } | { failure: HookFailure; detail: string }

/**
 * The part of the vault that holds the card key. In a process without that key, it asks one that has it.
 *
 * A card's number may be sent to a processor or a directory server, and must not be stored, logged or returned to a client.
 */
export interface CardVault {
  /** Encrypts a card for storage. Equal numbers have equal fingerprints. */
  seal(card: CardSecrets, owner: CardOwner): Promise<SealedCard>
  /** @throws {Error} If the card was altered, belongs to another owner, or was sealed under another key. */
  open(sealed: Omit<SealedCard, 'fingerprint'>, owner: CardOwner): Promise<CardSecrets>
}

/** The secret part of a card, stored only encrypted. Has no security code, which is never stored. */
export interface CardSecrets {
  number: string
  name: string | null
}

/** The account and the card that a sealed card belongs to: it opens only with the same. */
export interface CardOwner {
  accountId: string
  cardId: string
}

/** An encrypted card: its secrets under a data key of its own, and that key under the vault's. */
export interface SealedCard {
  /** The same for the same number, whenever it is stored. */
  fingerprint: string
  sealedKey: string
  sealedCard: string
}

/**
 * The actor of a change, as the audit log names it. `key`: an API key; `member`: a person signed in to the account;
 * `session`: a buyer's session; `operator`: a command on the platform's own machine; `worker`: the platform itself.
 */
export interface Actor {
  kind: 'key' | 'member' | 'session' | 'operator' | 'worker'
  /** Of the key, member or session; the user of the operating system; the worker's name. Never a secret. */
  id: string
  /** For people; `null` where there is none. */
  name: string | null
}

/** The member that a request is made by, with the rights of this moment. */
export interface CallingMember {
  memberId: string
  /** The session of the request. */
  id: string
  role: MemberRole
  /** The stores that the member is limited to; `null` for all. */
  storeIds: readonly string[] | null
  signedInAtMs: number
}

/** The account and the API key, or the member, that a request authenticated with. */
export interface Caller {
  accountId: string
  /** The actor whom the audit log names for the request's changes. */
  actor: Actor
  /** For a member: the member's id. */
  keyId: string
  /**
   * A publishable key lives in a shop's page and opens nothing but the frames' operations and new sessions; a session's
   * token opens that one session. A member is signed in to the console.
   */
  kind: 'secret' | 'publishable' | 'session' | 'member'
  roles: readonly Role[]
  scopes: readonly string[]
  plan: Plan
  rateLimit: RateLimit
  /** For a publishable key: its store, and the origins of the pages that may use it. */
  storeId: string | null
  allowedOrigins: readonly string[]
  /** For a session token: the session that it opens. */
  sessionId?: string
  /** SHA-256 of that token, which is dead as soon as the session has another one. */
  sessionTokenHash?: string
  /** Whether the token is a preview's, of whom all events are drafts. */
  isPreview?: boolean
  /** For a member. */
  member?: CallingMember
}

/** The list of members is administration: of keys, only one with the role org:admin reads it. */
export function readsMembers({ kind, roles, scopes }: Pick<Caller, 'kind' | 'roles' | 'scopes'>): boolean {
  return kind === 'member' ? scopes.includes('members:read') : roles.includes('org:admin')
}

/** Who did something, as a reader may know it: who works for the account is not for all to know. */
export function actorFor<Named extends Actor>(actor: Named, reader: Parameters<typeof readsMembers>[0]): Named {
  return actor.kind !== 'member' || readsMembers(reader) ? actor : { ...actor, name: null }
}

/** A statement of a transaction, with the error to respond with if it is refused. A refusal without one is a bug. */
export interface Write extends Statement {
  onRefused?: (reason: 'expectation' | 'duplicate') => ApiError | undefined | Promise<ApiError | undefined>
  /** Frees what this write takes for this process (`Cluster.giveBack`), for a request that does not come to its end. */
  giveBack?: Statement
}

/** A file that came as a part of a large body, and has stayed on disk. */
export interface SentFile {
  /** `null` if the content claims to be base64 and is not. */
  described: { size: number; sha256: string } | null
  /** To be read before the request is answered; a block is valid until the next one is asked for. */
  bytes(): AsyncIterable<Uint8Array>
}

/**
 * A change, as the audit log shows it: which resource, and what it was before and after. Left out, the resource is told
 * from the operation, its response and its address, and `after` is the response. Secrets in it are removed by the log.
 */
export interface Change {
  /** `null` where several were changed at once. */
  resource?: { type: string; id: string | null }
  before?: unknown
  after?: unknown
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
  /** Headers sent by the client's browser; absent outside a request. */
  browserHeaders?: { accept: string | undefined; userAgent: string | undefined }
  /** The header `If-Match`, which may hold the revision that a change is based on. */
  ifMatch?: string
  newId(prefix: IdPrefix): string
  /**
   * Commits writes before the response, together with the claim on the request's `Idempotency-Key`: for operations that
   * call external services. The response's own writes follow in a separate transaction.
   *
   * @param change The change, as the audit log shows it.
   * @returns The rows that each write has returned.
   */
  begin(writes: readonly Write[], change?: Change): Promise<readonly (readonly Row[])[]>
  /** SHA-256 of the request's `Idempotency-Key`, or `null`. */
  idempotencyKey: string | null
  /** Files of a large body, by what it has as their `content`; the contents of all others are in the body itself. */
  files?: ReadonlyMap<string, SentFile>
  /** The fault to simulate for this request, to test how its caller handles it. Always `null` in production. */
  fault: Fault | null
}

/** A message of an event stream, or a sign of life. A client that has received it goes on from `cursor`. */
export type StreamMessage = { cursor: string } & (
  | { event: string; /** JSON. */ data: string }
  | { comment: 'open' | 'live' | 'alive' }
)

/** The messages of an operation that is an `eventStream`. */
export interface MessageStream {
  /** To be called once. Begins and ends with nothing but the reader: it goes on until `ended` is aborted. */
  follow: (ended: AbortSignal) => AsyncIterable<StreamMessage>
  /** Asks for a sign of life, if nothing else is sent. */
  beat: () => void
}

/**
 * A handler's response. `writes` are committed together with the stored response, before it is sent. `created: false`
 * gives it the operation's `existingStatus`. `rawJson` is a body sent exactly as it is stored: JSON text of the
 * response's shape; of an operation that is `streamed` it is empty, and `pieces` are that text; of an `eventStream`, `messages` come instead; `revision` is what it has in the text, if it has one. `change` is what the audit log shows of the writes, where it is more than the response tells.
 */
export type Reply<Body> =
  | {
      body: Body
      created?: false
      headers?: Readonly<Record<string, string>>
      writes?: readonly Write[]
      change?: Change
    }
  | {
      rawJson: string
      pieces?: AsyncIterable<string>
      messages?: MessageStream
      revision?: number
      headers?: Readonly<Record<string, string>>
      writes?: never
      change?: Change
    }
  | { failure: ApiError; writes?: readonly Write[]; change?: Change }

/**
 * A response to work that has begun and may take longer than its client waits. Whatever `end` comes to is the response
 * if it comes in time; else `meanwhile` is, which has no writes, and those of `end` are committed when it has come. A
 * `meanwhile` that is a failure is not stored: a repeated request finds out how the work has ended.
 */
export interface PendingReply<Body> {
  meanwhile: () => Promise<Reply<Body>>
  end: Promise<Reply<Body>>
}

/** Does the work of one operation. Throws an `ApiError` for a request that must fail and has changed nothing. */
export type Handler<Op extends Operation> = (
  request: RequestOf<Op>,
  context: RequestContext,
) => Promise<Reply<ResponseOf<Op>> | PendingReply<ResponseOf<Op>>>

/** One handler for each operation of a group: a missing one does not compile. */
export type Handlers<Group extends Record<string, Operation>> = { [Name in keyof Group]: Handler<Group[Name]> }
