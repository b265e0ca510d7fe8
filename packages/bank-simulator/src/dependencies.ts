import type { Recording, SentMessage, TimelineSession, TranscriptEntry, TransStatus } from '@tillwright/emv-3ds'

/** Dependencies that the platform passes in. These types cover only those parts of the platform that the simulator uses. */

export type Value = string | number | null
export type Row = Readonly<Record<string, Value>>

/** A statement of a transaction. The transaction is rolled back unless the statement changes `expect` rows. */
export interface Statement {
  sql: string
  params: readonly Value[]
  expect?: number
}

export interface Database {
  read(sql: string, params: readonly Value[]): Promise<readonly Row[]>
  /** Commits all statements or none of them. */
  write(transaction: readonly Statement[]): Promise<{ outcome: 'committed' } | { outcome: 'refused'; reason: string }>
}

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Resolves at the given time, or as soon as the signal is aborted. */
  until(timeMs: number, signal: AbortSignal): Promise<void>
}

export interface Log {
  error(details: object, message: string): void
}

/** The 3DS Server that calls the simulated Directory Server. */
export interface ThreedsServer {
  /** The account that owns a transaction, or `null`. */
  ownerOf(transactionId: string): Promise<string | null>
  /** Statements that append messages to the transcript of a transaction. */
  recordMessages(messages: readonly SentMessage[], recording: Recording): readonly Statement[]
  /** Receives the result of a challenge: takes an RReq and resolves to an RRes or an Erro, all as JSON. */
  receiveResult(rreq: string): Promise<string>
  /** Finds a session and its transcript. */
  findTimeline(
    transactionId: string,
  ): Promise<{ session: TimelineSession; transcript: readonly TranscriptEntry[] } | null>
  /** The latest sessions of all accounts, newest first. */
  latestSessions(): Promise<readonly TimelineSession[]>
}

/** Dependencies of the simulated bank. */
export interface BankDependencies {
  db: Database
  clock: Clock
  log: Log
  server: ThreedsServer
  /** Base URL of its pages: the path `/acs` at an origin other than the vault's. */
  acsUrl: string
  /** Whether it runs on a developer's machine, where outcomes can be arranged and all sessions are listed. */
  isLocal: boolean
}

/** How the cardholder of a test card disputes the charge. */
export type DisputeKind = 'chargeback' | 'inquiry'

/** Authentication outcomes that a scenario can name. */
export type ScenarioStatus = Exclude<TransStatus, 'D'>
