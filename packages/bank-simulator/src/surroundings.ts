import type { TransStatus } from '@tillwright/emv-3ds'

/** What the platform that starts the simulator hands it. These types name the parts of the platform's own that it uses. */

export type Value = string | number | null
export type Row = Readonly<Record<string, Value>>

/** A statement of a unit. `expect` is how many rows it has to change, or the unit is refused. */
export interface Statement {
  sql: string
  params: readonly Value[]
  expect?: number
}

export interface Database {
  read(sql: string, params: readonly Value[]): Promise<readonly Row[]>
  /** Commits all statements or none. */
  write(unit: readonly Statement[]): Promise<{ outcome: 'committed' } | { outcome: 'refused'; reason: string }>
}

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Resolves at that time, or as soon as the signal is aborted. */
  until(timeMs: number, signal: AbortSignal): Promise<void>
}

export interface Log {
  error(details: object, message: string): void
}

/** A component of an authentication. */
export type Party = 'server' | 'directory' | 'issuer' | 'browser'

/** A message on its way: one of EMV 3DS, or the text of what a fault has made of it. */
export interface SentMessage {
  from: Party
  to: Party
  /** `messageType`; `Method` for the data of a method page. */
  type: string
  message: unknown
}

/** A message as the transcript of a session keeps it. `at` is ISO 8601. */
export interface TranscriptEntry extends SentMessage {
  position: number
  at: string
}

/** The account and the transaction (`threeDSServerTransID`) that messages belong to. */
export interface Recording {
  accountId: string
  transactionId: string
  nowMs: number
}

/** A 3-D Secure session as the timeline shows it. */
export interface TimelineSession {
  id: string
  /** The `threeDSServerTransID`. */
  externalSessionId: string
  paymentId: string | null
  provider: string
  status: string
  outcome: string
  createdAtMs: number
  /** In minor units, as digits: up to 48 of them. `null` where nothing was asked yet. */
  amount: { minor: string; currency: string } | null
  /** What may be shown of the card. */
  card: { brand: string; last4: string } | null
}

/** The 3DS Server that asks the simulated directory. */
export interface ThreedsServer {
  /** The account that a transaction belongs to, or `null`. */
  ownerOf(transactionId: string): Promise<string | null>
  /** The statements that add messages to the transcript of a transaction. */
  recordMessages(messages: readonly SentMessage[], recording: Recording): readonly Statement[]
  /** Takes the result of a challenge: an RReq as JSON, answered by an RRes or an Erro as JSON. */
  receiveResult(rreq: string): Promise<string>
  /** A session with its transcript, or `null`. */
  findTimeline(
    transactionId: string,
  ): Promise<{ session: TimelineSession; transcript: readonly TranscriptEntry[] } | null>
  /** The latest sessions of all accounts, the newest first. */
  latestSessions(): Promise<readonly TimelineSession[]>
}

/** What the simulated bank works with. */
export interface BankSurroundings {
  db: Database
  clock: Clock
  log: Log
  server: ThreedsServer
  /** Where its pages are served: an origin other than the vault's, and the path `/acs`. */
  acsUrl: string
  /** Whether it is one developer's own: outcomes may be arranged then, and all sessions are listed. */
  isLocal: boolean
}

/** How the cardholder of a test card disputes its charge. */
export type DisputeKind = 'chargeback' | 'inquiry'

/** The outcomes of an authentication that a scenario may name. */
export type ScenarioStatus = Exclude<TransStatus, 'D'>
