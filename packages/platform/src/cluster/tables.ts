import { defineTable, int, json, text } from '../storage/index.ts'

/** The processors that a process leaves alone, or has until lately, by id: how often they have failed in a row, and when last. */
export type Circuits = Readonly<Record<string, { failures: number; lastMs: number }>>

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
})

export const sharedTimeTable = defineTable('shared_time', { id: int, at: int, ahead: int })
