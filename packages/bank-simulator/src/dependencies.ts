import type { Recording, SentMessage, TimelineSession, TranscriptEntry, TransStatus } from '@tillwright/emv-3ds'

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
export interface BankDependencies {
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
