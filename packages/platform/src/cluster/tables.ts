import { defineTable, int, json, text } from '../storage/index.ts'

/** The processors that a process leaves alone, or has until lately, by id: how often they have failed in a row, and when last. */
export type Circuits = Readonly<Record<string, { failures: number; lastMs: number }>>

/** Work that a process does again and again. */
export type Round =
  | 'webhooks'
  | 'payments'
  | 'awaited_payments'
  | 'unanswered_payments'
  | 'waiting_payments'
  | 'post_authorizations'
  | 'renewals'
  | 'erasures'
  | 'sealing'
  | 'statistics'
  | 'sweeping'

/** Report of a process on itself, sent with each beat. */
export interface ProcessReport {
  /** When it last finished looking for such work, in Unix milliseconds of the shared time. */
  rounds: Readonly<Partial<Record<Round, number>>>
  /** Payments, captures, refunds and voids that it took over from others, or from itself, to find out how they ended. */
  takenOver: number
  /** Rows that it had taken and gave back. */
  givenBack: number
  /** Where its state lies; `null` until it has looked. */
  disk: { freeBytes: number; sizeBytes: number } | null
}

export const processesTable = defineTable('processes', {
  id: text,
  name: text,
  roles: json<string[]>(),
  version: text,
  schema_number: int,
  beats: int,
  clock_offset: int,
  started_at: int,
  heartbeat_at: int,
  circuits: json<Circuits>(),
  report: json<ProcessReport>(),
})

export const sharedTimeTable = defineTable('shared_time', { id: int, at: int, ahead: int })
